import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { afterAll, describe, expect, test } from 'vitest'
import { exportDataset } from '../../fixtures/export/index.ts'
import { createDataset } from '../../fixtures/index.ts'
import { ddl, views } from '../../schemas/index.ts'
import { end, printed, runCli, spawnCli } from '../support/cli.ts'
import { scratch } from '../support/vendor.ts'

const folder = scratch()
afterAll(() => folder.remove())
const inFolder = (name: string) => join(folder.dir, name)

const small = { seed: 4, scale: 0.01, runs: 3 }
const exported = (name: string, format: 'ndjson' | 'csv' | 'sql' | 'parquet') =>
  exportDataset(small, { format, dir: inFolder(name), version: 'e2e' })

/** PostgreSQL leaves zeros at the end of a fraction out. */
function asPrinted(row: object): unknown {
  const text = JSON.stringify(row)
  return JSON.parse(text.replaceAll(/\.(\d*?)0+\+00:00"/g, (_, kept) => `${kept ? `.${kept}` : ''}+00:00"`))
}

test('the sql export loads into the tables of the DDL', async () => {
  await exported('sql', 'sql')
  const database = new PGlite()
  try {
    await database.exec(ddl)
    for (const { name } of views) {
      // PGlite has no psql before it, which would send the lines behind the statement
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

/** A server over the rows of a folder. */
async function served(name: string, ...flags: string[]) {
  const child = spawnCli([
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--token',
    't',
    '--data',
    inFolder(name),
    ...flags,
  ])
  let said = ''
  child.stderr!.on('data', (text: Buffer) => (said += text))
  const [, baseUrl] = await printed(child, /serving\s+(\S+)/)
  const ask = async (statement: string) => {
    const response = await fetch(`${baseUrl}/external/v1/statements/`, {
      method: 'POST',
      headers: { Authorization: 'Bearer t', 'Content-Type': 'application/json' },
      body: JSON.stringify({ statement }),
    })
    return (await response.json()) as { data: Record<string, unknown>[] }
  }
  return { ask, said: () => said, stop: () => end(child) }
}

describe('serve --data', () => {
  test('answers over rows of files', async () => {
    await exported('own', 'csv')
    const server = await served('own')
    try {
      for (const name of ['v_bioprocesses', 'v_bioprocess_quantity_data', 'v_formulas'] as const) {
        const { data } = await server.ask(`SELECT * FROM ${name}`)
        expect(data).toEqual([...createDataset(small).rows(name)])
      }
      expect(server.said()).toMatch(/^Read \d+ rows from /m)
    } finally {
      await server.stop()
    }
  })

  test('does not start over a row that is wrong, or says which it leaves out', async () => {
    await exported('wrong', 'ndjson')
    const file = inFolder('wrong/v_formulas.ndjson')
    const [first, ...others] = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, [first!.replace('"log_scale":', '"log_scale":"","x":'), ...others].join('\n'))

    const refused = await runCli(['serve', '--listen', '127.0.0.1:0', '--data', inFolder('wrong')])
    expect(refused.exitCode).toBe(1)
    expect(refused.stderr).toContain('v_formulas.ndjson:1: The column "x" is not in the contract. Remove it.')
    expect(refused.stderr).toMatch(/Rejected 1 rows or files of .*\. Correct them, or skip them/)

    const server = await served('wrong', '--skip-invalid')
    try {
      expect(server.said()).toContain('v_formulas.ndjson:1: The column "x"')
      const { data } = await server.ask('SELECT count(*) AS n FROM v_formulas')
      expect(data).toEqual([{ n: others.length - 1 }])
    } finally {
      await server.stop()
    }
  })

  test('lists 20 wrong rows and counts the rest', async () => {
    mkdirSync(inFolder('many'))
    writeFileSync(inFolder('many/v_archived_records.ndjson'), '{}\n'.repeat(25))
    const { exitCode, stderr } = await runCli(['serve', '--data', inFolder('many')])
    expect(exitCode).toBe(1)
    expect(stderr.match(/^v_archived_records\.ndjson:\d+: /gm)).toHaveLength(20)
    expect(stderr).toContain('25 rows or files')
    expect(stderr).toContain('5 of them are not listed.')
  })
})
