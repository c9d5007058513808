import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import type { PostgresEngine } from '../../../mock/node/postgres/options.ts'
import { EngineBusy } from '../../../mock/statement.ts'
import { describeWithPostgres, TestDatabase, type TestServer } from '../support/postgres/index.ts'

/** The connections of the role that reads. */
const sessionsOf = async (server: TestServer) => {
  const [row] = await server.sql(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'bioprocess_reader'`,
  )
  return Number(row!['n'])
}

const ask = (engine: PostgresEngine, statement = 'SELECT id FROM v_quantities LIMIT 3') =>
  rowsOf(engine, statement)

/** Sends statements at a steady rate while something happens. */
async function underLoad(engine: PostgresEngine, perSecond: number, act: () => Promise<void>) {
  const failures: unknown[] = []
  const running: Promise<void>[] = []
  const over = new AbortController()
  const acting = act().finally(() => over.abort())
  while (!over.signal.aborted) {
    const statement = `SELECT id, ${running.length} AS n FROM v_quantities LIMIT 3`
    running.push(
      ask(engine, statement).then(
        () => {},
        (error: unknown) => void failures.push(error),
      ),
    )
    await sleep(1000 / perSecond)
  }
  await acting
  await Promise.all(running)
  return { failures, sent: running.length }
}

describeWithPostgres('the engine over several hosts', () => {
  let database: TestDatabase
  let standbys: readonly TestServer[]
  const log: string[] = []
  const open = (...servers: readonly { readonly port: number }[]) =>
    createPostgresEngine({
      url: database.readerUrl(...servers),
      connections: 4,
      log: (line) => log.push(line),
    })

  beforeAll(async () => {
    database = await TestDatabase.start(['max_connections=60'])
    await database.load()
    standbys = [await database.standby('one'), await database.standby('two')]
  })
  afterAll(() => database?.stop())

  test('asks the first host of the URL, and says whether the connection is encrypted', async () => {
    const engine = await open(standbys[0]!, database.primary)
    await Promise.all(Array.from({ length: 60 }, (_, n) => ask(engine, `SELECT pg_sleep(0.02), ${n}`)))
    expect(await sessionsOf(standbys[0]!)).toBe(4)
    expect(await sessionsOf(database.primary)).toBe(0)
    expect(log).toContain(`Statements go to 127.0.0.1:${standbys[0]!.port}, not encrypted.`)
    await engine.close()
  })

  test('starts with the next host if the first one does not answer, and says why', async () => {
    await standbys[0]!.kill()
    const engine = await open(standbys[0]!, standbys[1]!)
    expect(await ask(engine)).toHaveLength(3)
    expect(log.join('\n')).toMatch(
      new RegExp(
        `:${standbys[0]!.port} cannot be used: .*\nStatements go to 127.0.0.1:${standbys[1]!.port},`,
      ),
    )
    await engine.close()
    await standbys[0]!.start()
  })

  test('loses no statement with a standby that is killed and started again under a hundred statements a second', async () => {
    const engine = await open(...standbys, database.primary)
    const { failures, sent } = await underLoad(engine, 100, async () => {
      await sleep(300)
      await standbys[0]!.kill()
      await sleep(1_000)
      await standbys[0]!.start()
      await standbys[1]!.kill()
      await sleep(1_000)
      await standbys[1]!.start()
    })
    expect(sent).toBeGreaterThan(100)
    expect(failures).toEqual([])
    await engine.close()
  })

  test('cuts an answer off when its host is lost in the middle of it', async () => {
    const engine = await open(...standbys)
    const { chunks } = await engine.execute(`SELECT repeat('x', 1000) AS x FROM generate_series(1, 300000)`, {
      signal: new AbortController().signal,
    })
    const read = async () => {
      let isFirst = true
      for await (const _ of chunks) {
        if (isFirst) await standbys[0]!.kill()
        isFirst = false
      }
    }
    await expect(read()).rejects.toThrow('The database host was lost. Send the statement again in a moment.')
    await standbys[0]!.start()
    await engine.close()
  })

  test('answers with 503 while all hosts are lost, and serves again when one is back', async () => {
    const engine = await open(...standbys)
    await Promise.all(standbys.map((server) => server.kill()))
    const refused = await ask(engine).catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(EngineBusy)
    expect(String(refused)).toMatch(/The database cannot be used now\..* Send the statement again/)
    await Promise.all(standbys.map((server) => server.start()))
    await vi.waitFor(() => ask(engine), { timeout: 15_000, interval: 100 })
    await engine.close()
  })

  test('leaves a host that accepts connections and is silent', async () => {
    const engine = await open(...standbys)
    await ask(engine)
    const { pid } = standbys[0]!
    // the server and its sessions, which are processes of their own
    const stopped = await standbys[0]!.sql(
      `SELECT pid FROM pg_stat_activity WHERE usename = 'bioprocess_reader'`,
    )
    const all = [pid!, ...stopped.map((row) => Number(row['pid']))]
    for (const each of all) process.kill(each, 'SIGSTOP')
    try {
      expect(await ask(engine)).toHaveLength(3)
      expect(log.at(-1)).toContain(`Statements go to 127.0.0.1:${standbys[1]!.port}`)
    } finally {
      for (const each of all) process.kill(each, 'SIGCONT')
      await engine.close()
    }
  })

  test('loses no statement when the primary dies and a standby is promoted', async () => {
    const engine = await open(database.primary, standbys[1]!)
    await ask(engine)
    const { failures, sent } = await underLoad(engine, 100, async () => {
      await sleep(300)
      await database.primary.kill()
      await sleep(500)
      await standbys[1]!.sql('SELECT pg_promote()')
      await sleep(1_000)
    })
    expect(sent).toBeGreaterThan(100)
    expect(failures).toEqual([])
    await engine.close()
  })
})
