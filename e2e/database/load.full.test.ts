import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createSettings } from '../../mock/app/settings.ts'
import { rowsOf } from '../../mock/node/pglite/plant.test-helper.ts'
import { createPostgresEngine } from '../../mock/node/postgres/index.ts'
import { loadPlant } from '../../mock/node/postgres/load/index.ts'
import { EngineBusy } from '../../mock/statement.ts'
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
  spawn(process.execPath, [builtCli, 'fixtures', 'load', '--database', url, '--workers', '2', ...flags], {
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
  const viewsOf = (name: string) =>
    count(name, `pg_views WHERE viewname LIKE 'v\\_%' AND schemaname = 'public'`)

  test('replaces the plant of a server that runs', async () => {
    const name = await create('replaced')
    await load(name)
    const log: string[] = []
    const url = database.primary.url('bioprocess_reader', name)
    const engine = await createPostgresEngine({ url, log: (line) => log.push(line) })
    // prefixes tell which view each column is from
    const settings = createSettings({ 'rows.shape': 'prefixed' })
    const statement =
      'SELECT b.id, t.id FROM v_bioprocesses b JOIN v_timeseries t ON t.bioprocess_id = b.id LIMIT 1'
    const keys = async () => Object.keys((await rowsOf(engine, statement, { settings }))[0] as object)
    expect(await keys()).toEqual(['b.id', 't.id'])
    await database.primary.sql('DROP SCHEMA plant CASCADE', superuser, name)
    await vi.waitFor(() => expect(log.join()).toMatch(/has no v_bioprocesses/), 5_000)
    await expect(keys()).rejects.toThrow(EngineBusy)
    await load(name, '--seed', '2')
    await vi.waitFor(async () => expect(await keys()).toEqual(['b.id', 't.id']), 5_000)
    await engine.close()
  })

  test('loads a plant that serve can read, verifies it, and changes nothing when it runs again', async () => {
    const name = await create('whole')
    expect(await load(name)).toMatchObject({
      exitCode: 0,
      stderr: expect.stringMatching(/Loaded \d+ rows\.\n$/),
    })
    expect(await load(name, '--verify')).toMatchObject({
      exitCode: 0,
      stdout: 'The nine views have the rows of the simulation.\n',
    })
    expect((await load(name)).stderr).toContain('This plant is loaded already; nothing was changed.')
    const engine = await createPostgresEngine({ url: database.primary.url('bioprocess_reader', name) })
    await engine.close()

    await database.primary.sql(
      'DELETE FROM plant.quantities WHERE id = (SELECT max(id) FROM plant.quantities); UPDATE plant.experiments SET external_id = id',
      superuser,
      name,
    )
    const changed = await load(name, '--verify')
    expect(changed.exitCode).toBe(1)
    expect(changed.stdout).toMatch(
      /✗ v_quantities has \d+ rows and not \d+\.\n✗ v_experiments has other rows/,
    )
  })

  test('continues after it was killed twice, and shows no view before all rows are there', async () => {
    const name = await create('interrupted')
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      const before = await count(name, 'plant.load_parts').catch(() => 0)
      const loading = start(name, ['--scale', '0.2'])
      const over = finished(loading).catch((error: Error) => error)
      await vi.waitFor(async () => expect(await count(name, 'plant.load_parts')).toBeGreaterThan(before), {
        timeout: 60_000,
        interval: 20,
      })
      loading.kill(signal)
      const result = await over
      // a server process may still commit the batch of a killed load
      await vi.waitFor(
        async () =>
          expect(await count(name, `pg_stat_activity WHERE datname = '${name}' AND usename = 'loader'`)).toBe(
            0,
          ),
        { timeout: 10_000 },
      )
      if (signal === 'SIGINT')
        expect(result).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('it continues') })
      expect(await viewsOf(name)).toBe(0)
      const serving = createPostgresEngine({ url: database.primary.url('bioprocess_reader', name) })
      await expect(serving).rejects.toThrow(/end a load that was interrupted by running it again/)
    }
    const last = await finished(start(name, ['--scale', '0.2']))
    expect(last.stderr).toMatch(/Loaded \d+ rows; [1-9]\d* parts were loaded before\./)
    const verified = await finished(start(name, ['--scale', '0.2', '--verify']))
    expect(verified).toMatchObject({ exitCode: 0 })
  }, 120_000)

  test('stops when it is interrupted before the first row, and continues', async () => {
    const name = await create('early')
    const interrupted = new Error('interrupted')
    const url = database.primary.url('loader', name)
    const dataset = { seed: 1, scale: 0.01 }
    const options = { url, version: '0', signal: AbortSignal.abort(interrupted) }
    await expect(loadPlant(dataset, options)).rejects.toBe(interrupted)
    expect(await count(name, 'plant.load_parts')).toBe(0)
    expect(await viewsOf(name)).toBe(0)
    await expect(loadPlant(dataset, { url, version: '0' })).resolves.toMatchObject({ wasComplete: false })
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
    expect(await load(name, '--seed', '2', '--verify')).toMatchObject({ exitCode: 0 })
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

  test('names the remedy when the server gives too few connections, and continues with fewer threads', async () => {
    const name = await create('crowded')
    await database.primary.sql('ALTER ROLE loader CONNECTION LIMIT 2')
    expect(await load(name)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /Load with fewer --workers, and run the same command again: it continues/,
      ),
    })
    expect(await load(name, '--workers', '1')).toMatchObject({ exitCode: 0 })
    await database.primary.sql('ALTER ROLE loader CONNECTION LIMIT -1')
  })

  testWithSmallDisk(
    'names the remedy when the disk is full, shows no view, and continues once there is room',
    async () => {
      const [name, disk] = ['crammed', SmallDisk.create(18)!]
      try {
        await database.primary.sql(`CREATE TABLESPACE small LOCATION '${disk.folder}'`)
        await database.primary.sql(`CREATE DATABASE ${name} OWNER loader TABLESPACE small`)
        const full = await finished(start(name, ['--scale', '0.1']))
        expect(full).toMatchObject({
          exitCode: 1,
          stderr: expect.stringMatching(
            /The disk of the server is full\. Make room there, and run the same command again: it continues\. \(.*No space left/,
          ),
        })
        expect(await viewsOf(name)).toBe(0)
        disk.grow(200)
        expect(await finished(start(name, ['--scale', '0.1']))).toMatchObject({ exitCode: 0 })
        expect(await finished(start(name, ['--scale', '0.1', '--verify']))).toMatchObject({ exitCode: 0 })
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
    await vi.waitFor(async () => expect(await count(name, 'plant.load_state')).toBe(1), {
      timeout: 30_000,
      interval: 20,
    })
    expect(await load(name)).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('Another load into this database is running.'),
    })
    await end(first)
    await over
  })

  test('names the remedy when the server is lost while it loads, and continues', async () => {
    const name = await create('lost')
    const loading = finished(start(name, ['--scale', '0.2']))
    await vi.waitFor(async () => expect(await count(name, 'plant.load_parts')).toBeGreaterThan(0), {
      timeout: 60_000,
      interval: 20,
    })
    await database.primary.kill()
    const lost = await loading
    expect(lost).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/run the same command again: it continues/),
    })
    await database.primary.start()
    await sleep(100)
    expect((await finished(start(name, ['--scale', '0.2']))).stderr).toMatch(/parts were loaded before/)
  }, 120_000)
})
