import { spawn } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPostgresEngine } from '../../../mock/node/postgres/index.ts'
import { loadPlant } from '../../../mock/node/postgres/load/load-plant.ts'
import { builtCli, finished } from '../support/cli.ts'
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
    count(name, `pg_views WHERE viewname LIKE 'v\\_%' AND schemaname = 'bioprocess'`)

  test('loads whatever time limits its role has', async () => {
    const name = await create('limited')
    const limits = { statement_timeout: '1s', lock_timeout: '1s', idle_in_transaction_session_timeout: '1ms' }
    for (const [limit, value] of Object.entries(limits))
      await database.primary.sql(`ALTER ROLE loader IN DATABASE ${name} SET ${limit} = '${value}'`)
    const holder = await hold(name, superuser, 'CREATE SCHEMA plant')
    const loading = load(name)
    await Promise.race([
      waitsForLock(name, `clock_timestamp() > query_start + interval '2 s'`),
      loading.then(({ stderr }) => expect(stderr).toBe('The load waits.')),
    ])
    await holder.end()
    expect(await loading).toMatchObject({ exitCode: 0 })
  })

  test('loads a plant that serve can read', async () => {
    const name = await create('whole')
    expect(await load(name)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/Loaded \d+ rows\.\n$/),
    })
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
    const options = { url: database.primary.url('loader', name) }
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

  test('refuses a place with a plant or a view, leaves it alone, and loads once the plant is dropped', async () => {
    const name = await create('another')
    const sql = (text: string) => database.primary.sql(text, 'loader', name)
    await load(name)
    expect(await load(name, '--seed', '2')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /There is a plant already\. Drop that schema with CASCADE, .* Nothing was loaded: schema "plant" already exists/,
      ),
    })
    expect(await viewsOf(name)).toBe(9)
    await sql('DROP SCHEMA plant CASCADE')
    expect(await load(name, '--seed', '2')).toMatchObject({ exitCode: 0 })
    await sql('CREATE SCHEMA lab; CREATE VIEW lab.v_formulas AS SELECT 1 AS one')
    expect(await load(name, '--schema', 'lab')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/a view of that name already\. Drop it, .* "v_formulas" already exists/),
    })
    expect(await count(name, `pg_namespace WHERE nspname = 'lab_plant'`)).toBe(0)
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
    const result = () => finished(start(name, ['--scale', '0.01', '--reader', 'somebody'], 'plain'))
    expect(await result()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/lacks a right\. Grant it CREATE on the database and on the schema/),
    })
    await database.primary.sql(`GRANT CREATE ON DATABASE ${name} TO plain`)
    await database.primary.sql('GRANT CREATE ON SCHEMA public TO plain', superuser, name)
    expect(await result()).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/The role plain may not create roles\. Let an administrator run/),
    })
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
  )

  test('lets one load run at a time', async () => {
    const name = await create('busy')
    const first = load(name, '--scale', '0.2')
    await vi.waitFor(async () => expect(await copying(name)).toBe(1), { timeout: 30_000, interval: 10 })
    const second = load(name)
    expect(await first).toMatchObject({ exitCode: 0 })
    expect(await second).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Another load ended while this one waited for it.'),
    })
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
  })
})
