import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { freePort } from '../../harness/servers.ts'

/** A temporary, empty PostgreSQL on a loopback port. */
export interface Cluster {
  /** The URL for the owner, a superuser. */
  url: string
  version: string
  /** Runs SQL as the owner. */
  sql(text: string): void
  stop(): void
}

/** Debian installs the server programs outside of PATH. */
const DEBIAN = '/usr/lib/postgresql'

function programs(): string | undefined {
  const debian = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...debian.map((major) => join(DEBIAN, major, 'bin')),
  ]
  const found = folders.map((folder) => join(folder, 'initdb')).find((file) => existsSync(file))
  return found && dirname(realpathSync(found))
}

interface User {
  uid: number
  gid: number
}

const idOf = (flag: string) =>
  Number(spawnSync('id', [flag, 'postgres']).stdout.toString().trim() || Number.NaN)

/** The user postgres, because PostgreSQL does not run as root. */
function unprivileged(): User | undefined {
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  return Number.isNaN(uid) || Number.isNaN(gid) ? undefined : { uid, gid }
}

/** Starts a cluster, or returns why it cannot. */
export async function startCluster(): Promise<Cluster | string> {
  const bin = programs()
  if (!bin)
    return 'PostgreSQL is not installed: no initdb in PATH or /usr/lib/postgresql (Debian: apt-get install postgresql)'
  const user: Partial<User> | undefined = process.getuid?.() === 0 ? unprivileged() : {}
  if (!user) return 'PostgreSQL does not run as root, and the user postgres does not exist'

  const folder = mkdtempSync(join(tmpdir(), 'bioprocess-sql-soak-'))
  const [data, log, secret] = ['data', 'log', 'password'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const password = randomBytes(16).toString('hex')
  writeFileSync(secret, password, { mode: 0o600 })
  const { uid, gid } = user
  if (uid !== undefined && gid !== undefined) for (const path of [folder, secret]) chownSync(path, uid, gid)
  const run = (program: string, args: string[], env = {}) =>
    succeeded(spawnSync(join(bin, program), args, { ...user, cwd: '/', env: { ...process.env, ...env } }))

  const port = await freePort()
  const url = `postgres://owner:${password}@127.0.0.1:${port}/postgres`
  run('initdb', [
    '-D',
    data,
    '-U',
    'owner',
    '-E',
    'UTF8',
    '--no-locale',
    '-A',
    'scram-sha-256',
    '--pwfile',
    secret,
  ])
  const flags = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off`
  run('pg_ctl', ['-D', data, '-l', log, '-o', flags, '-w', 'start'])
  const stop = () => {
    process.off('exit', stop)
    run('pg_ctl', ['-D', data, '-m', 'fast', '-w', 'stop'])
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', stop)
  return {
    url,
    version: run('postgres', ['--version']).trim(),
    sql: (text) =>
      void run('psql', ['-q', '-h127.0.0.1', `-p${port}`, '-Uowner', '-c', text, 'postgres'], {
        PGPASSWORD: password,
      }),
    stop,
  }
}

function succeeded({ status, stdout, stderr, error }: SpawnSyncReturns<Buffer>): string {
  if (error) throw error
  if (status !== 0) throw new Error(`A PostgreSQL program exited with ${status}: ${stderr} ${stdout}`)
  return stdout.toString()
}
