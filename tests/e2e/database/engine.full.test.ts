import { readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { createNodeEngine, type NodeEngine } from '../../../mock/node/pglite/index.ts'
import { rowsOf } from '../../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import type { PostgresEngine, PostgresEngineOptions } from '../../../mock/node/postgres/options.ts'
import { createSettings } from '../../../mock/open-points/settings.ts'
import { changeRows, viewChanges } from '../../../mock/engine/views/views.ts'
import { defaultSettings } from '../../../mock/open-points/settings.ts'
import {
  EngineBusy,
  engineSettingIds,
  type EngineSettings,
  type StatementEngine,
  StatementTimeout,
} from '../../../mock/statement.ts'
import { settingVariants } from '../../../schemas/open-points.ts'
import { views } from '../../../schemas/index.ts'
import { startOtherVersion } from '../support/postgres/other-version.ts'
import { expectDurations } from '../support/durations.ts'
import { loopbackCertificate } from '../support/loopback-certificate.ts'
import { TestProxy } from '../support/postgres/proxy.ts'
import {
  describeWithPostgres,
  superuser,
  TestDatabase,
  testPassword,
  testPlant,
} from '../support/postgres/index.ts'

/** Why an engine cannot start, without the password. */
const failing = async (url: string, options: Partial<PostgresEngineOptions> = {}) => {
  const error = await createPostgresEngine({ url, ...options }).then(
    () => undefined,
    (error: Error) => error,
  )
  expect(String(error)).not.toContain(testPassword)
  expect(String(error)).not.toContain(encodeURIComponent(testPassword))
  return String(error)
}

/** Runs what follows as if this time had passed, in milliseconds. */
const passing = (ms: number) => {
  const now = performance.now.bind(performance)
  vi.spyOn(performance, 'now').mockImplementation(() => now() + ms)
}

/** The rows of some statements, or why there are none. */
const answers = (engine: StatementEngine, settings: EngineSettings) =>
  Promise.all(
    [
      `SELECT q.id, q.Last_updated_at, '2025-06-01 12:00'::timestamptz AS noon FROM v_quantities q
        WHERE q.last_updated_at > '2000-01-01' ORDER BY 1 LIMIT 20`,
      'SELECT b.*, t.* FROM v_bioprocesses b JOIN v_timeseries t ON t.bioprocess_id = b.id ORDER BY t.id LIMIT 3',
      `SELECT 'NaN'::float8 AS nan, 0.1::numeric AS exact, 1e300::float8 AS large, NULL AS none`,
      'SELECT 1 AS a; SELECT 2 AS a',
      'SELECT none FROM v_units',
    ].map((statement) => rowsOf(engine, statement, { settings }).catch(String)),
  )

describeWithPostgres('the engine over one PostgreSQL', () => {
  let database: TestDatabase
  let engine: PostgresEngine
  const log: string[] = []
  const open = (options: Partial<PostgresEngineOptions> = {}) =>
    createPostgresEngine({ url: database.readerUrl(), log: (line) => log.push(line), ...options })
  /** Statements that run on the server for the role that reads. */
  const running = async () => {
    const rows = await database.primary.sql(
      `SELECT query FROM pg_stat_activity WHERE usename = 'bioprocess_reader' AND state = 'active'`,
    )
    return rows.length
  }
  const untilRunning = (n: number) =>
    vi.waitFor(async () => expect(await running()).toBe(n), { timeout: 30_000, interval: 20 })
  afterEach(() => void vi.restoreAllMocks())

  beforeAll(async () => {
    database = await TestDatabase.start([
      'max_connections=20',
      'superuser_reserved_connections=3',
      'logging_collector=on',
    ])
    await database.load()
    engine = await open({ connections: 3 })
  })
  afterAll(async () => {
    await engine?.close()
    await database?.stop()
  })

  test('says at the start what only the analysis denies, and that the connection is not encrypted', () => {
    expect(log.slice(0, 2)).toEqual([
      expect.stringMatching(
        /^At 127.0.0.1:\d+, the rights of bioprocess_reader permit nothing but to read\. Only the analysis of each statement .* temporary tables/,
      ),
      expect.stringMatching(/^Statements go to 127.0.0.1:\d+, not encrypted\.$/),
    ])
    expect(log.join()).not.toContain(testPassword)
  })

  describe('gives the bytes of the embedded engine', () => {
    let embedded: NodeEngine
    beforeAll(async () => {
      embedded = await createNodeEngine(testPlant)
    })
    afterAll(() => embedded?.close())

    test.each([
      'SELECT * FROM v_bioprocesses ORDER BY id',
      'SELECT * FROM v_timeseries_data ORDER BY id, timestamp',
      `SELECT ARRAY[1, NULL, 3] AS numbers, 'NaN'::float8 AS nan, 1e-7::float8 AS small, 0.10::numeric AS exact,
        DATE '2025-02-03' AS day, interval '1 day 2 hours' AS span, TIMESTAMP '2025-02-03 04:05' AS local,
        '\\x41'::bytea AS bytes, (SELECT NULL) AS nothing, NULL::jsonb AS json`,
      'SELECT t.*, b.* FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id ORDER BY t.id LIMIT 5',
    ])('for %s', async (statement) => {
      const textOf = async (engine: StatementEngine) => JSON.stringify(await rowsOf(engine, statement))
      expect(await textOf(engine)).toBe(await textOf(embedded))
    })

    test('for statements that have rows', async () => {
      const lengths = (await answers(engine, defaultSettings)).map(({ length }) => length)
      expect(lengths.slice(0, 3)).toEqual([20, 3, 1])
    })

    test('for a role with settings of its own', async () => {
      const settings = [
        `array_nulls = off`,
        `backslash_quote = off`,
        `datestyle = 'SQL, DMY'`,
        `default_transaction_isolation = serializable`,
        `exit_on_error = on`,
        `quote_all_identifiers = on`,
        `timezone = 'Asia/Tokyo'`,
        `timezone_abbreviations = 'India'`,
      ]
      const role = 'ALTER ROLE bioprocess_reader'
      for (const setting of settings) await database.primary.sql(`${role} SET ${setting}`)
      const own = await open({ connections: 1 })
      try {
        for (const statement of [
          `SELECT '{1, NULL}'::text[] AS list, E'\\'' AS quote, format('%I', 'a') AS name, '01/02/2025'::date AS day`,
          `SELECT '2025-01-01 12:00 EST'::timestamptz AS at`,
          `SELECT '2025-01-01 12:00 IST'::timestamptz AS at`,
          `SELECT 1 / 0`,
          `SELECT 1 AS one, current_setting('transaction_isolation') IS NULL`,
        ]) {
          const [here, there] = [own, embedded].map((each) => rowsOf(each, statement).catch(String))
          expect(await here, statement).toEqual(await there)
        }
        expect(own.status().ended).toEqual({ 'connection-closed': 0 })
      } finally {
        await own.close()
        await database.primary.sql(`${role} RESET ALL; ${role} SET default_transaction_read_only = on`)
      }
    })

    test.each(engineSettingIds)('with each variant of %s that changes no rows', async (id) => {
      for (const variant of settingVariants[id]) {
        const settings = createSettings({ [id]: variant })
        if (changeRows(viewChanges(settings)))
          await expect(rowsOf(engine, 'SELECT 1', { settings })).rejects.toThrow(/without --database/)
        else expect(await answers(engine, settings), variant).toEqual(await answers(embedded, settings))
      }
    })
  })

  test('refuses variants that change rows, and rows of sessions, with a sentence', async () => {
    const settings = { ...defaultSettings, 'qc.types': 'enum' } as const
    await expect(rowsOf(engine, 'SELECT 1', { settings })).rejects.toThrow(
      /Start the server without --database/,
    )
    const overlay = { id: 'x', changes: [] }
    await expect(rowsOf(engine, 'SELECT 1', { overlay })).rejects.toThrow(
      /Sessions cannot have rows of their own/,
    )
  })

  test('rounds, divides, sums and filters durations as the embedded engine does', () =>
    expectDurations((statement) => rowsOf(engine, statement)))

  test('calls syntax that the server is too old for a syntax error', async () => {
    const [row] = await database.primary.sql(`SELECT current_setting('server_version_num')::int AS version`)
    const answer = rowsOf(engine, 'SELECT 1_000 AS n')
    if (Number(row!['version']) >= 160_000) expect(await answer).toEqual([{ n: 1000 }])
    else await expect(answer).rejects.toMatchObject({ kind: 'syntax' })
    await expect(rowsOf(engine, 'SELECT 1 UNION SELECT 1, 2')).rejects.toMatchObject({ kind: 'other' })
  })

  test('ends a statement at the time limit, and on the server too', async () => {
    const hurried = await open({ timeLimitMs: 1_500 })
    await expect(rowsOf(hurried, 'SELECT pg_sleep(60)')).rejects.toBeInstanceOf(StatementTimeout)
    await untilRunning(0)
    await hurried.close()
  })

  test('lets a statement run on after its limit if the setting says so, and no longer than twice the limit', async () => {
    const own = await open({ timeLimitMs: 4_000 })
    // after a second, so that 4 s are left to see that it runs
    const options = { runsOn: true, limitShiftMs: -3_000 }
    await expect(rowsOf(own, 'SELECT pg_sleep(60)', options)).rejects.toBeInstanceOf(StatementTimeout)
    expect(await running()).toBe(1)
    await untilRunning(0)
    await vi.waitFor(() => expect(own.status().busy).toBe(0), 20_000)
    await own.close()
  })

  test('ends a statement when its client disconnects, and serves the next one', async () => {
    const client = new AbortController()
    const left = rowsOf(engine, 'SELECT pg_sleep(60)', { signal: client.signal })
    await untilRunning(1)
    client.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    await untilRunning(0)
    expect(await rowsOf(engine, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('lets the server wait for a slow reader, whose time does not count, and ends one that stalls', async () => {
    const many = `SELECT repeat('x', 1000) AS x FROM generate_series(1, 50000)`
    const read = async (pauseMs: number, limits: Partial<PostgresEngineOptions>) => {
      const own = await open({ ...limits, connections: 1 })
      try {
        const { chunks } = await own.execute(many, { signal: new AbortController().signal })
        let pages = 0
        for await (const _ of chunks) if (pages++ === 0) await sleep(pauseMs)
      } finally {
        expect(await rowsOf(own, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
        await own.close()
      }
    }
    const before = process.memoryUsage.rss()
    await Promise.all([
      read(6_000, { timeLimitMs: 5_000 }),
      expect(read(1_500, { readerLimitMs: 500 })).rejects.toThrow('The client stopped reading the rows.'),
    ])
    expect(process.memoryUsage.rss() - before).toBeLessThan(150e6)
  })

  test('answers more clients than it has connections', async () => {
    const statements = Array.from({ length: 200 }, (_, n) =>
      rowsOf(engine, `SELECT ${n} AS n`, { owner: `t${n % 7}` }),
    )
    expect(await Promise.all(statements)).toEqual(Array.from({ length: 200 }, (_, n) => [{ n }]))
    expect(engine.status()).toMatchObject({ busy: 0, waiting: 0 })
  })

  test('keeps serving with the connections that it has if the server gives no more', async () => {
    const taken = Array.from({ length: 9 }, () =>
      database.primary.sql('SELECT pg_sleep(60)', 'loader', 'plant').catch(() => {}),
    )
    const sleeping = `FROM pg_stat_activity WHERE usename = 'loader' AND state = 'active'`
    await vi.waitFor(async () => expect(await database.primary.sql(`SELECT ${sleeping}`)).toHaveLength(9), {
      timeout: 30_000,
    })
    const greedy = open({ connections: 10 })
    const answers = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, n) =>
        rowsOf(await greedy, `SELECT ${n} AS n, pg_sleep(0.1) IS NULL AS slept`),
      ),
    )
    await (await greedy.catch(() => undefined))?.close()
    await database.primary.sql(`SELECT pg_terminate_backend(pid) ${sleeping}`)
    await Promise.all(taken)
    expect(answers.filter(({ status }) => status === 'rejected')).toEqual([])
    expect(log.join()).toMatch(/Give it fewer --workers/)
  })

  test('tells the place of an error, and the hint', async () => {
    await expect(rowsOf(engine, "; SELECT '😀', nam FROM v_formulas")).rejects.toMatchObject({
      position: 15,
      hint: 'Perhaps you meant to reference the column "v_formulas.name".',
    })
    await expect(rowsOf(engine, 'SELECT 1 / 0')).rejects.toMatchObject({ position: 0, hint: '' })
  })

  test('gives the error of the database, not the time limit, for a statement that somebody else cancels', async () => {
    const cancelled = rowsOf(engine, 'SELECT pg_sleep(60)').catch((error: unknown) => error)
    await untilRunning(1)
    await database.primary.sql(
      `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE usename = 'bioprocess_reader' AND state = 'active'`,
    )
    expect(await cancelled).toMatchObject({ name: 'SqlError', kind: 'other', sqlState: '57014' })
  })

  test('keeps to one time limit for a statement that runs again after its connection was lost', async () => {
    const own = await open({ timeLimitMs: 60_000 })
    // succeeds if the limit begins again
    const sleeping = rowsOf(own, 'SELECT pg_sleep(30)').catch((error: unknown) => error)
    await untilRunning(1)
    passing(55_000)
    await database.primary.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bioprocess_reader' AND state = 'active'`,
    )
    expect(await sleeping).toBeInstanceOf(StatementTimeout)
    await own.close()
  })

  test('says that the database cannot be used, not that the statement was slow, if no host is back within the time limit', async () => {
    const proxied = await TestProxy.start(database.primary.port)
    const through = await open({ url: database.readerUrl(proxied), timeLimitMs: 60_000 })
    const sleeping = rowsOf(through, 'SELECT pg_sleep(60)').catch((error: unknown) => error)
    await untilRunning(1)
    proxied.isOpen = false
    passing(59_000)
    proxied.cut()
    expect(await sleeping).toMatchObject({
      name: 'EngineBusy',
      message: expect.stringMatching(/^The database cannot be used now\./),
    })
    proxied.stop()
    await through.close()
  })

  test('goes on when the server ends all its connections', async () => {
    await database.primary.sql(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'bioprocess_reader'`,
    )
    expect(await rowsOf(engine, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('serves views that are made of several tables', async () => {
    await database.primary.sql(
      [
        'CREATE SCHEMA derived',
        ...views.map(
          ({ name }) =>
            `CREATE VIEW derived.${name} AS SELECT * FROM bioprocess.${name} UNION ALL SELECT * FROM bioprocess.${name} WHERE false`,
        ),
        'GRANT USAGE ON SCHEMA derived TO bioprocess_reader',
        'GRANT SELECT ON ALL TABLES IN SCHEMA derived TO bioprocess_reader',
      ].join('; '),
      superuser,
      'plant',
    )
    const derived = await open({ schema: 'derived' })
    const count = 'SELECT count(*) AS n FROM v_timeseries_data'
    try {
      expect(await rowsOf(derived, count)).toEqual(await rowsOf(engine, count))
    } finally {
      await derived.close()
    }
  })

  describe('says why it cannot start and what to do', () => {
    test('with a wrong password', async () => {
      const url = database.readerUrl().replace(/:[^:@]*@/, ':another@')
      expect(await failing(url)).toMatch(
        /password authentication failed .* Check the user and the password in the URL/,
      )
    })
    test('without a password, and with an empty one', async () => {
      for (const password of ['', ':']) {
        const url = database.readerUrl().replace(/:[^:@]*@/, `${password}@`)
        expect(await failing(url)).toMatch(
          /cannot be used: it asks for a password\. Add the password to --database, or set PGPASSWORD\.$/,
        )
      }
    })
    test('with a role that does not exist', async () => {
      expect(await failing(database.primary.url('stranger', 'plant'))).toMatch(
        /Check the user and the password/,
      )
    })
    test('without the right to connect', async () => {
      await database.primary.sql('CREATE DATABASE closed')
      await database.primary.sql('REVOKE CONNECT ON DATABASE closed FROM PUBLIC')
      expect(await failing(database.primary.url('bioprocess_reader', 'closed'))).toMatch(
        /Grant the role the right to connect: GRANT CONNECT/,
      )
    })
    test('without a free connection', async () => {
      await database.primary.sql(`CREATE ROLE crowded LOGIN CONNECTION LIMIT 0 PASSWORD '${testPassword}'`)
      expect(await failing(database.primary.url('crowded', 'plant'))).toMatch(
        /too many connections for role "crowded"\. Give it fewer --workers/,
      )
    })
    test.each([14, 19])('with PostgreSQL %i', async (version) => {
      const other = await startOtherVersion(version)
      expect(await failing(other.url)).toMatch(
        new RegExp(`is PostgreSQL ${version}\\. Use a version from 15 to 18`),
      )
      await other.stop()
    })
    test('with a database that does not exist', async () => {
      expect(await failing(database.primary.url('bioprocess_reader', 'nowhere'))).toMatch(
        /Check the name of the database/,
      )
    })
    test('with a superuser', async () => {
      expect(await failing(database.primary.url(superuser, 'plant'))).toMatch(
        /is a superuser, and may only read\. .*CREATE ROLE bioprocess_reader/,
      )
    })
    test('without the views', async () => {
      expect(await failing(database.primary.url('loader', 'postgres'))).toMatch(
        /has no v_bioprocesses, .*Load it with `fixtures load --database`/,
      )
      expect(await failing(database.readerUrl(), { schema: 'lab' })).toMatch(
        /The schema lab .*another --schema/,
      )
    })
    test('without the right to read', async () => {
      await database.primary.sql(`CREATE ROLE nobody LOGIN PASSWORD '${testPassword}'`)
      expect(await failing(database.primary.url('nobody', 'plant'))).toMatch(
        /may not read v_.*GRANT SELECT ON bioprocess\.v_/,
      )
    })
    test('without a server, and with one that offers no TLS', async () => {
      expect(await failing('postgres://x@127.0.0.1:1/plant')).toMatch(/Nothing listens there/)
      expect(await failing(`${database.readerUrl()}?sslmode=require`)).toMatch(
        /Let the server offer TLS, or use sslmode=prefer/,
      )
    })
  })

  test('talks TLS, also to cancel, and refuses a certificate that it cannot verify', async () => {
    const certificate = await database.primary.offerTls(loopbackCertificate)
    const url = (parameters: string) => `${database.readerUrl()}?${parameters}`
    expect(await failing(url('sslmode=verify-full'))).toMatch(/self-signed certificate.*sslrootcert=FILE/)
    const own = await open({ url: url(`sslmode=verify-full&sslrootcert=${certificate}`), timeLimitMs: 1_500 })
    const [row] = await database.primary.sql(
      `SELECT count(*)::int AS n FROM pg_stat_ssl JOIN pg_stat_activity USING (pid) WHERE ssl AND usename = 'bioprocess_reader'`,
    )
    expect(row!['n']).toBe(1)
    await expect(rowsOf(own, 'SELECT pg_sleep(60)')).rejects.toBeInstanceOf(StatementTimeout)
    await untilRunning(0)
    await own.close()
  })

  test('encrypts the connection without sslmode where the server offers it, and with others as libpq does', async () => {
    const certificate = await database.primary.offerTls(loopbackCertificate)
    const encryption = async (parameters: string) => {
      const lines: string[] = []
      const own = await open({
        url: `${database.readerUrl()}?${parameters}`,
        log: (line) => lines.push(line),
      })
      await own.close()
      return lines.join().replace(/.*Statements go to [^,]*, /s, '')
    }
    for (const parameters of ['', 'sslmode=require'])
      expect(await encryption(parameters)).toBe('encrypted with TLSv1.3, the certificate not verified.')
    expect(await encryption(`sslmode=require&sslrootcert=${certificate}`)).toMatch(/certificate verified/)
    expect(await encryption(`sslmode=verify-ca&sslrootcert=${certificate}`)).toMatch(/certificate verified/)
    for (const parameters of ['sslmode=allow', 'sslmode=disable'])
      expect(await encryption(parameters)).toBe('not encrypted.')
    // pg_hba.conf that accepts only encrypted connections
    const file = await database.primary.sql('SHOW hba_file')
    const before = readFileSync(String(file[0]!['hba_file']), 'utf8')
    writeFileSync(String(file[0]!['hba_file']), before.replaceAll(/^host\b/gm, 'hostssl'))
    // a signal, because the superuser of the tests does not encrypt
    const reload = () => sleep(300, process.kill(database.primary.pid!, 'SIGHUP'))
    await reload()
    try {
      expect(await encryption('sslmode=allow')).toMatch(/^encrypted/)
      expect(await failing(`${database.readerUrl()}?sslmode=disable`)).toMatch(/no encryption/)
    } finally {
      writeFileSync(String(file[0]!['hba_file']), before)
      await reload()
    }
  })

  test('cancels statements through pgbouncer too', async () => {
    const pooler = await database.pooler(2)
    const own = await open({ url: database.readerUrl(pooler), timeLimitMs: 1_500, connections: 4 })
    const sleeping = Array.from({ length: 2 }, () =>
      expect(rowsOf(own, 'SELECT pg_sleep(60)')).rejects.toBeInstanceOf(StatementTimeout),
    )
    await Promise.all(sleeping)
    await untilRunning(0)
    expect(await rowsOf(own, 'SELECT 1 AS one')).toEqual([{ one: 1 }])
    await own.close()
  })

  test('ends statements that run when it closes', async () => {
    const own = await open({ connections: 1 })
    const sleeping = expect(rowsOf(own, 'SELECT pg_sleep(60)')).rejects.toBeInstanceOf(EngineBusy)
    await untilRunning(1)
    await own.close()
    await sleeping
  })

  test('cancels statements before the server has to end them', async () => {
    const [log] = await database.primary.sql('SELECT pg_read_file(pg_current_logfile()) AS text')
    expect(log!['text']).toContain('canceling statement due to user request')
    expect(log!['text']).not.toContain('canceling statement due to statement timeout')
  })
})
