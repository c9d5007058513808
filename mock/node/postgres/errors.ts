/** A database cannot be used. The message names the remedy and contains no password. */
export class DatabaseError extends Error {
  override readonly name: string = 'DatabaseError'
}

/** An option cannot be used. The message names the remedy and repeats nothing of the URL, which may be a password. */
export class DatabaseOptionError extends DatabaseError {
  override readonly name = 'DatabaseOptionError'
}

/** The remedy for an error of a connection, by SQLSTATE or by the code of the operating system. */
const remedies: Readonly<Record<string, string>> = {
  '28P01': 'Check the user and the password in the URL, or PGPASSWORD.',
  '28000': 'Check the user, and that pg_hba.conf of the server lets it in.',
  '3D000': 'Check the name of the database in --database.',
  '42501': 'Grant the role the right to connect: GRANT CONNECT ON DATABASE ... TO ...',
  '53300': 'Give it fewer --workers, raise max_connections, or put a pooler such as pgbouncer in front.',
  '57P03': 'The server is starting or shutting down. Try again in a moment.',
  ECONNREFUSED: 'Nothing listens there. Check host and port, and that the server runs.',
  ENOTFOUND: 'Check the name of the host.',
  ETIMEDOUT: 'Check host, port and firewall.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'Name the certificate of its issuer with sslrootcert=FILE in --database.',
  SELF_SIGNED_CERT_IN_CHAIN: 'Name the certificate of its issuer with sslrootcert=FILE in --database.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'Name the certificate of its issuer with sslrootcert=FILE in --database.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'Name the certificate of its issuer with sslrootcert=FILE in --database.',
  CERT_HAS_EXPIRED: 'Renew the certificate of the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a host name of the certificate in --database.',
}

/** The same for errors of `pg` that have no code. */
const byText: readonly (readonly [RegExp, string])[] = [
  [/asks for a password/, 'Add the password to --database, or set PGPASSWORD.'],
  [/does not support SSL/, 'Let the server offer TLS, or use sslmode=prefer.'],
  [/timeout expired/, 'Check host, port and firewall.'],
]

/** A sentence that says why a host cannot be used and what to do, without a password. */
export function explainConnectError(host: string, error: unknown): string {
  if (error instanceof DatabaseError) return error.message
  const { code = '', message, errors } = error as Error & { code?: string; errors?: readonly Error[] }
  const said = ((message || errors?.[0]?.message) ?? String(error)).replace(
    /.*client password must be.*/,
    'it asks for a password',
  )
  const remedy = remedies[code] ?? byText.find(([pattern]) => pattern.test(said))?.[1]
  return `The database at ${host} cannot be used: ${said.replace(/\.$/, '')}.${remedy ? ` ${remedy}` : ''}`
}
