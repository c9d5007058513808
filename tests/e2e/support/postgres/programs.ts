import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Debian installs the server programs outside of PATH. */
const debian = '/usr/lib/postgresql'

const folders = (): string[] => [
  ...(process.env['PATH'] ?? '').split(delimiter),
  '/usr/sbin',
  ...(existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : []).map((major) =>
    join(debian, major, 'bin'),
  ),
]

const find = (name: string): string | undefined =>
  folders()
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))

const idOf = (flag: string) =>
  Number(spawnSync('id', [flag, 'postgres']).stdout.toString().trim() || Number.NaN)

/** The user that runs the servers: PostgreSQL does not run as root. */
const user: { uid?: number; gid?: number } =
  process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}

/** Why servers cannot be started here; undefined if they can. */
export function missingPrograms(): string | undefined {
  const missing = ['initdb', 'pgbouncer'].filter((name) => find(name) === undefined)
  if (missing.length > 0)
    return `${missing.join(' and ')} not found. Debian: apt-get install postgresql pgbouncer`
  return Number.isNaN(user.uid)
    ? 'PostgreSQL does not run as root, and the user postgres does not exist.'
    : undefined
}

/** A PostgreSQL on this machine. */
export interface Installation {
  readonly name: string
  /** The folder of `initdb` and `postgres`. */
  readonly folder: string
}

/** The PostgreSQL of the system. */
export const systemInstallation = (): Installation => ({
  name: 'PostgreSQL of the system',
  folder: dirname(realpathSync(find('initdb')!)),
})

/** The newest PostgreSQL that is supported. It comes from npm, because Debian has one version; .ci/run fetches it. */
export const newestInstallation: Installation = {
  name: 'PostgreSQL 18',
  folder: process.env['TEST_POSTGRES_18'] ?? '',
}

/** Why the newest PostgreSQL cannot be started here; undefined if it can. */
export const missingNewest = (): string | undefined =>
  missingPrograms() ??
  (existsSync(join(newestInstallation.folder, 'initdb'))
    ? undefined
    : 'TEST_POSTGRES_18 does not name the folder of its programs. .ci/run sets it.')

/** A new folder that the servers may write to. */
export function createFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-postgres-'))
  own(folder)
  return folder
}

/** Gives a file or folder to the user of the servers. */
export function own(path: string): void {
  if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
}

export const removeFolder = (folder: string): void => rmSync(folder, { recursive: true, force: true })

/** Runs a program of PostgreSQL to its end. @throws Error with its output if it fails */
export function run(program: string, args: readonly string[], { folder } = systemInstallation()): void {
  const { status, stdout, stderr } = spawnSync(join(folder, program), args, { ...user, cwd: '/' })
  if (status !== 0) throw new Error(`${program} exited with ${status}: ${stderr} ${stdout}`)
}

/** Starts a server program, which runs until it is killed. */
export const startProgram = (
  program: string,
  args: readonly string[],
  installation?: Installation,
): ChildProcess =>
  spawn(installation ? join(installation.folder, program) : find(program)!, args, {
    ...user,
    cwd: '/',
    stdio: 'ignore',
  })

/** A free port of loopback. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
