import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import type { PostgresEngine, PostgresEngineOptions } from '../../../mock/node/postgres/options.ts'
import { createSettings } from '../../../mock/open-points/settings.ts'
import type { StatementResult } from '../../../mock/statement.ts'
import { TestProxy } from '../support/postgres/proxy.ts'
import { describeWithPostgres, superuser, TestDatabase } from '../support/postgres/index.ts'

const failureOf = (engine: PostgresEngine, statement: string) =>
  rowsOf(engine, statement).then(
    () => undefined,
    (error: unknown) => error,
  )

const readAll = async ({ chunks }: StatementResult) => {
  for await (const _ of chunks);
}

describeWithPostgres('the engine over a database that is degraded', () => {
  let database: TestDatabase
  const log: string[] = []
  const sql = (text: string) => database.primary.sql(text, superuser, 'plant')
  const open = (options: Partial<PostgresEngineOptions> = {}) =>
    createPostgresEngine({
      url: database.readerUrl(),
      connections: 1,
      log: (line) => log.push(line),
      ...options,
    })
  /** An engine that started before a change, and whose next statement opens another connection. */
  const openBefore = async (change: string) => {
    const engine = await open()
    await sql(change)
    await sql(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bioprocess_reader'`)
    return engine
  }

  beforeAll(async () => {
    database = await TestDatabase.start()
    await database.load()
    await database.primary.sql('ALTER DATABASE plant SET search_path = bioprocess')
  })
  afterAll(() => database?.stop())

  test('reads the other views while one is missing, and says so in the log and its status', async () => {
    const engine = await openBefore('ALTER VIEW v_experiments RENAME TO v_gone')
    try {
      expect(await rowsOf(engine, 'SELECT count(*) > 0 AS some FROM v_quantities')).toEqual([{ some: true }])
      expect(await failureOf(engine, 'SELECT * FROM v_experiments')).toMatchObject({
        kind: 'unknown-relation',
        relation: 'v_experiments',
      })
      expect(log.at(-1)).toMatch(/^Statements go to .* has no v_experiments\. Load it/)
      expect(engine.status().problem).toMatch(/has no v_experiments/)
    } finally {
      await sql('ALTER VIEW v_gone RENAME TO v_experiments')
      await engine.close()
    }
  })

  test('reads the other views while one may not be read', async () => {
    const engine = await openBefore('REVOKE SELECT ON v_experiments FROM bioprocess_reader')
    try {
      expect(await rowsOf(engine, 'SELECT count(*) > 0 AS some FROM v_quantities')).toEqual([{ some: true }])
      expect(await failureOf(engine, 'SELECT * FROM v_experiments')).toMatchObject({ sqlState: '42501' })
      expect(engine.status().problem).toMatch(/may not read v_experiments/)
    } finally {
      await sql('GRANT SELECT ON v_experiments TO bioprocess_reader')
      await engine.close()
    }
  })

  test('does not start while a view is missing', async () => {
    await sql('ALTER VIEW v_experiments RENAME TO v_gone')
    await expect(open()).rejects.toThrow(/has no v_experiments\. Load it/)
    await sql('ALTER VIEW v_gone RENAME TO v_experiments')
  })

  test('runs a statement again whose views are replaced meanwhile, so that prefixes name their views', async () => {
    const engine = await open()
    const settings = createSettings({ 'rows.shape': 'prefixed' })
    const statement = 'SELECT q.id, f.id FROM v_quantities q, v_formulas f LIMIT 1'
    const replacing = sql(
      `DROP VIEW v_formulas; CREATE VIEW v_formulas AS TABLE plant.formulas;
       GRANT SELECT ON v_formulas TO bioprocess_reader; SELECT pg_sleep(1)`,
    )
    await vi.waitFor(
      async () =>
        expect(await sql(`SELECT FROM pg_stat_activity WHERE query LIKE 'DROP VIEW%'`)).toHaveLength(1),
      { timeout: 10_000, interval: 10 },
    )
    const [row] = await rowsOf(engine, statement, { settings })
    expect(Object.keys(row as object)).toEqual(['q.id', 'f.id'])
    await replacing
    await engine.close()
  })

  test('says why it answers no statement of a role that gained a right', async () => {
    const engine = await openBefore('ALTER ROLE bioprocess_reader CREATEDB')
    try {
      expect(await failureOf(engine, 'SELECT 1')).toMatchObject({
        name: 'EngineBusy',
        message: expect.stringMatching(/^The database cannot be used now\. The log of the server says why\./),
        cause: { message: expect.stringMatching(/may create roles or databases/) },
      })
      expect(engine.status().problem).toMatch(/may create roles or databases/)
    } finally {
      await sql('ALTER ROLE bioprocess_reader NOCREATEDB')
      await engine.close()
    }
  })

  test('answers a statement although all connections were lost together, behind one address', async () => {
    const proxied = await TestProxy.start(database.primary.port)
    const engine = await open({ url: database.readerUrl(proxied), connections: 4 })
    await Promise.all([1, 2, 3, 4].map(() => rowsOf(engine, 'SELECT pg_sleep(0.5)')))
    proxied.cutLater()
    expect(await rowsOf(engine, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await engine.close()
    proxied.stop()
  })

  test('does not say that a statement was slow if the database has begun nothing at the time limit', async () => {
    const proxied = await TestProxy.start(database.primary.port)
    const engine = await open({ url: database.readerUrl(proxied), timeLimitMs: 500 })
    proxied.answer = () => new Uint8Array(0)
    expect(String(await failureOf(engine, 'SELECT 1'))).toMatch(
      /^EngineBusy: The database cannot be used now\./,
    )
    proxied.stop()
    await engine.close()
  })

  test('counts a connection as used until the database has ended its statement, which some functions delay', async () => {
    const engine = await open({ connections: 3, timeLimitMs: 1_500 })
    const other = () => rowsOf(engine, 'SELECT 1 AS one', { owner: 'other' })
    const long = `SELECT length(translate(repeat('é', 20000), repeat('ü', 100000), ''))`
    const greedy = () => rowsOf(engine, long, { owner: 'greedy' }).catch((error: unknown) => error)
    await other()
    const late = { name: 'StatementTimeout' }
    expect(await Promise.all([greedy(), greedy()])).toMatchObject([late, late])
    const third = greedy()
    expect(await other()).toEqual([{ one: 1 }])
    expect(await third).toMatchObject({ name: 'EngineBusy' })
    const running = `SELECT FROM pg_stat_activity WHERE usename = 'bioprocess_reader' AND state = 'active'`
    expect(await sql(running)).toHaveLength(2)
    await vi.waitFor(() => expect(engine.status().busy).toBe(0), { timeout: 60_000, interval: 200 })
    expect(await sql(running)).toEqual([])
    await engine.close()
  }, 90_000)

  test('takes a connection of a stalled reader if another statement waits, before that one is refused', async () => {
    const engine = await open({ connections: 2 })
    const many = `SELECT repeat('x', 1000) AS x FROM generate_series(1, 200000)`
    const stalled = await Promise.all(
      [1, 2].map(() => engine.execute(many, { signal: new AbortController().signal })),
    )
    expect(await rowsOf(engine, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    const outcomes = await Promise.allSettled(stalled.map(readAll))
    const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(reasons).toMatchObject([{ name: 'ReaderStalled' }])
    await engine.close()
  })
})
