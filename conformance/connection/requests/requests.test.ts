import { parse } from 'libpg-query'
import initSqlJs from 'sql.js'
import { expect, test } from 'vitest'
import { views } from '../../../schemas/index.ts'
import { handmade } from '../handmade.test-helper.ts'
import { brokenStatementRules, brokenStatements } from '../../samples/broken-statements.ts'
import { alteredTokens } from './credentials.ts'
import { encodings, ofNames } from './encodings.ts'
import { changing, spell, spellings, transformations } from './spellings.ts'

const sqlite = new (await initSqlJs()).Database()
for (const { name, columns } of views)
  sqlite.run(`CREATE TABLE ${name} (${columns.map((column) => column.name).join(', ')})`)

const delta = "SELECT id, unit FROM v_timeseries WHERE last_updated_at > TIMESTAMP '2025-01-01 00:00:00'"
const newest =
  'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_formulas) LIMIT 3'
const join = 'SELECT l.id, r.name FROM v_timeseries l LEFT JOIN v_quantities r ON l.quantity_id = r.id'

test.each([
  [
    delta,
    0,
    "\nSELECT\r\n\tid,\r\n\tunit\n  FROM\r\n\tv_timeseries\n  WHERE\r\n\tlast_updated_at\r\n\t>\r\n\tTIMESTAMP\r\n\t'2025-01-01 00:00:00' \n",
  ],
  [
    newest,
    3,
    'SELECT ALL x.id FROM v_timeseries x WHERE x.last_updated_at > (SELECT MAX(y.last_updated_at) FROM v_formulas y) LIMIT 03',
  ],
  [
    delta,
    7,
    "SELECT\tid,\tunit /* it's */\tFROM\tv_timeseries /* a; b */\tWHERE\tlast_updated_at\t>\tTIMESTAMP\t'2025-01-01 00:00:00' /* LIMIT 1 */",
  ],
  [
    'SELECT id FROM v_formulas LIMIT 3',
    7,
    "SELECT\tid /* it's */\tFROM\tv_formulas x /* a; b */ /* LIMIT 1 */\tLIMIT\t3",
  ],
  [
    join,
    4,
    "SELECT v_timeseries.id, v_quantities.name -- it's LIMIT 1\nFROM v_timeseries LEFT JOIN v_quantities ON v_timeseries.quantity_id = v_quantities.id",
  ],
])('%s has another spelling with the index %i', (sql, index, spelled) => {
  expect(spell(sql, changing(sql, spellings[index]!))).toBe(spelled)
})

const forms = ['SELECT * FROM v_formulas', 'SELECT id FROM v_formulas LIMIT 3', delta, newest, join]

test.each(transformations)('$name changes a form', (one) => {
  expect(forms.filter((sql) => one.change(sql) !== sql)).not.toEqual([])
})

const words = (sql: string) =>
  sql
    .toLowerCase()
    .match(/'[^']*'|[a-z_]{3,}/g)!
    .toSorted()

test.each(transformations)('$name leaves the words of a statement', (one) => {
  for (const sql of forms)
    expect(
      words(one.change(sql).replace(/ -- it's LIMIT 1| \/\*.*?\*\//, '')).filter(
        (word) => !/^(all|outer|left_rows|v_.*)$/.test(word),
      ),
    ).toEqual(words(sql).filter((word) => !word.startsWith('v_')))
})

test('every encoding of a body is JSON with the same statement', () => {
  const all = Object.values(encodings).flatMap(({ whole, parts }) => [...whole, ...parts])
  const sql = `SELECT "ø/😀" FROM v_formulas WHERE last_updated_at > '2025-01-01'`
  const bodies = [...all, ...ofNames].map(([, body]) => body(sql))
  for (const body of bodies) expect(JSON.parse(body)).toEqual({ statement: sql })
  expect(new Set(bodies).size).toBe(bodies.length)
})

// The other two grammars are in generators/suite/broken-statements.ts.
test.each(brokenStatementRules)(
  'PostgreSQL and SQLite refuse a statement that is broken by the rule %s',
  async (rule) => {
    const statements = await brokenStatements(handmade({}), rule, 100)
    expect(statements.length).toBeGreaterThan(5)
    for (const sql of statements) {
      await expect(parse(sql), sql).rejects.toThrow()
      expect(sqliteError(sql), sql).toMatch(/syntax error|incomplete input|unrecognized token/)
    }
  },
)

/** The first error of the statements in a text. */
function sqliteError(sql: string): string {
  try {
    for (const statement of sqlite.iterateStatements(sql)) statement.free()
    return ''
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  'a-Token-0123456789',
  'x',
  'cGFkZGVk==',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl',
  'ABC',
])('no altered token is %s in any letter case, and they are fewer than twelve', (token) => {
  const altered = alteredTokens(token).map(([, text]) => text.toLowerCase())
  expect(altered).not.toContain(token.toLowerCase())
  expect(altered.length).toBeLessThan(12)
})
