import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { rowsOf } from '../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../mock/node/postgres/index.ts'
import type { PostgresEngine } from '../../mock/node/postgres/options.ts'
import { EngineBusy } from '../../mock/statement.ts'
import { describeWithPostgres, superuser, TestDatabase, type TestServer } from '../support/postgres/index.ts'

/** How far a standby is behind on purpose. */
const delay = 'recovery_min_apply_delay=1500ms'

/** The connections of the role that reads. */
const sessionsOf = async (server: TestServer) => {
  const [row] = await server.sql(
    `SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = 'bioprocess_reader'`,
  )
  return Number(row!['n'])
}

describeWithPostgres('the engine over a primary and two hot standbys', () => {
  let database: TestDatabase
  let standbys: readonly TestServer[]
  let engine: PostgresEngine
  const log: string[] = []
  const hosts = () => engine.status().hosts!
  const asked = (owner: string, statement = 'SELECT id FROM v_quantities LIMIT 3') =>
    rowsOf(engine, statement, { owner })

  beforeAll(async () => {
    database = await TestDatabase.start(['max_connections=60'])
    await database.load()
    standbys = [await database.standby('one'), await database.standby('two')]
    const url = database.readerUrl(database.primary, ...standbys)
    engine = await createPostgresEngine({ url, connections: 4, log: (line) => log.push(line) })
  })
  afterAll(async () => {
    await engine?.close()
    await database?.stop()
  })

  test('spreads the owners of statements over the standbys and leaves the primary alone', async () => {
    await Promise.all(
      Array.from({ length: 60 }, (_, n) => asked(`owner-${n % 12}`, `SELECT pg_sleep(0.05), ${n}`)),
    )
    const [primary, one, two] = await Promise.all([database.primary, ...standbys].map(sessionsOf))
    // one connection watches each host
    expect(primary).toBe(1)
    expect(one).toBeGreaterThan(1)
    expect(two).toBeGreaterThan(1)
    expect(hosts().map(({ isUp, inRecovery }) => [isUp, inRecovery])).toEqual([
      [true, false],
      [true, true],
      [true, true],
    ])
  })

  /** Sends statements at a steady rate. @returns how many failed, and when, in milliseconds after `since` */
  async function underLoad(perSecond: number, act: () => Promise<void>) {
    const failures: { at: number; error: unknown }[] = []
    const running: Promise<void>[] = []
    let sent = 0
    const over = new AbortController()
    const acting = act().finally(() => over.abort())
    while (!over.signal.aborted) {
      const n = sent++
      running.push(
        asked(`owner-${n % 5}`, `SELECT id, ${n} AS n FROM v_quantities LIMIT 3`).then(
          () => {},
          (error: unknown) => void failures.push({ at: n, error }),
        ),
      )
      await sleep(1000 / perSecond)
    }
    await acting
    await Promise.all(running)
    return { failures, sent }
  }

  test('loses no statement with a standby that is killed and started again under a hundred statements a second', async () => {
    const { failures, sent } = await underLoad(100, async () => {
      await sleep(500)
      await standbys[0]!.kill()
      await sleep(1_500)
      await standbys[0]!.start()
      await sleep(1_500)
    })
    expect(sent).toBeGreaterThan(150)
    // those in flight may fail, of which there are at most as many as connections to the host
    expect(failures.length).toBeLessThanOrEqual(4)
    for (const { error } of failures) expect(error).toBeInstanceOf(EngineBusy)
    expect(log.join('\n')).toMatch(/cannot be used: /)
    await vi.waitFor(() => expect(hosts().every(({ isUp }) => isUp)).toBe(true), { timeout: 5_000 })
  })

  test('reads on while the primary is down, and sees it come back', async () => {
    const { failures, sent } = await underLoad(50, async () => {
      await database.primary.kill()
      await vi.waitFor(() => expect(hosts()[0]!.isUp).toBe(false), { timeout: 10_000 })
      await sleep(500)
      await database.primary.start()
      await vi.waitFor(() => expect(hosts()[0]!.isUp).toBe(true), { timeout: 10_000 })
    })
    expect(sent).toBeGreaterThan(20)
    expect(failures).toEqual([])
  })

  test('cuts an answer off when its host is lost in the middle of it', async () => {
    const { chunks } = await engine.execute(`SELECT repeat('x', 1000) AS x FROM generate_series(1, 300000)`, {
      signal: new AbortController().signal,
      owner: 'reader of much',
    })
    const read = async () => {
      let isFirst = true
      for await (const _ of chunks) {
        if (isFirst) await Promise.all(standbys.map((standby) => standby.kill()))
        isFirst = false
      }
    }
    await expect(read()).rejects.toThrow('The database host was lost. Send the statement again in a moment.')
    await Promise.all(standbys.map((standby) => standby.start()))
  })

  test('answers with 503 while all hosts are lost, and serves again when one is back', async () => {
    const all = [database.primary, ...standbys]
    await Promise.all(all.map((server) => server.kill()))
    await expect(asked('owner')).rejects.toBeInstanceOf(EngineBusy)
    await Promise.all(all.map((server) => server.start()))
    await vi.waitFor(() => asked('owner'), { timeout: 15_000, interval: 100 })
    await vi.waitFor(() => expect(hosts().every(({ isUp }) => isUp)).toBe(true), { timeout: 10_000 })
  })

  test('shows the lag of a standby, and never lets the deltas of a client go backwards', async () => {
    const late = await database.standby('late', [delay])
    const own = await createPostgresEngine({
      url: database.readerUrl(database.primary, standbys[1]!, late),
      connections: 4,
    })
    const end = new AbortController()
    const writes = (async () => {
      while (!end.signal.aborted) {
        await database.primary.sql(
          `UPDATE plant.quantities SET last_updated_at = clock_timestamp() WHERE id = (SELECT min(id) FROM plant.quantities)`,
          superuser,
          'plant',
        )
        await sleep(10)
      }
    })()
    const newest = new Map<string, string>()
    let [backwards, read] = [0, 0]
    const newestOf = async (owner: string) => {
      // of two statements at a time, either may be the earlier one
      const before = newest.get(owner) ?? ''
      const [row] = (await rowsOf(own, 'SELECT max(last_updated_at) AS at FROM v_quantities', { owner })) as {
        at: string
      }[]
      read++
      if (row!.at < before) backwards++
      if (row!.at > (newest.get(owner) ?? '')) newest.set(owner, row!.at)
    }
    try {
      await vi.waitFor(
        () =>
          expect(
            own.status().hosts!.some(({ lagBytes, lagSeconds }) => lagBytes > 0 && lagSeconds > 0.5),
          ).toBe(true),
        { timeout: 10_000, interval: 100 },
      )
      // several statements of an owner at a time, so that the host it used last is often busy
      const deadline = Date.now() + 30_000
      for (let round = 0; round < 417 && Date.now() < deadline; round++)
        await Promise.all(Array.from({ length: 24 }, (_, n) => newestOf(`owner-${n % 3}`)))
      expect(backwards).toBe(0)
      expect(read).toBeGreaterThan(1_000)
      console.log(`deltas: ${read}, backwards: ${backwards}`)
    } finally {
      end.abort()
      await writes
      await own.close()
    }
  }, 90_000)
})
