import { beforeAll, describe, expect, test } from 'vitest'
import { loadParser } from '../../../gate/gate.ts'
import { createSettings, defaultSettings } from '../../../open-points/settings.ts'
import { admitted } from './admitted.ts'

beforeAll(loadParser)

const ask = (statement: string, schema = 'public', columns: string[] = []) =>
  admitted({ statement, settings: defaultSettings, schema, columns })

describe('the gate before a database of others', () => {
  test.each([
    'SELECT q.pg_column_size FROM v_quantities q',
    'SELECT (SELECT q.row_security_active) FROM v_quantities q',
    'SELECT * FROM v_quantities q WHERE q.a_function_of_theirs',
    `SELECT f.ts_stat AS ts_stat FROM unnest(ARRAY['SELECT 1']) f`,
    `SELECT f.ts_stat FROM unnest(ARRAY(SELECT 'SELECT 1' AS ts_stat)) f, (SELECT 1 AS ts_stat) t`,
    `SELECT f.regclass FROM unnest(ARRAY['pg_authid']) f, (SELECT 1 AS f) regclass`,
    `WITH ts_stat AS (SELECT 1 AS n) SELECT f.ts_stat FROM unnest(ARRAY['SELECT 1']) f, ts_stat`,
    `SELECT (SELECT f.ts_stat FROM unnest(ARRAY['SELECT 1']) f) FROM (SELECT 1 AS ts_stat) f`,
    'SELECT * FROM v_formulas, LATERAL (SELECT q FROM v_quantities q) t ORDER BY t.pg_column_size',
  ])('refuses a function that is written as a column: %s', (statement) => {
    expect(() => ask(statement)).toThrow(/^column ".*" does not exist$/)
  })

  test.each([
    'SELECT q.id, q.* FROM v_quantities AS q',
    'SELECT t.n, t.count FROM (SELECT 1 AS n, count(*) FROM v_quantities) t',
    'SELECT t.name_of_mine FROM (SELECT u.name_of_mine FROM (SELECT 1 AS name_of_mine) u) t',
    'SELECT v.mine, f.mine FROM v_quantities v(mine), json_to_record(NULL) AS f(mine int)',
    'SELECT g.g, h.x FROM generate_series(1, 3) AS g, generate_series(1, 3) AS h(x)',
    'WITH c(a) AS (SELECT id FROM v_formulas) SELECT c.a FROM c',
    `SELECT j.a FROM JSON_TABLE('{"a": 1}', '$' COLUMNS (a int PATH '$.a')) AS j`,
    `SELECT t.id, s.value FROM v_timeseries t, jsonb_each(t.statistics) s WHERE s.key = 'max'`,
    'WITH RECURSIVE t(n) AS (SELECT 1) CYCLE n SET looped USING path SELECT t.looped, t.path FROM t',
    'WITH RECURSIVE t(n) AS (SELECT 1) SEARCH DEPTH FIRST BY n SET place SELECT t.n FROM t ORDER BY t.place',
    'SELECT v.column1, t.case, t.int4 FROM (VALUES (1)) v, (SELECT CASE WHEN true THEN 1 END, 1::int) t',
  ])('admits the columns of a statement: %s', (statement) => {
    expect(ask(statement)).toHaveLength(1)
  })

  test('admits the further columns of the views', () => {
    const statement = 'SELECT e.site FROM v_experiments e'
    expect(() => ask(statement)).toThrow('column "site" does not exist')
    expect(ask(statement, 'public', ['site'])).toHaveLength(1)
  })

  test('refuses a schema before a view, unless the views are in public', () => {
    const statement = 'SELECT * FROM public.v_quantities'
    expect(ask(statement)).toHaveLength(1)
    expect(() => ask(statement, 'lab')).toThrow('Write the names of views without a schema.')
  })

  test('names the views of each of several statements with their schema, at their places in bytes', () => {
    const settings = createSettings({ 'sql.multi': 'merged' })
    const statement = `SELECT 'ä€' FROM v_timeseries; SELECT '😀' FROM v_quantities, v_formulas`
    const texts = admitted({ statement, settings, schema: 'a"b', columns: [] })
    expect(texts.map(({ text }) => text.trim())).toEqual([
      `SELECT 'ä€' FROM "a""b".v_timeseries`,
      `SELECT '😀' FROM "a""b".v_quantities, "a""b".v_formulas`,
    ])
  })

  test('says how many rows a LIMIT permits', () => {
    expect(ask('SELECT * FROM v_quantities LIMIT 7')[0]).toMatchObject({ limit: 7, ordered: false })
    expect(ask('SELECT * FROM v_quantities ORDER BY id')[0]).toMatchObject({
      limit: undefined,
      ordered: true,
    })
  })
})
