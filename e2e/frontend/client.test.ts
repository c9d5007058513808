import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  AccessRefused,
  ConnectionFailed,
  createClient,
  ExecutionFailed,
  StatementSyntaxError,
  TimeLimitExceeded,
  UnexpectedAnswer,
  UnknownView,
  type Client,
  type ClientOptions,
  type ColumnOf,
  type SelectOptions,
  type ViewName,
} from '../../client/index.ts'
import { startServer, type Server } from '../../mock/index.ts'
import { statements, validators, view, views } from '../../schemas/index.ts'
import { finished, root } from '../support/cli.ts'
import { docSnippet } from '../support/doc-snippet.ts'
import { closeTargets, startHangingTarget, startHttpTarget } from '../support/hostile-target.ts'
import { scratch } from '../support/vendor.ts'

let server: Server
let client: Client
const folder = scratch()
beforeAll(async () => {
  server = await startServer({ scale: 0.01 })
  client = clientWith({})
})
afterAll(async () => {
  await Promise.all([server.close(), closeTargets()])
  folder.remove()
})

const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

const clientWith = (options: Partial<ClientOptions>) =>
  createClient({ baseUrl: server.baseUrl, token: server.token, ...options })

const read = <V extends ViewName, const C extends ColumnOf<V>>(name: V, options?: SelectOptions<V, C>) =>
  client.views[name].select(options)

describe('rows over HTTP', () => {
  test.each(views.map(({ name }) => name))('of %s conform to its type', async (name) => {
    const rows = await read(name, { limit: 5 })
    expect(rows.length).toBeGreaterThan(0)
    for (const row of rows) expect(validators[`views/${name}`](row)).toBe(true)
    const { columns } = view(name)
    const named = await read(name, { columns: columns.map(({ name }) => name as never), limit: 5 })
    expect(named.map((row) => Object.keys(row))).toEqual(named.map(() => columns.map(({ name }) => name)))
  })

  test('of the helpers are those of the documented examples', async () => {
    const example = (id: string) =>
      client.query(statements.find((statement) => statement.id === id)!.statement)
    const { v_quantities, v_bioprocesses, v_timeseries } = client.views
    expect(await v_quantities.select({ limit: 10 })).toEqual(await example('select-with-limit'))
    expect(await v_bioprocesses.select({ updatedAfter: '2025-12-01' })).toEqual(
      await example('delta-by-date'),
    )
    expect(await v_timeseries.select({ updatedAfter: { newestOf: 'v_bioprocesses' } })).toEqual(
      await example('delta-by-subquery'),
    )
    const joined = await client.timeseriesWithBioprocess()
    expect(joined).toEqual(await example('left-join'))
    expect(joined.length).toBeGreaterThan(0)
    expect(joined.every((row) => row.id === row.bioprocess_id)).toBe(true)
  })

  test('of the first load of changes are all rows, and the next load returns the newest again', async () => {
    const given = []
    let cursor = ''
    for await (const delta of client.deltas('v_timeseries')) {
      given.push(...delta.rows)
      cursor = delta.cursor
    }
    const all = await client.views.v_timeseries.select()
    expect(given.length).toBe(all.length)
    expect(new Set(given.map(({ id }) => id)).size).toBe(all.length)
    const again = []
    for await (const { rows } of client.deltas('v_timeseries', { since: cursor })) again.push(...rows)
    const newest = all.filter(({ last_updated_at }) => last_updated_at === cursor)
    expect(again).toEqual(expect.arrayContaining(newest))
    expect(again.length).toBeLessThan(all.length)
  })

  test('are the same in pages, if the service accepts ORDER BY', async () => {
    for (const name of ['v_bioprocess_quantity_data', 'v_timeseries', 'v_archived_records'] as const) {
      const given = []
      for await (const { rows } of client.deltas(name, { paging: 'keyset', pageSize: 37 }))
        given.push(...rows)
      expect(texts(given)).toEqual(texts(await read(name)))
    }
  })
})

describe('the error of the client', () => {
  test.each([
    ['a syntax error', 'SELEC id FROM v_bioprocesses', StatementSyntaxError],
    ['an unknown view', 'SELECT * FROM v_nope', UnknownView],
    ['a failure', 'SELECT 1/0', ExecutionFailed],
    ['a write', 'DELETE FROM v_bioprocesses', ExecutionFailed],
  ])('has its own class for %s', async (_, statement, outcome) => {
    await expect(client.query(statement)).rejects.toThrow(outcome)
    await expect(client.execute(statement)).rejects.toMatchObject({ statement, retryable: false })
  })

  test('is TimeLimitExceeded for a statement over the limit', async () => {
    const impatient = await startServer({ scale: 0.01, timeLimitMs: 1000 })
    const { baseUrl, token } = impatient
    const asked = clientWith({ baseUrl, token }).query('SELECT pg_sleep(20)')
    await expect(asked).rejects.toThrow(TimeLimitExceeded)
    await expect(asked).rejects.toMatchObject({ retryable: false })
    await impatient.close()
  })

  test('has its own class for a refused token, a wrong URL and a closed port', async () => {
    await expect(clientWith({ token: 'wrong' }).query('SELECT 1')).rejects.toThrow(AccessRefused)
    await expect(clientWith({ baseUrl: `${server.baseUrl}/x` }).query('SELECT 1')).rejects.toThrow(
      UnexpectedAnswer,
    )
    const closed = await startHangingTarget()
    await closed.close()
    const unreachable = clientWith({ baseUrl: closed.baseUrl })
    await expect(unreachable.query('SELECT 1')).rejects.toThrow(ConnectionFailed)
    await expect(unreachable.query('SELECT 1')).rejects.toMatchObject({
      retryable: true,
      cause: expect.any(TypeError),
    })
  })

  test('is ConnectionFailed for a truncated body', async () => {
    const { baseUrl } = await startHttpTarget((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
      response.write('{"data":[{"id":')
      setTimeout(() => response.destroy(), 20)
    })
    const failed = { name: 'ConnectionFailed', status: 200, retryable: false }
    await expect(clientWith({ baseUrl }).query('SELECT 1')).rejects.toMatchObject(failed)
  })

  test('is an AbortError for an aborted statement', async () => {
    const stop = new AbortController()
    const asked = client.query('SELECT pg_sleep(20)', { signal: stop.signal })
    setTimeout(() => stop.abort(), 50)
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' })
  })
})

test('a server that accepts only documented statements serves every helper of the client', async () => {
  const strict = await startServer({ scale: 0.01, sql: 'documented' })
  const { baseUrl, token } = strict
  const client = createClient({ baseUrl, token })
  const { v_bioprocesses, v_timeseries } = client.views
  const found = [
    await v_bioprocesses.select(),
    await v_bioprocesses.select({
      columns: ['id', 'qc'],
      updatedAfter: '2025-12-01T00:00:00.5+02:00',
      limit: 3,
    }),
    await client.timeseriesWithBioprocess({ limit: 3 }),
  ]
  for (const rows of found) expect(rows.length).toBeGreaterThan(0)
  // the plant decides whether any row is newer than every bioprocess
  expect(await v_timeseries.select({ updatedAfter: { newestOf: 'v_bioprocesses' } })).toBeInstanceOf(Array)
  // the points are left out because there are so many
  for (const { name } of views.filter(({ name }) => name !== 'v_timeseries_data')) {
    const all = new Set<string>()
    for await (const { rows } of client.deltas(name)) for (const text of texts(rows)) all.add(text)
    expect(all.size).toBeGreaterThan(0)
    for await (const { rows } of client.deltas(name, { since: '2025-12-01' }))
      expect(texts(rows).filter((text) => !all.has(text))).toEqual([])
  }
  await strict.close()
})

test('the snippet of docs/client.md runs unchanged', async () => {
  const file = join(folder.dir, 'snippet.mjs')
  const { outputFiles } = await build({
    stdin: {
      contents: docSnippet('client.md', 'bioprocess-sql-contract/client'),
      loader: 'ts',
      resolveDir: root,
    },
    alias: { 'bioprocess-sql-contract/client': join(root, 'client/index.ts') },
    bundle: true,
    write: false,
    format: 'esm',
  })
  writeFileSync(file, outputFiles[0]!.text)
  const env = { ...process.env, BIOPROCESS_SQL_BASE_URL: server.baseUrl, BIOPROCESS_SQL_TOKEN: server.token }
  const { exitCode, stdout, stderr } = await finished(spawn(process.execPath, [file], { env }))
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/\[[^\]]*: (Draft|Requested|Scheduled|In-progress|Completed)'/)
  expect(stdout).toMatch(/\{ status: '\w+', runs: \d+ \}/)
  expect(stdout).toMatch(/\d+ timeseries changed/)
})
