import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort, type Installation, own, run, startProgram, systemInstallation } from './programs.ts'

/** The password of every role of the throwaway servers. */
export const testPassword = 'a secret of the tests'

/** The role that owns everything. */
export const superuser = 'root_of_tests'

const [startsWithinMs, pollMs] = [30_000, 50]

/** A PostgreSQL server or a pooler on a port of loopback, which can be ended and started again. */
export class TestServer {
  readonly port: number
  readonly #start: () => ChildProcess
  #process: ChildProcess | undefined

  private constructor(port: number, start: () => ChildProcess) {
    this.port = port
    this.#start = start
  }

  /** An empty PostgreSQL. Its superuser is `root_of_tests`. @param settings such as `max_connections=10` */
  static async primary(
    folder: string,
    settings: readonly string[] = [],
    installation = systemInstallation(),
  ): Promise<TestServer> {
    const [data, secret] = [join(folder, 'primary'), join(folder, 'password')]
    writeFileSync(secret, testPassword, { mode: 0o600 })
    own(secret)
    const flags = ['-E', 'UTF8', '--no-locale', '-A', 'scram-sha-256', '--no-sync', '--pwfile', secret]
    run('initdb', ['-D', data, '-U', superuser, ...flags], installation)
    appendFileSync(join(data, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 scram-sha-256\n')
    return TestServer.#postgres(data, ['wal_keep_size=256MB', ...settings], installation)
  }

  /** A streaming hot standby of a running server. */
  static async standby(
    folder: string,
    name: string,
    primary: TestServer,
    settings: readonly string[] = [],
  ): Promise<TestServer> {
    const data = join(folder, name)
    const source = `host=127.0.0.1 port=${primary.port} user=${superuser} password='${testPassword}'`
    run('pg_basebackup', ['-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync', '-d', source])
    return TestServer.#postgres(data, settings, systemInstallation())
  }

  /** pgbouncer in transaction mode before a server. */
  static async pooler(folder: string, server: TestServer, poolSize: number): Promise<TestServer> {
    const [port, file, users] = [await freePort(), join(folder, 'pgbouncer.ini'), join(folder, 'users.txt')]
    const roles = [superuser, 'loader', 'bioprocess_reader']
    writeFileSync(users, roles.map((role) => `"${role}" "${testPassword}"\n`).join(''), { mode: 0o600 })
    writeFileSync(
      file,
      [
        '[databases]',
        `* = host=127.0.0.1 port=${server.port}`,
        '[pgbouncer]',
        'listen_addr = 127.0.0.1',
        `listen_port = ${port}`,
        'unix_socket_dir =',
        'auth_type = scram-sha-256',
        `auth_file = ${users}`,
        'pool_mode = transaction',
        `default_pool_size = ${poolSize}`,
        'max_client_conn = 500',
      ].join('\n'),
    )
    for (const path of [file, users]) own(path)
    return TestServer.#started(port, () => startProgram('pgbouncer', ['-q', file]), superuser)
  }

  static async #postgres(
    data: string,
    settings: readonly string[],
    installation: Installation,
  ): Promise<TestServer> {
    const port = await freePort()
    const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...settings]
    const args = ['-D', data, '-p', String(port), ...all.flatMap((setting) => ['-c', setting])]
    const start = () => {
      // a killed server leaves the file, and its number may be that of another process by now
      rmSync(join(data, 'postmaster.pid'), { force: true })
      return startProgram('postgres', args, installation)
    }
    return TestServer.#started(port, start, superuser)
  }

  static async #started(port: number, start: () => ChildProcess, role: string): Promise<TestServer> {
    const server = new TestServer(port, start)
    await server.start(role)
    return server
  }

  /** The number of its process while it runs. */
  get pid(): number | undefined {
    return this.#process?.pid
  }

  /** Starts the server and waits until it answers. */
  async start(role = superuser): Promise<void> {
    this.#process = this.#start()
    const end = Date.now() + startsWithinMs
    for (;;) {
      const failure = await this.sql('SELECT 1', role).then(
        () => undefined,
        (error: Error) => error,
      )
      if (!failure) return
      if (Date.now() > end) throw failure
      await sleep(pollMs)
    }
  }

  url(role: string, database = 'postgres'): string {
    return `postgres://${role}:${encodeURIComponent(testPassword)}@127.0.0.1:${this.port}/${database}`
  }

  /** Runs SQL on a connection of its own. */
  async sql(text: string, role = superuser, database = 'postgres'): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.url(role, database) })
    client.on('error', () => {})
    try {
      await client.connect()
      const result = await client.query(text)
      return (result.rows ?? []) as Record<string, unknown>[]
    } finally {
      await client.end().catch(() => {})
    }
  }

  /** Lets a PostgreSQL offer TLS. @returns the file of the certificate */
  async offerTls({ key, cert }: { readonly key: string; readonly cert: string }): Promise<string> {
    const [row] = await this.sql(`SELECT current_setting('data_directory') AS folder`)
    const [keyFile, certFile] = ['test.key', 'test.crt'].map((name) => join(String(row!['folder']), name))
    writeFileSync(keyFile!, key, { mode: 0o600 })
    writeFileSync(certFile!, cert)
    own(keyFile!)
    await this.sql(`ALTER SYSTEM SET ssl_key_file = 'test.key'`)
    await this.sql(`ALTER SYSTEM SET ssl_cert_file = 'test.crt'`)
    await this.sql('ALTER SYSTEM SET ssl = on')
    await this.sql('SELECT pg_reload_conf()')
    await sleep(500)
    return certFile!
  }

  /** Ends the server at once: SIGQUIT breaks its connections without a shutdown, as a lost host does. */
  async kill(): Promise<void> {
    const ending = this.#process
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return
    const gone = once(ending, 'exit')
    ending.kill('SIGQUIT')
    await gone
  }
}
