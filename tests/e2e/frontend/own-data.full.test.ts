import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { exportDataset } from '../../../fixtures/export/index.ts'
import { createDataset } from '../../../fixtures/index.ts'
import { ddl, views } from '../../../schemas/index.ts'
import { ask } from '../support/ask.ts'
import { runCli, startCliServer } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())
const inFolder = (name: string) => join(folder.dir, name)

const small = { seed: 4, scale: 0.01, runs: 1, pointInterval: 1440 }
const exported = (name: string, format: 'ndjson' | 'csv' | 'sql' | 'parquet') =>
  exportDataset(small, { format, dir: inFolder(name), version: 'e2e' })

/** A row as PostgreSQL prints it: without zeros at the end of a fraction. */
function asPrinted(row: object): unknown {
  const text = JSON.stringify(row)
  return JSON.parse(text.replaceAll(/\.(\d*?)0+\+00:00"/g, (_, kept) => `${kept ? `.${kept}` : ''}+00:00"`))
}

test('an export in the format sql loads into the tables of the DDL', async () => {
  await exported('sql', 'sql')
  const database = new PGlite()
  try {
    await database.exec(ddl)
    for (const { name } of views) {
      // PGlite takes the lines of COPY from a blob; psql would read them from the file
      const text = readFileSync(inFolder(`sql/${name}.sql`), 'utf8')
      const [, statement, lines] = /^(COPY [^;]+ FROM) stdin;\n(.*)\\\.\n$/s.exec(text)!
      await database.query(`${statement} '/dev/blob'`, [], { blob: new Blob([lines!]) })
      const { rows } = await database.query<{ json: object }>(`SELECT row_to_json(v) AS json FROM ${name} v`)
      expect(rows.map(({ json }) => asPrinted(json))).toEqual(
        [...createDataset(small).rows(name)].map(asPrinted),
      )
    }
  } finally {
    await database.close()
  }
})

/** Starts a server over the rows of a folder. */
async function serve(name: string, ...flags: string[]) {
  const server = await startCliServer(['--token', 't', '--data', inFolder(name), ...flags])
  const rowsOf = async (statement: string) => (await ask({ ...server, token: 't' }, statement)).rows
  return { ...server, rowsOf }
}

/** A line of v_archived_records. */
const record = (record_id: string, archived_at = '2026-01-01T00:00:00Z') =>
  `${JSON.stringify({ record_id, table_name: 'timeseries', archived_at })}\n`

describe('serve --data', () => {
  describe('without a restart', () => {
    const config = inFolder('server.json')
    const configure = (settings: object) => writeFileSync(config, JSON.stringify(settings))
    let server: Awaited<ReturnType<typeof serve>>
    beforeAll(async () => {
      mkdirSync(inFolder('changing'))
      writeFileSync(inFolder('changing/v_archived_records.ndjson'), record('first'))
      configure({ variants: { 'rows.shape': 'array' } })
      server = await serve('changing', '--config', config)
    })
    afterAll(() => server?.stop())
    const read = () => server.rowsOf('SELECT record_id FROM v_archived_records ORDER BY record_id')

    test('serves changed files, all of them or none', async () => {
      const file = inFolder('changing/v_archived_records.ndjson')
      expect(await read()).toEqual([['first']])
      writeFileSync(file, record('first') + record('second'))
      await vi.waitFor(async () => expect(await read()).toEqual([['first'], ['second']]), 20_000)
      writeFileSync(file, record('third') + record('fourth', 'soon'))
      await vi.waitFor(() => expect(server.log()).toContain('The rows read before are still served.'), 20_000)
      expect(server.log()).toContain('v_archived_records.ndjson:2: ')
      expect(await read()).toEqual([['first'], ['second']])
    })

    test('reads a changed config file, all of it or nothing', async () => {
      const rows = [{ RECORD_ID: 'first' }, { RECORD_ID: 'second' }]
      configure({ variants: { 'rows.shape': 'object', 'rows.case': 'upper' }, timeLimit: '5s' })
      await vi.waitFor(async () => expect(await read()).toEqual(rows), 20_000)
      expect(server.log()).toContain('timeLimit: the change takes effect at the next start.')
      configure({ variants: { 'rows.shape': 'array' }, fault: 'stat:500' })
      await vi.waitFor(() => expect(server.log()).toContain('The settings read before still apply.'), 20_000)
      expect(await read()).toEqual(rows)
      configure({ fault: 'status:503' })
      await vi.waitFor(async () => expect(await read()).toEqual([]), 20_000)
    })
  })

  test('answers with the rows of files', async () => {
    await exported('own', 'csv')
    const server = await serve('own')
    try {
      for (const name of ['v_bioprocesses', 'v_bioprocess_quantity_data', 'v_formulas'] as const) {
        expect(await server.rowsOf(`SELECT * FROM ${name}`)).toEqual([...createDataset(small).rows(name)])
      }
      expect(server.log()).toMatch(/^\S+Z Read \d+ rows from /m)
    } finally {
      await server.stop()
    }
  })

  test('does not start if a row is invalid, or reports the row that it skips', async () => {
    await exported('wrong', 'ndjson')
    const file = inFolder('wrong/v_formulas.ndjson')
    const [first, ...others] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [first!.replace('"log_scale":', '"log_scale":"","x":'), ...others].join('\n'))

    const refused = await runCli(['serve', '--listen', '127.0.0.1:0', '--data', inFolder('wrong')])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('v_formulas.ndjson:1: The column "x" is not in the contract. Remove it.')
    expect(refused.stderr).toMatch(/Rejected 1 rows or files of .*\. Correct them, or skip them/)

    const server = await serve('wrong', '--skip-invalid')
    try {
      expect(server.log()).toContain('v_formulas.ndjson:1: The column "x"')
      expect(await server.rowsOf('SELECT count(*) AS n FROM v_formulas')).toEqual([{ n: others.length - 1 }])
    } finally {
      await server.stop()
    }
  })

  test('lists 20 invalid rows and counts the rest', async () => {
    mkdirSync(inFolder('many'))
    writeFileSync(inFolder('many/v_archived_records.ndjson'), '{}\n'.repeat(25))
    const { exitCode, stderr } = await runCli(['serve', '--data', inFolder('many')])
    expect(exitCode).toBe(1)
    expect(stderr.match(/^\S+Z v_archived_records\.ndjson:\d+: /gm)).toHaveLength(20)
    expect(stderr).toContain('25 rows or files')
    expect(stderr).toContain('5 of them are not listed.')
  })
})
