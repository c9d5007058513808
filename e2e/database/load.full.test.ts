import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSettings } from '../../mock/open-points/settings.ts'
import { rowsOf } from '../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../mock/node/postgres/index.ts'
import { loadPlant } from '../../mock/node/postgres/load/load-plant.ts'
import { builtCli, end, finished } from '../support/cli.ts'
import { describeWithPostgres, superuser, TestDatabase, testPassword } from '../support/postgres/index.ts'
import { startOtherVersion } from '../support/postgres/other-version.ts'
import { SmallDisk } from '../support/postgres/small-disk.ts'

const probe = SmallDisk.create(1)
probe?.remove()
if (!probe)
  console.warn('A test with a full disk is skipped: it needs the right to mount one, which root has.')
const testWithSmallDisk = probe ? test : test.skip

/** Starts a load. */
const startInto = (url: string, flags: readonly string[]) =>
  spawn(process.execPath, [builtCli, 'fixtures', 'load', '--database', url, ...flags], {
    env: { ...process.env, BIOPROCESS_SQL_READER_PASSWORD: testPassword },
  })
const loadInto = (url: string) => finished(startInto(url, ['--scale', '0.01']))

describeWithPostgres('fixtures load', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await TestDatabase.start()
  })
  afterAll(() => database?.stop())

  /** A new, empty database. */
  const create = async (name: string) => {
    await database.primary.sql(`CREATE DATABASE ${name} OWNER loader`)
    return name
  }
  const start = (name: string, flags: readonly string[], role = 'loader') =>
    startInto(database.primary.url(role, name), flags)
  const load = async (name: string, ...flags: string[]) => {
    const result = await finished(start(name, ['--scale', '0.01', ...flags]))
    expect(result.stdout + result.stderr).not.toContain(testPassword)
    return result
  }
  const count = async (name: string, sql: string) =>
    Number((await database.primary.sql(`SELECT count(*)::int AS n FROM ${sql}`, superuser, name))[0]!['n'])
  /** The sessions of a load, and those that copy rows at the moment. */
  const sessions = (name: string, condition = 'true') =>
    count(name, `pg_stat_activity WHERE datname = '${name}' AND usename = 'loader' AND ${condition}`)
  const copying = (name: string) => sessions(name, `query LIKE 'COPY%'`)
  const waitsForLock = (name: string, condition = 'true') =>
    vi.waitFor(
      async () => expect(await sessions(name, `wait_event_type = 'Lock' AND ${condition}`)).toBe(1),
      { timeout: 60_000, interval: 10 },
    )
  /** Begins a transaction that keeps the locks of a statement until its connection ends. */
  const hold = async (name: string, role: string, statement: string) => {
    const client = new pg.Client({ connectionString: database.primary.url(role, name) })
    client.on('error', () => {})
    await client.connect()
    await client.query(`BEGIN; ${statement}`)
    return client
  }
  const viewsOf = (name: string) =>
    count(name, `pg_views WHERE viewname LIKE 'v\\_%' AND schemaname = 'public'`)

  test('replaces the plant of a server that runs, whose statements see one or the other', async () => {
    const name = await create('replaced')
    await load(name)
    const url = database.primary.url('bioprocess_reader', name)
    const engine = await createPostgresEngine({ url })
    // prefixes tell which view each column is from
    const settings = createSettings({ 'rows.shape': 'prefixed' })
    const statement =
      'SELECT b.id, t.id FROM v_bioprocesses b JOIN v_timeseries t ON t.bioprocess_id = b.id LIMIT 1'
    const keys = async () => Object.keys((await rowsOf(engine, statement, { settings }))[0] as object)
    expect(await keys()).toEqual(['b.id', 't.id'])
    const loading = load(name, '--seed', '2', '--restart')
    const over = loading.then(() => true)
    let read = 0
    for (; !(await Promise.race([over, sleep(20, false)])); read++)
      expect(await keys()).toEqual(['b.id', 't.id'])
    expect(read).toBeGreaterThan(10)
    expect(await loading).toMatchObject({ exitCode: 0 })
    expect(await keys()).toEqual(['b.id', 't.id'])
    expect(await count(name, `pg_namespace WHERE nspname LIKE 'plant%'`)).toBe(1)
    await engine.close()
  })

  test('lets a server answer while a long statement keeps the load from replacing the plant', async () => {
    const name = await create('kept')
    await load(name)
    const engine = await createPostgresEngine({ url: database.primary.url('bioprocess_reader', name) })
    const long = await hold(name, 'bioprocess_reader', 'SELECT count(*) FROM v_formulas')
    let over = false
    const loading = load(name, '--seed', '2', '--restart').finally(() => (over = true))
    for (let tries = 0; tries < 4; tries++) {
      await waitsForLock(name)
      expect(await rowsOf(engine, 'SELECT count(*) > 0 AS some FROM v_bioprocesses')).toEqual([
        { some: true },
      ])
    }
    expect(over).toBe(false)
    await long.end()
    expect(await loading).toMatchObject({ exitCode: 0 })
    expect(await count(name, `plant.load_state WHERE key LIKE '%"seed":2,%'`)).toBe(1)
    await engine.close()
  }, 180_000)

  test('ends with a remedy where others keep the load from replacing the plant, and leaves it', async () => {
    const name = await create('occupied')
    const options = { url: database.primary.url('loader', name), version: '0', patienceMs: 1 }
    const dataset = { seed: 1, scale: 0.01 }
    await loadPlant(dataset, options)
    const long = await hold(name, superuser, 'SELECT count(*) FROM v_formulas')
    await expect(loadPlant(dataset, { ...options, version: '1', restart: true })).rejects.toThrow(
      /^Others hold locks on the plant\. End their transactions, which pg_stat_activity lists, and run/,
    )
    await long.end()
    expect(await count(name, `plant.load_state WHERE key LIKE '%"version":"0"%'`)).toBe(1)
    await loadPlant(dataset, { ...options, version: '1', restart: true })
  })

  test('loads whatever time limits its role has', async () => {
    const name = await create('limited')
    await load(name)
    const limits = { statement_timeout: '1s', lock_timeout: '1s', idle_in_transaction_session_timeout: '1ms' }
    for (const [limit, value] of Object.entries(limits))
      await database.primary.sql(`ALTER ROLE loader IN DATABASE ${name} SET ${limit} = '${value}'`)
    const holder = await hold(name, superuser, 'LOCK TABLE plant.load_state')
    const loading = load(name, '--restart')
    await Promise.race([
      waitsForLock(name, `clock_timestamp() > query_start + interval '2 s'`),
      loading.then(({ stderr }) => expect(stderr).toBe('The load waits.')),
    ])
    await holder.end()
    expect(await loading).toMatchObject({ exitCode: 0 })
  })

  test('loads a plant that serve can read, and changes nothing when it runs again', async () => {
    const name = await create('whole')
    expect(await load(name)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/Loaded \d+ rows\.\n$/),
    })
    expect((await load(name)).stderr).toContain('This plant is loaded already; nothing was changed.')
    const engine = await createPostgresEngine({ url: database.primary.url('bioprocess_reader', name) })
    await engine.close()
  })

  test.each(['SIGKILL', 'SIGINT'] as const)('leaves nothing when it ends by %s', async (signal) => {
    const name = await create(`ended_by_${signal.toLowerCase()}`)
    const loading = start(name, ['--scale', '0.2'])
    const over = finished(loading).catch((error: Error) => error)
    await vi.waitFor(async () => expect(await copying(name)).toBe(1), { timeout: 60_000, interval: 10 })
    loading.kill(signal)
    const result = await over
    if (signal === 'SIGINT')
      expect(result).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('Nothing was loaded') })
    await vi.waitFor(async () => expect(await sessions(name)).toBe(0), { timeout: 10_000 })
    expect(await count(name, `pg_namespace WHERE nspname = 'plant'`)).toBe(0)
    expect(await viewsOf(name)).toBe(0)
    expect(await load(name)).toMatchObject({ exitCode: 0 })
  })

  test('loads nothing when it is interrupted before the first row', async () => {
    const name = await create('early')
    const interrupted = new Error('interrupted')
    const options = { url: database.primary.url('loader', name), version: '0' }
    const dataset = { seed: 1, scale: 0.01 }
    await expect(loadPlant(dataset, { ...options, signal: AbortSignal.abort(interrupted) })).rejects.toBe(
      interrupted,
    )
    expect(await viewsOf(name)).toBe(0)
    expect(await loadPlant(dataset, options)).toBeGreaterThan(1_000)
  })

  test('refuses a database with other tables unless it is told a schema, and leaves them alone', async () => {
    const name = await create('others')
    await database.primary.sql('CREATE TABLE orders AS SELECT 1 AS id', superuser, name)
    expect(await load(name)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/has other tables, such as public\.orders\. .*--schema/),
    })
    expect(await load(name, '--schema', 'lab')).toMatchObject({ exitCode: 0 })
    expect(await count(name, 'orders')).toBe(1)
    const url = database.primary.url('bioprocess_reader', name)
    const engine = await createPostgresEngine({ url, schema: 'lab' })
    const { chunks } = await engine.execute('SELECT count(*) > 0 AS some FROM v_bioprocesses', {
      signal: new AbortController().signal,
    })
    for await (const chunk of chunks) expect(new TextDecoder().decode(chunk)).toBe('{"some":true}')
    await engine.close()
  })

  test('refuses another plant in its place, and replaces it with --restart', async () => {
    const name = await create('another')
    await load(name)
    expect(await load(name, '--seed', '2')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/contains another plant: \{"seed":1.*--restart/),
    })
    expect(await load(name, '--seed', '2', '--restart')).toMatchObject({ exitCode: 0 })
  })

  test('refuses to drop what others made', async () => {
    const name = await create('of_others')
    const sql = (text: string) => database.primary.sql(text, superuser, name)
    await load(name)
    await load(name, '--schema', 'lab')
    await sql('CREATE SCHEMA other')
    const foreign = [
      ['TABLE', 'lab_plant.notes', '(id int)'],
      ['FUNCTION', 'lab_plant.mine()', 'RETURNS int LANGUAGE sql AS $$ SELECT 1 $$'],
      ['VIEW', 'lab_plant.sums', 'AS SELECT 1 AS one'],
      ['TYPE', 'lab_plant.mood', `AS ENUM ('good')`],
      ['SEQUENCE', 'lab_plant.numbers', ''],
      ['VIEW', 'other.names', 'AS SELECT name FROM lab.v_quantities'],
      ['MATERIALIZED VIEW', 'other.counts', 'AS SELECT count(*) FROM lab_plant.quantities'],
      [
        'FUNCTION',
        'other.all_of_them()',
        'RETURNS SETOF lab.v_quantities LANGUAGE sql AS $$ SELECT (NULL::lab.v_quantities).* $$',
      ],
    ] as const
    for (const [kind, object, definition] of foreign) {
      await sql(`CREATE ${kind} ${object} ${definition}`)
      expect(await load(name, '--schema', 'lab', '--restart')).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining(
          `--restart would drop ${kind.toLowerCase()} ${object}, which \`fixtures load\` did not make.`,
        ),
      })
      // fails if it is gone
      await sql(`DROP ${kind} ${object}`)
    }
    await sql('CREATE TABLE plant.notes (id int)')
    expect((await load(name, '--schema', 'public', '--restart')).stderr).toMatch(
      /would drop table plant\.notes, .* Move it out of the schema plant, or drop it, or name another --schema\./,
    )
    await sql('CREATE FUNCTION other.size(lab.v_quantities[]) RETURNS int LANGUAGE sql AS $$ SELECT 1 $$')
    expect((await load(name, '--schema', 'lab', '--restart')).stderr).toMatch(
      /^bioprocess-sql: Others made .* depends on the plant\. Drop it, .* Nothing was loaded: .*function other\.size\(/m,
    )
    await sql('DROP FUNCTION other.size')
    await sql('CREATE INDEX ON lab_plant.quantities (name)')
    expect(await load(name, '--schema', 'lab', '--restart')).toMatchObject({ exitCode: 0 })
    await sql('DROP VIEW lab.v_formulas; CREATE VIEW lab.v_formulas AS SELECT 1 AS one')
    expect((await load(name, '--schema', 'lab', '--restart')).stderr).toMatch(
      /has v_formulas already, which `fixtures load` did not make/,
    )
  }, 180_000)

  test('keeps the rights on the views of a plant that is replaced', async () => {
    const name = await create('granted')
    const sql = (text: string) => database.primary.sql(text, superuser, name)
    await load(name)
    await sql(
      `CREATE ROLE "a reporter"; GRANT SELECT ON public.v_quantities TO "a reporter" WITH GRANT OPTION;
       GRANT SELECT ON public.v_timeseries TO PUBLIC; GRANT SELECT (id, name) ON public.v_formulas TO "a reporter"`,
    )
    const rights = () =>
      sql(
        `SELECT attrelid::regclass::text AS view, attname AS column, relacl::text, attacl::text FROM pg_attribute
         JOIN pg_class c ON c.oid = attrelid WHERE relname LIKE 'v!_%' ESCAPE '!' AND attnum > 0 ORDER BY 1, 2`,
      )
    const before = await rights()
    expect(JSON.stringify(before)).toContain('a reporter')
    expect(await load(name, '--restart')).toMatchObject({ exitCode: 0 })
    expect(await rights()).toEqual(before)
  })

  test('names what a plant lacks that is loaded already, and restores it with --restart', async () => {
    const name = await create('incomplete')
    const sql = (text: string) => database.primary.sql(text, superuser, name)
    await load(name)
    const complete = () => expect(load(name)).resolves.toMatchObject({ exitCode: 0 })
    const lacks = async (what: RegExp, ...flags: string[]) => {
      const { exitCode, stdout, stderr } = await load(name, ...flags)
      expect([exitCode, stdout + stderr]).toEqual([1, expect.stringMatching(what)])
      expect(stderr).toMatch(/with --restart|REVOKE/)
    }
    await lacks(/the role nobody_yet does not exist/, '--reader', 'nobody_yet')
    await sql('REVOKE SELECT ON public.v_quantities FROM bioprocess_reader')
    await lacks(/the role bioprocess_reader may not read v_quantities\./)
    await sql('DROP VIEW public.v_formulas, public.v_experiments')
    await lacks(/the schema public has no v_formulas, v_experiments\./)
    await sql('GRANT CREATE ON SCHEMA public TO bioprocess_reader')
    await lacks(/has the right CREATE on schema public/)
    await sql('REVOKE CREATE ON SCHEMA public FROM bioprocess_reader')
    expect(await load(name, '--restart')).toMatchObject({ exitCode: 0 })
    await complete()
  })

  test.each(['load', 'serve'])('ends %s at once where the password is missing', async (command) => {
    const url = database.primary.url('loader').replace(/:[^:@]*@/, '@')
    const args = command === 'load' ? ['fixtures', 'load'] : ['serve', '--listen', '127.0.0.1:0']
    const child = spawn(process.execPath, [builtCli, ...args, '--database', url], {
      env: { ...process.env, PGPASSWORD: '', PGPASSFILE: '/dev/null' },
      // the server ends such a connection after a minute
      timeout: 30_000,
    })
    const { exitCode, stderr } = await finished(child)
    expect([exitCode, stderr]).toEqual([expect.any(Number), expect.stringContaining('asks for a password')])
  })

  test('says which right is missing', async () => {
    const name = await create('rights')
    await database.primary.sql(`CREATE ROLE plain LOGIN PASSWORD '${testPassword}'`)
    const result = await finished(start(name, ['--scale', '0.01', '--reader', 'somebody'], 'plain'))
    expect(result.exitCode).toBe(1)
    expect(result.stderr).toMatch(/may not create (views|roles)/)
  })

  test('refuses a version that is not supported, and a wrong password', async () => {
    const other = await startOtherVersion(14)
    expect(await loadInto(other.url)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/is PostgreSQL 14\. Use a version from 15 to 18/),
    })
    await other.stop()
    const url = database.primary.url('loader').replace(/:[^:@]*@/, ':another@')
    expect(await loadInto(url)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/Check the user and the password in the URL, or PGPASSWORD/),
    })
  })

  testWithSmallDisk(
    'names the remedy when the disk is full, loads nothing, and succeeds once there is room',
    async () => {
      const [name, disk] = ['crammed', SmallDisk.create(18)!]
      try {
        await database.primary.sql(`CREATE TABLESPACE small LOCATION '${disk.folder}'`)
        await database.primary.sql(`CREATE DATABASE ${name} OWNER loader TABLESPACE small`)
        const full = await finished(start(name, ['--scale', '0.1']))
        expect(full).toMatchObject({
          exitCode: 1,
          stderr: expect.stringMatching(
            /The disk of the server is full\. Make room there, and run the same command again\. Nothing was loaded: .*No space left/,
          ),
        })
        expect(await viewsOf(name)).toBe(0)
        disk.grow(200)
        expect(await finished(start(name, ['--scale', '0.1']))).toMatchObject({ exitCode: 0 })
        await database.primary.sql(`DROP DATABASE ${name}`)
        await database.primary.sql('DROP TABLESPACE small')
      } finally {
        disk.remove()
      }
    },
    120_000,
  )

  test('lets one load run at a time', async () => {
    const name = await create('busy')
    const first = start(name, ['--scale', '0.2'])
    const over = finished(first).catch(() => {})
    await vi.waitFor(async () => expect(await copying(name)).toBe(1), { timeout: 30_000, interval: 10 })
    expect(await load(name)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Another load into this database is running.'),
    })
    await end(first)
    await over
  })

  test('names the remedy when the server is lost while it loads, and loads nothing', async () => {
    const name = await create('lost')
    const loading = finished(start(name, ['--scale', '0.2']))
    await vi.waitFor(async () => expect(await copying(name)).toBe(1), { timeout: 60_000, interval: 10 })
    await database.primary.kill()
    expect(await loading).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/run the same command again\. Nothing was loaded/),
    })
    await database.primary.start()
    expect(await count(name, `pg_namespace WHERE nspname = 'plant'`)).toBe(0)
    expect(await load(name)).toMatchObject({ exitCode: 0 })
  }, 120_000)
})
