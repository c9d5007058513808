import pg from 'pg'
import { DatabaseOptionError } from '../errors.ts'
import { parametersOf, refuseVariables } from './parameters.ts'
import { type Encryption, encryptions } from './tls.ts'

/** One host of a database. */
export interface HostAddress {
  /** `host:port`, for messages: without a user and a password. */
  readonly name: string
  readonly config: pg.ClientConfig
  /** The ways to connect, in their order. */
  readonly encryptions: readonly Encryption[]
}

/** How long a host may take to answer, in milliseconds: a shorter time if there is another one. */
const [connectWithinMs, nextWithinMs] = [5_000, 3_000]

/** Parameters that are read here. `pg` reads some of them in another way than libpq. */
const readHere = /^ssl|^target_session_attrs$/

/**
 * Reads the hosts of `postgres://user:password@host1:5432,host2/database?sslmode=...`, in their order. TLS is read as by libpq,
 * see tls.ts; the rest is read by `pg`, as are the variables PGUSER, PGPASSWORD and others and ~/.pgpass. Parameters and
 * variables that would be ignored are refused, see parameters.ts.
 *
 * @throws DatabaseOptionError, whose message contains no password
 */
export function parseDatabaseUrl(url: string): readonly HostAddress[] {
  const parts = /^(postgres(?:ql)?:\/\/)((?:[^@/?#]*@)?)([^/?#]*)([^?]*)\??(.*)$/s.exec(url)
  if (!parts)
    throw new DatabaseOptionError('--database is not a URL. Write it like postgres://user@host/database.')
  const [, scheme, user, list, path, query] = parts as unknown as readonly [
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  if (/[@#]/.test(list + path + query))
    throw new DatabaseOptionError(
      '--database has a reserved character in its user or password. Percent-encode it, such as @ as %40, # as %23 and / as %2F.',
    )
  refuseVariables()
  const parameters = parametersOf(query)
  if (!['any', undefined].includes(parameters.get('target_session_attrs')))
    throw new DatabaseOptionError(
      'target_session_attrs of --database is not supported. Leave it out, and name the hosts in the order in which they may answer.',
    )
  const rest = [...parameters].flatMap(([name, value]) =>
    readHere.test(name) ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  const ways = encryptions(parameters)
  const hosts = list === '' ? [''] : list.split(',')
  const withinMs = hosts.length > 1 ? nextWithinMs : connectWithinMs
  return hosts.map((host, index) => {
    if (host === '' && list !== '')
      throw new DatabaseOptionError('--database has an empty host. Write its hosts like h1:5432,h2:5432.')
    return hostAddress(
      `${scheme}${user}${host}${path}?${rest.join('&')}`,
      ways,
      withinMs,
      `${index + 1} of ${hosts.length}`,
    )
  })
}

function hostAddress(url: string, ways: readonly Encryption[], withinMs: number, place: string): HostAddress {
  const config: pg.ClientConfig = {
    connectionString: url,
    application_name: 'bioprocess-sql',
    connectionTimeoutMillis: withinMs,
    keepAlive: true,
  }
  try {
    const { host, port } = new pg.Client({ ...config, ssl: false })
    return { name: `${host}:${port}`, config, encryptions: host.startsWith('/') ? [false] : ways }
  } catch {
    // the message of the library may repeat the URL with its password
    throw new DatabaseOptionError(
      `--database cannot be read at its host ${place}. Check the port, and that reserved characters of the password are percent-encoded.`,
    )
  }
}
