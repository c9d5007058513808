import { DatabaseOptionError } from '../errors.ts'
import pg from 'pg'
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

/** Parameters of the URL that have the same effect as with libpq. */
const supported =
  'application_name host options password port sslcert sslkey sslmode sslrootcert target_session_attrs user'.split(
    ' ',
  )

/** Variables by which libpq chooses another server or demands more of it. Nothing here obeys them. */
const ignoredVariables =
  `PGCHANNELBINDING PGGSSENCMODE PGHOSTADDR PGREQUIREAUTH PGREQUIREPEER PGREQUIRESSL PGSERVICE PGSSLCRL
  PGSSLCRLDIR PGSSLMAXPROTOCOLVERSION PGSSLMINPROTOCOLVERSION PGSSLNEGOTIATION PGTARGETSESSIONATTRS`.split(
    /\s+/,
  )

/** Values of these variables that demand nothing. */
const demandsNothing = /^(|0|any|disable|postgres|prefer)$/

/**
 * The parameters of a URL by their names, decoded as by libpq: a `+` is no space.
 *
 *     parametersOf('sslmode=require&options=-c%20jit=off') // Map { sslmode: 'require', options: '-c jit=off' }
 *
 * @throws DatabaseOptionError for a parameter that is not supported, has no value or is there twice
 */
export function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  // what follows an & in a password that is not encoded looks like a name
  const mayPrint = !/(^|&)password=/.test(query)
  for (const text of query.split('&').filter((part) => part !== '')) {
    const [, name, value] = /^([^=]*)=(.*)$/s.exec(text)?.map(decoded) ?? []
    const shown = mayPrint && /^\w{1,40}$/.test(name ?? '') ? `the parameter ${name}` : 'a parameter'
    if (name === undefined || value === undefined || !supported.includes(name))
      throw new DatabaseOptionError(
        `--database has ${shown}, which is not supported. Remove it, or percent-encode an & of the password as %26. Supported are ${supported.join(', ')}.`,
      )
    if (parameters.has(name))
      throw new DatabaseOptionError(`--database has ${shown} twice. Remove one of them.`)
    if (['host', 'port'].includes(name) && value.includes(','))
      throw new DatabaseOptionError(
        `--database names several hosts in ${shown}. Write them before the name of the database, like h1:5432,h2:5432.`,
      )
    parameters.set(name, value)
  }
  return parameters
}

/** @throws DatabaseOptionError for a variable of the environment that `psql` obeys and this package would ignore */
export function refuseVariables(): void {
  for (const name of ignoredVariables)
    if (!demandsNothing.test(process.env[name] ?? ''))
      throw new DatabaseOptionError(
        `--database cannot be used with ${name}, which is not supported. Unset it, and demand TLS with sslmode=verify-full.`,
      )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new DatabaseOptionError('--database has a parameter with a % that encodes nothing. Write % as %25.')
  }
}
