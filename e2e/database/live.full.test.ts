import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { version } from '../../cli/package.ts'
import { rowsOf } from '../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../mock/node/postgres/index.ts'
import { applySteps } from '../../mock/node/postgres/live/apply-steps.ts'
import { layoutOf } from '../../mock/node/postgres/load/layout.ts'
import { loadPlant, verifyPlant } from '../../mock/node/postgres/load/index.ts'
import type { PostgresEngine, PostgresEngineOptions } from '../../mock/node/postgres/options.ts'
import { type CliServer, startCliServer } from '../support/cli.ts'
import {
  describeWithPostgres,
  superuser,
  TestDatabase,
  testPassword,
  testPlant,
  type TestServer,
} from '../support/postgres/index.ts'

describeWithPostgres('a live plant in a database', () => {
  let database: TestDatabase
  let standby: TestServer
  beforeAll(async () => {
    database = await TestDatabase.start()
    await database.load(version)
    standby = await database.standby('one')
  })
  afterAll(() => database?.stop())

  const day = 86_400_000
  /** Plant seconds per second: a plant day takes four seconds. */
  const speed = 20_000
  const open = (options: Partial<PostgresEngineOptions> = {}) =>
    createPostgresEngine({
      url: database.readerUrl(database.primary, standby),
      owner: database.ownerUrl,
      version,
      live: { speed, intervalMs: 50 },
      ...options,
    })
  /** How far the plant in the database has advanced, in milliseconds since 1970. */
  const reached = async () => {
    const [row] = await database.primary.sql('SELECT reached FROM plant.load_state', superuser, 'plant')
    return Number(row!['reached'])
  }
  const advances = async (byMs = 1) => {
    const from = await reached()
    await vi.waitFor(async () => expect(await reached()).toBeGreaterThanOrEqual(from + byMs), {
      timeout: 15_000,
      interval: 50,
    })
  }
  const expectSimulated = async () =>
    expect(await verifyPlant(testPlant, { url: database.ownerUrl, version, threads: 1 })).toEqual([])

  test('is advanced by one of two servers, and by the other once that is killed; a client gets each change once', async () => {
    const flags = ['--database', database.readerUrl(), '--live', String(speed), '--token', 'live']
    const start = () => startCliServer([...flags, '--live-database', database.ownerUrl])
    const first = await start()
    await vi.waitFor(() => expect(first.log()).toMatch(/This server advances the plant/), { timeout: 10_000 })
    const second = await start()
    const client = new DeltaClient(second)
    const reading = client.run()
    try {
      await vi.waitFor(() => expect(second.log()).toMatch(/Another server advances the plant/), {
        timeout: 5_000,
      })
      await advances()
      expect(second.log()).not.toMatch(/This server advances/)
      first.child.kill('SIGKILL')
      await vi.waitFor(() => expect(second.log()).toMatch(/This server advances the plant from 2026/), {
        timeout: 10_000,
      })
      await advances(day / 2)
    } finally {
      client.stop()
      await reading
      // its last change is written
      await second.stop()
    }
    expect(second.log()).not.toContain(testPassword)
    await client.expectComplete(database)
    await expectSimulated()
  }, 60_000)

  test('stands still while the primary is lost or takes no rows, which readers do not notice, and goes on whole', async () => {
    const log: string[] = []
    const engine = await open({ log: (line) => log.push(line) })
    const newest = 'SELECT max(last_updated_at) AS at FROM v_bioprocesses'
    try {
      await advances()
      await database.primary.kill()
      await vi.waitFor(
        () =>
          expect(log.join('\n')).toMatch(
            /The time of the plant does not advance for the moment; this server tries again\. /,
          ),
        { timeout: 10_000 },
      )
      const stopped = engine.plantTime()
      expect(await rowsOf(engine, newest)).toHaveLength(1)
      expect(engine.plantTime()).toBe(stopped)
      await database.primary.start()
      await advances()

      const change = (sql: string) =>
        database.primary.sql(`ALTER TABLE plant.timeseries_data ${sql}`, superuser, 'plant')
      await change('ADD CONSTRAINT nothing CHECK (false) NOT VALID')
      await vi.waitFor(() => expect(log.join('\n')).toMatch(/violates check constraint "nothing"/), {
        timeout: 10_000,
      })
      await change('DROP CONSTRAINT nothing')
      await advances()
    } finally {
      await engine.close()
    }
    await expectSimulated()
  }, 60_000)

  test('goes on in the plant that is loaded in its place', async () => {
    const engine = await open()
    try {
      await advances()
      await loadPlant(testPlant, { url: database.ownerUrl, version, threads: 1, restart: true })
      await advances()
    } finally {
      await engine.close()
    }
    await expectSimulated()
  }, 60_000)

  test('does not change if it is not at the time that the change starts from', async () => {
    const client = new pg.Client({ connectionString: database.ownerUrl })
    client.on('error', () => {})
    await client.connect()
    const [row] = await database.primary.sql('SELECT key FROM plant.load_state', superuser, 'plant')
    const advance = { key: String(row!['key']), from: 1, to: 2 }
    const steps = [{ sql: 'DELETE FROM plant.quantities' }]
    await expect(applySteps(client, layoutOf('public'), advance, steps)).rejects.toThrow(
      /Another program has changed the plant/,
    )
    await client.end()
    await expectSimulated()
  })

  test('is not advanced by a version that did not load it', async () => {
    const failure: Error | PostgresEngine = await open({ version: 'test' }).catch((error: Error) => error)
    expect(String(failure)).toMatch(
      /Version .* loaded the plant, .*Load it again with `fixtures load --restart`/,
    )
  })

  test.each([
    [
      'the role that reads',
      () => database.readerUrl(),
      /does not own the schema plant\. Name its owner in --live-database/,
    ],
    [
      'a standby',
      () => standby.url('loader', 'plant'),
      /is a standby, which nobody can write to\. Name the primary/,
    ],
    [
      'a database without a plant',
      () => database.primary.url('loader'),
      /contains no whole plant, .*Load it first/,
    ],
  ] as const)('does not start with %s as its owner', async (_, owner, message) => {
    const failure: Error | PostgresEngine = await open({ owner: owner() }).catch((error: Error) => error)
    expect(String(failure)).toMatch(message)
    expect(String(failure)).not.toContain(testPassword)
  })
})

/** A client that keeps the rows of three views by deltas, as docs/client.md describes. */
class DeltaClient {
  readonly #server: CliServer
  readonly #views = [
    ['v_bioprocess_quantity_data', 'id'],
    ['v_timeseries', 'id'],
    ['v_timeseries_data', 'id, timestamp'],
  ] as const
  readonly #rows = new Map<string, string>()
  readonly #twice: string[] = []
  #newest = new Map<string, string>()
  #stopped = false

  constructor(server: CliServer) {
    this.#server = server
  }

  stop(): void {
    this.#stopped = true
  }

  async run(): Promise<void> {
    while (!this.#stopped) for (const [view, key] of this.#views) await this.#read(view, key)
  }

  async #ask(statement: string): Promise<Record<string, string>[]> {
    const response = await fetch(`${this.#server.baseUrl}/external/v1/statements/`, {
      method: 'POST',
      headers: { authorization: 'Bearer live', 'content-type': 'application/json' },
      body: JSON.stringify({ statement }),
    })
    const { data, status } = (await response.json()) as { data: Record<string, string>[]; status: unknown }
    expect(status).toMatchObject({ state: 'success' })
    return data
  }

  async #read(view: string, key: string): Promise<void> {
    const since = this.#newest.get(view) ?? '-infinity'
    const rows = await this.#ask(
      `SELECT ${key}, last_updated_at FROM ${view} WHERE last_updated_at > '${since}'`,
    )
    for (const { last_updated_at: at, ...keys } of rows) {
      const name = `${view} ${Object.values(keys).join(' ')}`
      if (this.#rows.get(name) === at) this.#twice.push(name)
      this.#rows.set(name, at!)
      if (at! > (this.#newest.get(view) ?? '')) this.#newest.set(view, at!)
    }
  }

  /** Expects that the client has seen each change once, and the rows that the database has. */
  async expectComplete(database: TestDatabase): Promise<void> {
    const server = await startCliServer(['--database', database.readerUrl(), '--token', 'live'])
    const last = new DeltaClient(server)
    for (const [view, key] of this.#views) {
      // what came after the last delta
      await last.#read(view, key)
    }
    await server.stop()
    expect(this.#twice).toEqual([])
    const missing = [...last.#rows].filter(([name, at]) => {
      const view = name.split(' ')[0]!
      return at <= this.#newest.get(view)! && this.#rows.get(name) !== at
    })
    expect(missing).toEqual([])
    expect(this.#rows.size).toBeGreaterThan(1_000)
  }
}
