import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  createClient,
  type Client,
  type ColumnOf,
  type SelectOptions,
  type ViewName,
} from '../../../client/index.ts'
import { startServer, type Server } from '../../../mock/index.ts'
import { statements, validators, view, views } from '../../../schemas/index.ts'
import { finished, root } from '../support/cli.ts'
import { docSnippet } from '../support/doc-snippet.ts'
import { expectDurations } from '../support/durations.ts'
import { scratch } from '../support/vendor.ts'

let server: Server
let client: Client
const folder = scratch()
beforeAll(async () => {
  server = await startServer({ scale: 0.01 })
  client = createClient(server)
})
afterAll(async () => {
  await server.close()
  folder.remove()
})

const texts = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort()

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

  test('have durations that statements round, divide, sum and filter', () =>
    expectDurations((statement) => client.query(statement)))

  test('are the same in pages, if the service accepts ORDER BY', async () => {
    for (const name of ['v_bioprocess_quantity_data', 'v_timeseries', 'v_archived_records'] as const) {
      const given = []
      for await (const { rows } of client.deltas(name, { paging: 'keyset', pageSize: 37 }))
        given.push(...rows)
      expect(texts(given)).toEqual(texts(await read(name)))
    }
  })
})

test('a server that accepts only documented statements serves every helper of the client', async () => {
  const headers = { 'x-mock-variant': 'sql.accept=documented' }
  const client = createClient({ baseUrl: server.baseUrl, token: server.token, headers })
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
