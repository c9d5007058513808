import pg from 'pg'

/** A `--database` that cannot be used. The message names the remedy. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError'
}

/** Which hosts may answer statements, as in libpq. */
export type SessionKind = 'any' | 'primary' | 'standby' | 'prefer-standby'

const kinds: Readonly<Record<string, SessionKind>> = {
  any: 'any',
  primary: 'primary',
  'read-write': 'primary',
  standby: 'standby',
  'read-only': 'standby',
  'prefer-standby': 'prefer-standby',
}

/** One host of a database. */
export interface HostAddress {
  /** `host:port`, for messages: without a user and a password. */
  readonly name: string
  readonly config: pg.ClientConfig
}

export interface DatabaseAddress {
  readonly hosts: readonly HostAddress[]
  readonly kind: SessionKind
}

const connectTimeoutMs = 5_000

/**
 * Reads `postgres://user:password@host1:5432,host2/database?sslmode=...&target_session_attrs=...`. Everything but the list of
 * hosts is read by `pg`, as are the variables PGUSER, PGPASSWORD and others and ~/.pgpass.
 *
 * @throws DatabaseUrlError, whose message contains no password
 */
export function parseDatabaseUrl(url: string): DatabaseAddress {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)(.*)$/s.exec(url)
  if (!parts)
    throw new DatabaseUrlError('--database is not a URL. Write it like postgres://user@host/database.')
  const [, scheme, user, list, rest] = parts as unknown as [string, string, string, string, string]
  const kind = kindOf(rest)
  const hosts = (list === '' ? [''] : list.split(',')).map((host) => {
    if (host === '' && list !== '')
      throw new DatabaseUrlError('--database has an empty host. Write its hosts like h1:5432,h2:5432.')
    return hostAddress(host, `${scheme}${user}${host}${rest}`)
  })
  return { hosts, kind }
}

function hostAddress(host: string, url: string): HostAddress {
  try {
    const client = new pg.Client({ connectionString: url })
    const config = {
      connectionString: url,
      application_name: 'bioprocess-sql',
      connectionTimeoutMillis: connectTimeoutMs,
      keepAlive: true,
    }
    return { name: `${client.host}:${client.port}`, config }
  } catch {
    // the message of the library may repeat the URL with its password
    throw new DatabaseUrlError(
      `--database cannot be read at the host "${host}". Check the port, the files that it names, and that reserved characters of the password are percent-encoded.`,
    )
  }
}

function kindOf(rest: string): SessionKind {
  const wanted = new URLSearchParams(rest.split('?')[1] ?? '').get('target_session_attrs')
  if (wanted === null) return 'prefer-standby'
  const kind = kinds[wanted]
  if (kind) return kind
  throw new DatabaseUrlError(
    `target_session_attrs=${wanted} is unknown. Use one of ${Object.keys(kinds).join(', ')}.`,
  )
}
