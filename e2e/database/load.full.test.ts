import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createPostgresEngine } from '../../mock/node/postgres/index.ts'
import { builtCli, end, finished } from '../support/cli.ts'
import { describeWithPostgres, superuser, TestDatabase, testPassword } from '../support/postgres/index.ts'

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
    spawn(
      process.execPath,
      [
        builtCli,
        'fixtures',
        'load',
        '--database',
        database.primary.url(role, name),
        '--workers',
        '2',
        ...flags,
      ],
      { env: { ...process.env, BIOPROCESS_SQL_READER_PASSWORD: testPassword } },
    )
  const load = async (name: string, ...flags: string[]) => {
    const result = await finished(start(name, ['--scale', '0.01', ...flags]))
    expect(result.stdout + result.stderr).not.toContain(testPassword)
    return result
  }
  const count = async (name: string, sql: string) =>
    Number((await database.primary.sql(`SELECT count(*)::int AS n FROM ${sql}`, superuser, name))[0]!['n'])

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
      if (signal === 'SIGINT')
        expect(result).toMatchObject({ exitCode: 130, stderr: expect.stringContaining('it continues') })
      expect(await count(name, `pg_views WHERE viewname LIKE 'v\\_%' AND schemaname = 'public'`)).toBe(0)
      const serving = createPostgresEngine({ url: database.primary.url('bioprocess_reader', name) })
      await expect(serving).rejects.toThrow(/end a load that was interrupted by running it again/)
    }
    const last = await finished(start(name, ['--scale', '0.2']))
    expect(last.stderr).toMatch(/Loaded \d+ rows; [1-9]\d* parts were loaded before\./)
    const verified = await finished(start(name, ['--scale', '0.2', '--verify']))
    expect(verified).toMatchObject({ exitCode: 0 })
  }, 120_000)

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
