import { expect, test } from 'vitest'
import { readStatement } from './statement.ts'

const read = (sql: string) => {
  const { sources, items, limit } = readStatement(sql)!
  return { sources: Object.fromEntries(sources), items, limit }
}

test.each([
  ['SELECT * FROM v_quantities', { v_quantities: 'v_quantities' }, undefined, undefined],
  ['select * from v_quantities q limit 3;', { q: 'v_quantities' }, undefined, 3],
  [
    'SELECT id, name FROM v_quantities AS q LIMIT 3',
    { q: 'v_quantities' },
    [
      { alias: 'q', column: 'id' },
      { alias: 'q', column: 'name' },
    ],
    3,
  ],
  [
    "SELECT id FROM v_quantities\n  WHERE last_updated_at > DATE '2025-01-01' LIMIT 1",
    { v_quantities: 'v_quantities' },
    [{ alias: 'v_quantities', column: 'id' }],
    1,
  ],
  [
    'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
    { v_timeseries: 'v_timeseries' },
    undefined,
    undefined,
  ],
  [
    'SELECT t.*, b.* FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id LIMIT 5',
    { t: 'v_timeseries', b: 'v_bioprocesses' },
    undefined,
    5,
  ],
  [
    'SELECT t.id, b.name FROM v_timeseries AS t LEFT OUTER JOIN v_bioprocesses AS b ON t.bioprocess_id = b.id',
    { t: 'v_timeseries', b: 'v_bioprocesses' },
    [
      { alias: 't', column: 'id' },
      { alias: 'b', column: 'name' },
    ],
    undefined,
  ],
])('readStatement reads %s', (sql, sources, items, limit) => {
  expect(read(sql)).toEqual({ sources, items, limit })
})

test.each([
  'SELECT COUNT(*) FROM v_quantities',
  'SELECT id AS name FROM v_quantities',
  'SELECT DISTINCT id FROM v_quantities',
  'SELECT id FROM v_quantities ORDER BY id LIMIT 1',
  'SELECT id FROM v_quantities LIMIT 1 OFFSET 1',
  "SELECT id FROM v_quantities WHERE name = 'x' LIMIT 1",
  'SELECT no_such_column FROM v_quantities',
  'SELECT id FROM v_no_such_view',
  'SELECT id FROM v_quantities UNION SELECT id FROM v_formulas',
  'SELECT id FROM v_quantities q LEFT JOIN v_formulas q ON q.id = q.id',
  'SELECT t.*, b.id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
  'SELECT id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
  'SELEC id FROM v_quantities',
])('readStatement does not read %s', (sql) => {
  expect(readStatement(sql)).toBeUndefined()
})

test('readStatement tells whether WHERE leaves out rows', () => {
  expect(readStatement('SELECT id FROM v_quantities LIMIT 3')!.filtered).toBe(false)
  expect(readStatement("SELECT id FROM v_quantities WHERE last_updated_at > '2025-01-01'")!.filtered).toBe(
    true,
  )
})

test('readStatement reads the columns that a join compares', () => {
  const sql = 'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON b.id = t.bioprocess_id'
  expect(readStatement(sql)!.on).toEqual([
    { alias: 'b', column: 'id' },
    { alias: 't', column: 'bioprocess_id' },
  ])
})

test.each([
  ["SELECT id FROM v_quantities WHERE last_updated_at > DATE '2025-01-01'", { literal: '2025-01-01' }],
  [
    'SELECT id FROM v_formulas WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_experiments)',
    { newestOf: 'v_experiments' },
  ],
  [
    "SELECT t.id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id WHERE t.last_updated_at > '2025-01-01'",
    { literal: '2025-01-01' },
  ],
  [
    "SELECT t.id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id WHERE b.last_updated_at > '2025-01-01'",
    undefined,
  ],
  [
    "SELECT t.id FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id WHERE last_updated_at > '2025-01-01'",
    undefined,
  ],
])('readStatement reads the bound of the first view of %s', (sql, after) => {
  expect(readStatement(sql)!.after).toEqual(after)
})
