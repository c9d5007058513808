import { expect, test } from 'vitest'
import { sampleRows } from '../../../invariants/tables.test-helper.ts'
import { rowsOfView } from './rows-of-view.ts'

const all = 'SELECT * FROM v_formulas'
const foreign = [{ id: 'f1' }, { idd: 'f2' }]

test.each([
  all,
  ' select\n\tidd\nfrom "v_formulas" as f',
  "SELECT DISTINCT f.id, f.idd FROM public.v_formulas f WHERE id IN ('a', 'b') ORDER BY name",
  'SELECT id FROM V_FORMULAS LIMIT 5;',
])('rows with a column that the view has not are no answer to %j', async (statement) => {
  expect(await rowsOfView('v_formulas', foreign)(statement)).toMatch(
    /^The rows for v_formulas are not rows of it\. Correct them, or match more of the statement, such as "from v_formulas"\. v_formulas\[1] has no column idd\. The columns are: id, name, /,
  )
})

test.each([
  'SELECT count(*) FROM v_formulas',
  'SELECT id AS idd FROM v_formulas',
  'SELECT id idd FROM v_formulas',
  'SELECT current_date FROM v_formulas',
  'SELECT null, id FROM v_formulas',
  'SELECT max(id) FROM v_formulas',
  'SELECT statistics[1] FROM v_formulas',
  'SELECT id::int FROM v_formulas',
  'SELECT 1 FROM v_formulas',
  'SELECT * FROM v_formulas, v_experiments',
  'SELECT * FROM v_formulas f JOIN v_formula_results r ON r.formula_id = f.id',
  'SELECT * FROM v_formulas NATURAL JOIN v_experiments',
  'SELECT id FROM v_formulas WHERE true UNION SELECT name FROM v_formulas',
  'SELECT id FROM v_formulas GROUP BY ROLLUP (id)',
  'SELECT * FROM (SELECT id AS idd FROM v_formulas) v_formulas',
  'WITH v_formulas AS (SELECT 1 AS idd) SELECT * FROM v_formulas',
  'SELECT * FROM v_experiments -- v_formulas',
  'TABLE v_formulas',
])('any rows may be an answer to %j', async (statement) => {
  expect(await rowsOfView('v_formulas', foreign)(statement)).toBeUndefined()
})

test.each([
  [{ id: 1 }, 'v_formulas[0] id must be string.'],
  [
    { id: 'f1', log_scale: 'yes', name: null },
    'v_formulas[0] name must be string, log_scale must be boolean.',
  ],
  [{ last_updated_at: 'yesterday' }, /v_formulas\[0] last_updated_at must match/],
  [['f1'], 'v_formulas[0] has no column 0.'],
])('the row %j is none of v_formulas', async (row, problem) => {
  expect(await rowsOfView(' V_Formulas ', [row])(all)).toMatch(problem)
})

test.each(['from v_formulas', 'v_formulas limit', '*', /v_formulas/, { shape: all }, undefined])(
  'rows for the match %s are answered as they are',
  async (match) => expect(await rowsOfView(match, foreign)(all)).toBeUndefined(),
)

test('no row, a whole row, and a row with some columns are rows of a view', async () => {
  const { id, name } = sampleRows.v_formulas
  for (const rows of [[], [sampleRows.v_formulas], [{ id, name }, {}]])
    expect(await rowsOfView('v_formulas', rows)(all)).toBeUndefined()
})
