import pg from 'pg'
import { DatabaseOptionError } from '../errors.ts'
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

/** Parameters of the URL that have the same effect as with libpq. */
const supported = 'application_name host options password port sslcert sslkey sslmode sslrootcert user'.split(
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
 * Reads the hosts of `postgres://user:password@host1:5432,host2/database?sslmode=...`, in their order: `pg` reads the URL of a
 * single host. TLS is read as by libpq, see tls.ts.
 *
 * @throws DatabaseOptionError, whose message contains no password
 */
export function parseDatabaseUrl(url: string): readonly HostAddress[] {
  const parts = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#@]*)([^?#@]*)\??([^#@]*)$/s.exec(url)
  if (!parts)
    throw new DatabaseOptionError(
      '--database is not a URL. Write it like postgres://user@host/database, and percent-encode reserved characters of the password, such as @ as %40, # as %23 and / as %2F.',
    )
  const [, start, list, path, query] = parts as unknown as readonly [string, string, string, string, string]
  const ignored = ignoredVariables.find((name) => !demandsNothing.test(process.env[name] ?? ''))
  if (ignored !== undefined)
    throw new DatabaseOptionError(
      `--database cannot be used with ${ignored}, which is not supported. Unset it, and demand TLS with sslmode=verify-full.`,
    )
  const parameters = parametersOf(query)
  const ways = encryptions(parameters)
  // `pg` reads these in another way than libpq
  const rest = [...parameters].filter(([name]) => !name.startsWith('ssl'))
  const search = rest.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  const hosts = list.split(',')
  return hosts.map((host, index) => {
    if (host === '' && hosts.length > 1)
      throw new DatabaseOptionError('--database has an empty host. Write its hosts like h1:5432,h2:5432.')
    const config: pg.ClientConfig = {
      connectionString: `${start}${host}${path}?${search}`,
      application_name: 'bioprocess-sql',
      connectionTimeoutMillis: hosts.length > 1 ? nextWithinMs : connectWithinMs,
      keepAlive: true,
    }
    try {
      const read = new pg.Client({ ...config, ssl: false })
      const isSocket = read.host.startsWith('/')
      return { name: `${read.host}:${read.port}`, config, encryptions: isSocket ? [false] : ways }
    } catch {
      // the message of the library may repeat the URL with its password
      throw new DatabaseOptionError(
        `--database cannot be read at its host ${index + 1} of ${hosts.length}. Check the port, and that reserved characters of the password are percent-encoded.`,
      )
    }
  })
}

/**
 * The parameters of a URL by their names, decoded as by libpq: a `+` is no space.
 *
 * @throws DatabaseOptionError for a parameter that is there twice, or that nothing would obey
 */
function parametersOf(query: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>()
  for (const text of query.split('&').filter((part) => part !== '')) {
    const [, name = '', value] = /^([a-z_]{1,40})=([^%]*(?:%[\da-f]{2}[^%]*)*)$/i.exec(text) ?? []
    if (value === undefined || !supported.includes(name)) {
      // what follows an & in a password that is not encoded looks like a name
      const shown = name === '' || query.includes('password=') ? 'a parameter' : `the parameter ${name}`
      throw new DatabaseOptionError(
        `--database has ${shown}, which is not supported. Remove it, or percent-encode the password: & as %26, % as %25. Supported are ${supported.join(', ')}.`,
      )
    }
    if (parameters.has(name))
      throw new DatabaseOptionError('--database has a parameter twice. Remove one of them.')
    parameters.set(name, decodeURIComponent(value))
  }
  return parameters
}
