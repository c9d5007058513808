import { readFileSync, writeFileSync, mkdirSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { views } from '../../../schemas/index.ts'
import { root } from '../support/cli.ts'
import { runBash } from '../support/pipeline.ts'
import { exportFixtures, scratch } from '../support/vendor.ts'

// The loaders of examples/foreign with a database that only notes what it gets. foreign.release.test.ts has the real ones.

const folder = scratch()
const at = (...path: string[]) => join(folder.dir, ...path)
let plant: string
/** The number of rows of each view. */
let exported: Readonly<Record<string, number>>

beforeAll(async () => {
  cpSync(join(root, 'examples/foreign'), at('foreign'), { recursive: true })
  plant = await exportFixtures(folder.dir)
  // a folder of rows may hold more than the views
  writeFileSync(join(plant, 'notes.ndjson'), '{}\n')
  exported = Object.fromEntries(
    views.map(({ name }) => [name, linesOf(join(plant, `${name}.ndjson`)).length]),
  )
})
afterAll(() => folder.remove())

const linesOf = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n')

/** The columns of the tables in a file of CREATE TABLE statements. */
function tablesIn(file: string): Record<string, string[]> {
  const tables = readFileSync(file, 'utf8').matchAll(/CREATE TABLE (\w+) \(([^]*?)\)(?:;|\s*ENGINE)/g)
  return Object.fromEntries(
    [...tables].map(([, name, columns]) => [
      name,
      [...columns!.matchAll(/(?:^|,)\s*([a-z]\w*) [A-Z]/g)].map(([, column]) => column!),
    ]),
  )
}

/** A database that notes each INSERT: view, columns, number of rows. */
const notingMariadb = `import { writeFileSync } from 'node:fs'
const inserts = []
const connection = {
  query: async () => {},
  batch: async (sql, rows) => {
    const [, view, columns] = /^INSERT INTO (\\w+) \\((.*?)\\)/.exec(sql)
    for (const row of rows)
      for (const value of row)
        if (value === undefined || (value !== null && typeof value === 'object')) throw new Error(view + ': ' + value)
    inserts.push([view, columns.split(', '), rows.length])
  },
  end: async () => writeFileSync('inserts.json', JSON.stringify(inserts)),
}
export default { createConnection: async () => connection }
`

test('load.mjs of the MariaDB example fills each table with the rows of its view', async () => {
  const modules = at('foreign/mariadb-dbhub/node_modules/mariadb')
  mkdirSync(modules, { recursive: true })
  writeFileSync(join(modules, 'package.json'), '{"type": "module", "exports": "./index.js"}')
  writeFileSync(join(modules, 'index.js'), notingMariadb)
  const { exitCode, stderr } = await runBash(`node foreign/mariadb-dbhub/load.mjs ${plant}`, folder.dir, {
    SOCKET: 'none',
  })
  expect([exitCode, stderr]).toEqual([0, ''])
  const inserts = JSON.parse(readFileSync(at('inserts.json'), 'utf8')) as [string, string[], number][]
  expect(Object.fromEntries(inserts.map(([view, , rows]) => [view, rows]))).toEqual(exported)
  const tables = tablesIn(at('foreign/mariadb-dbhub/tables.sql'))
  expect(Object.fromEntries(inserts.map(([view, columns]) => [view, columns.toSorted()]))).toEqual(
    Object.fromEntries(Object.entries(tables).map(([view, columns]) => [view, columns.toSorted()])),
  )
})

/** Notes statements, and the rows of an INSERT in a file. */
const notingClickhouse = `#!/bin/sh
case "$2" in
  INSERT*) cat > "$(echo "$2" | cut -d ' ' -f 3).rows" ;;
  DROP*) ;;
  *) cat > tables.sql ;;
esac
`

test('load.sh of the ClickHouse example fills each table with the rows of its view', async () => {
  writeFileSync(at('clickhouse-client'), notingClickhouse, { mode: 0o755 })
  const { exitCode, stderr } = await runBash(`foreign/clickhouse/load.sh ${plant}`, folder.dir, {
    PATH: `${folder.dir}:${process.env['PATH']}`,
  })
  expect([exitCode, stderr]).toEqual([0, ''])
  const tables = tablesIn(at('tables.sql'))
  expect(Object.keys(tables).toSorted()).toEqual(Object.keys(exported).toSorted())
  for (const [view, columns] of Object.entries(tables)) {
    const rows = linesOf(at(`${view}.rows`)).map((line) => JSON.parse(line) as Record<string, unknown>)
    expect([view, rows.length]).toEqual([view, exported[view]])
    expect(Object.keys(rows[0]!).toSorted()).toEqual(columns.toSorted())
    expect(
      rows.flatMap(Object.values).filter((value) => value !== null && typeof value === 'object'),
    ).toEqual([])
  }
})
