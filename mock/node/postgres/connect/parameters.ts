import { DatabaseOptionError } from '../errors.ts'

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
