import { expect, test } from 'vitest'
import { createSettings } from '../../mock/open-points/settings.ts'
import { readStatements } from '../../mock/syntax/reading.ts'
import { examples } from './examples.ts'
import { undocumentedPart } from './documented.ts'

const settings = createSettings({ 'sql.accept': 'documented' })

/** Whether the server calls a statement documented. */
const isDocumented = async (statement: string): Promise<boolean> =>
  // PostgreSQL refuses what is not a query
  /^select /i.test(statement) &&
  (await readStatements(statement, settings)).every(({ refusal }) => refusal === undefined)

const more = [
  'select id, name from v_bioprocesses',
  'SELECT b.id, b."name" FROM v_bioprocesses b -- all of them',
  'SELECT b.* FROM v_bioprocesses AS b LIMIT 3;',
  "SELECT * FROM v_quantities WHERE last_updated_at >= timestamp '2025-01-01'",
  "SELECT * FROM v_quantities WHERE last_updated_at = '2025-01-01'::timestamptz LIMIT 1",
  "SELECT * FROM v_quantities q WHERE (q.last_updated_at < '2025-01-01')",
  'SELECT * FROM v_timeseries t LEFT OUTER JOIN v_bioprocesses b ON (t.bioprocess_id = b.id) LIMIT 5',
  'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id LEFT JOIN v_quantities q ON t.quantity_id = q.id',
  'SELECT DISTINCT status FROM v_bioprocesses',
  'SELECT id AS x FROM v_bioprocesses',
  'SELECT count(*) FROM v_bioprocesses',
  'SELECT 1',
  'SELECT * FROM v_bioprocesses, v_quantities',
  'SELECT * FROM v_timeseries t JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
  'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b USING (id)',
  "SELECT * FROM v_bioprocesses WHERE status = 'Draft'",
  "SELECT * FROM v_bioprocesses WHERE last_updated_at > '2025-01-01' AND status = 'Draft'",
  "SELECT * FROM v_bioprocesses WHERE last_updated_at <> '2025-01-01'",
  'SELECT * FROM v_bioprocesses ORDER BY id',
  'SELECT * FROM v_bioprocesses LIMIT 5 OFFSET 2',
  'SELECT * FROM v_bioprocesses UNION SELECT * FROM v_bioprocesses',
  'WITH a AS (SELECT * FROM v_bioprocesses) SELECT * FROM a',
  'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MIN(last_updated_at) FROM v_bioprocesses)',
]

test.each([...examples.map(({ statement }) => statement), ...more])(
  'calls the same statements documented as the server does: %s',
  async (statement) => {
    const expected = await isDocumented(statement)
    expect(undocumentedPart(statement) === undefined).toBe(expected)
  },
)

test('names the part that is not documented', () => {
  expect(undocumentedPart('SELECT * FROM v_bioprocesses ORDER BY id')).toBe('ORDER BY')
  expect(undocumentedPart('SELECT * FROM v_bioprocesses LIMIT 1 OFFSET 2')).toBe('OFFSET')
  expect(undocumentedPart('SELECT count(*) FROM v_bioprocesses')).toBe(
    'anything but columns in the select list',
  )
  expect(undocumentedPart('  ')).toBeUndefined()
})
