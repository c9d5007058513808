import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'
import { DatabaseOptionError } from '../errors.ts'

/** Options of TLS, or false for a connection without it. */
export type Encryption = false | ConnectionOptions

const modes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * The encryptions that `sslmode` permits, in the order in which libpq tries them. The parameters of the URL come before
 * PGSSLMODE, PGSSLROOTCERT, PGSSLCERT and PGSSLKEY; those before the files in ~/.postgresql, or %APPDATA%/postgresql on Windows.
 *
 * @throws DatabaseOptionError for an unknown mode and a file that cannot be read
 */
export function encryptions(parameters: ReadonlyMap<string, string>): readonly Encryption[] {
  const setting = (name: string) =>
    parameters.get(name) ?? (process.env[`PG${name.toUpperCase()}`] || undefined)
  const file = (name: string, byDefault: string) => readNamed(name, setting(name), byDefault)
  const isSystem = setting('sslrootcert') === 'system'
  const mode = setting('sslmode') ?? (isSystem ? 'verify-full' : 'prefer')
  if (!modes.includes(mode))
    throw new DatabaseOptionError(`The sslmode of --database is unknown. Use one of ${modes.join(', ')}.`)
  if (mode === 'disable') return [false]
  const ca = isSystem ? undefined : file('sslrootcert', 'root.crt')
  const [cert, key] = [file('sslcert', 'postgresql.crt'), file('sslkey', 'postgresql.key')]
  const own = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) }
  const unverified: Encryption = { ...own, rejectUnauthorized: false }
  if (mode === 'prefer') return [unverified, false]
  if (mode === 'allow') return [false, unverified]
  if (mode === 'verify-full') return [own]
  // as in libpq, a known authority is asked although `require` does not demand it
  return mode === 'verify-ca' || ca ? [{ ...own, checkServerIdentity: () => undefined }] : [unverified]
}

function readNamed(name: string, path: string | undefined, byDefault: string): Buffer | undefined {
  const folder =
    process.platform === 'win32'
      ? join(process.env['APPDATA'] ?? homedir(), 'postgresql')
      : join(homedir(), '.postgresql')
  const standard = join(folder, byDefault)
  const file = path ?? (existsSync(standard) ? standard : undefined)
  if (file === undefined) return undefined
  try {
    return readFileSync(file)
  } catch (error) {
    throw new DatabaseOptionError(
      `The file of ${name} for --database cannot be read (${(error as { code?: string }).code}). Check its path.`,
    )
  }
}
