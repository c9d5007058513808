import { beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings } from '../open-points/settings.ts'
import { SqlError, StatementRefused } from '../statement.ts'
import { admit, type GateSettings, loadParser, maxStatementBytes } from './gate.ts'

beforeAll(loadParser)

const documentedOnly: GateSettings = { ...defaultSettings, 'sql.accept': 'documented' }

function refusalOf(statement: string, settings?: GateSettings): StatementRefused {
  try {
    admit(statement, settings)
  } catch (error) {
    if (error instanceof StatementRefused) return error
    throw error
  }
  throw new Error(`was accepted: ${statement}`)
}

const documented = [
  'SELECT * FROM v_bioprocesses LIMIT 10',
  'SELECT id, name FROM v_quantities',
  'select ID from V_Quantities;',
  "SELECT * FROM v_bioprocesses WHERE last_updated_at > '2025-01-01'",
  "SELECT * FROM v_bioprocesses WHERE last_updated_at > DATE '2025-01-01' LIMIT 3",
  "SELECT * FROM v_bioprocesses WHERE last_updated_at > '2025-01-01'::timestamptz",
  'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
  'SELECT t.*, b.* FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
  'SELECT t.id FROM v_timeseries AS t LEFT OUTER JOIN v_quantities AS q ON q.id = t.quantity_id LIMIT 1',
]

const furtherSelects = [
  'TABLE v_formulas',
  'VALUES (1), (2)',
  'SELECT 1',
  'SELECT * FROM public.v_quantities',
  'WITH a AS (SELECT * FROM v_formulas), b AS (SELECT * FROM a) SELECT * FROM b',
  'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT sum(i) FROM n',
  'WITH v_nothing AS (SELECT 1) SELECT * FROM v_nothing',
  'SELECT id FROM v_formulas UNION ALL SELECT id FROM v_quantities EXCEPT SELECT id FROM v_experiments',
  'SELECT id, rank() OVER (PARTITION BY unit ORDER BY id) FROM v_timeseries',
  'SELECT count(*) FILTER (WHERE value > 1) FROM v_timeseries_data GROUP BY GROUPING SETS ((id), ())',
  "SELECT qc->>'status', jsonb_array_elements(events)->'type' FROM v_bioprocesses",
  'SELECT * FROM v_bioprocesses b, LATERAL jsonb_to_recordset(b.events) AS e(note text, volume jsonb)',
  "SELECT json_object('a': 1), JSON_VALUE('{}'::jsonb, '$.a'), x.* FROM JSON_TABLE('{}', '$' COLUMNS (a int PATH '$.a')) x",
  "SELECT JSON_ARRAYAGG(id), JSON_OBJECTAGG(id: name), JSON_ARRAY(1, 'a') FROM v_quantities",
  "SELECT extract(epoch FROM start_timestamp), date_trunc('day', start_timestamp) AT TIME ZONE 'CET' FROM v_timeseries",
  "SELECT now() - interval '1 day', current_date, current_timestamp, localtime, localtimestamp(0), current_time",
  "SELECT CASE WHEN name ILIKE '%a%' THEN upper(name) ELSE coalesce(notes, '-') END FROM v_quantities",
  "SELECT * FROM v_quantities WHERE name IN ('a', 'b') AND id = ANY(ARRAY['x']) AND NOT EXISTS (SELECT 1 FROM v_formulas)",
  'SELECT (q).name, q.alternative_names[1] FROM v_quantities q',
  'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY value) FROM v_timeseries_data',
  'SELECT name COLLATE "C" FROM v_quantities ORDER BY 1 DESC NULLS LAST OFFSET 2 FETCH FIRST 3 ROWS ONLY',
  'SELECT pg_sleep(1)',
  'SELECT g FROM generate_series(1, 3) WITH ORDINALITY AS g(a, b)',
  "SELECT 'DROP TABLE x; --' AS text /* FROM pg_class */",
]

/** Texts of half a megabyte, each of which once took a minute or more. */
const long = 500_000
const superlinear: readonly (readonly [string, string, string | undefined])[] = [
  ['nested comments', `SELECT 1 ${'/*'.repeat(long / 4)}${'*/'.repeat(long / 4)}`, 'operator characters'],
  ['comments without spaces', `SELECT 1 ${'/**/'.repeat(long / 4)}`, 'operator characters'],
  ['signs', `SELECT ${'+'.repeat(long)}1`, 'operator characters'],
  ['signs and operators', `SELECT 1 ${'+-'.repeat(long / 2)} 1`, 'operator characters'],
  [
    'tables of WITH',
    `WITH a AS(SELECT 1)${Array.from({ length: long / 20 }, (_, n) => `,a${n} AS(SELECT 1)`).join('')} SELECT 1`,
    undefined,
  ],
  [
    'WITH below a long WITH',
    `WITH a AS(SELECT 1)${Array.from({ length: long / 40 }, (_, n) => `,a${n} AS(SELECT 1)`).join('')} SELECT 1${',(WITH b AS(SELECT 1)SELECT 1)'.repeat(long / 60)}`,
    undefined,
  ],
]

describe('the gate', () => {
  // far above what they take, and far below what they took
  test.each(superlinear)(
    'takes a time in proportion to the length of %s',
    { timeout: 20_000 },
    (_, statement, refusal) => {
      if (refusal === undefined) expect(admit(statement)).toHaveLength(1)
      else expect(refusalOf(statement).message).toContain(refusal)
    },
  )

  test('admits rows of operator characters that a person writes', () => {
    const ruler = '='.repeat(200)
    expect(() => admit(`/*${ruler}*/ SELECT '${'-'.repeat(500)}' ${'-'.repeat(120)}`)).not.toThrow()
  })

  test.each([...documented, ...furtherSelects])('admits %s', (statement) => {
    expect(() => admit(statement)).not.toThrow()
  })

  test.each([
    ['SELECT * FROM nowhere', 'nowhere'],
    ['SELECT * FROM Nowhere', 'nowhere'],
    ['SELECT * FROM "V_Quantities"', 'V_Quantities'],
    ['SELECT * FROM "a""b"', 'a"b'],
    ['SELECT * FROM pg_catalog.pg_class', 'pg_catalog.pg_class'],
    ['SELECT * FROM pg_class', 'pg_class'],
    ['SELECT * FROM information_schema.tables', 'information_schema.tables'],
    ['SELECT * FROM plant.quantities', 'plant.quantities'],
    ['SELECT * FROM quantities', 'quantities'],
    ['SELECT * FROM plant.v_quantities', 'plant.v_quantities'],
    ['SELECT * FROM other.public.v_quantities', 'other.public.v_quantities'],
    ['SELECT (SELECT max(x) FROM hidden) FROM v_quantities', 'hidden'],
    ['SELECT nope(1) FROM v_quantities JOIN hidden ON true', 'hidden'],
    ['SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) s, a', 'a'],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', 'b'],
    ['SELECT (SELECT 1 FROM second) FROM first', 'first'],
    ['DELETE FROM nowhere', 'nowhere'],
    ['SELECT * FROM nowhere FOR UPDATE', 'nowhere'],
  ])('reports the relation that does not exist: %s', (statement, relation) => {
    const error = refusalOf(statement)
    expect(error).toMatchObject({ kind: 'unknown-relation', relation, sqlState: '42P01' })
    expect(error.message).toBe(`relation "${relation}" does not exist`)
  })

  test.each([
    ['SELEC id FROM v_bioprocesses', 'syntax error at or near "SELEC"'],
    ["SELECT 'abc", 'unterminated quoted string at or near "\'abc"'],
    ['SELECT * FROM nowhere WHERE', 'syntax error at end of input'],
    ['SELECT 1 FROM v_quantities LIMIT 1, 2', 'LIMIT #,# syntax is not supported'],
  ])('reports syntax errors before anything else: %s', (statement, message) => {
    expect(refusalOf(statement)).toMatchObject({ kind: 'syntax', message, sqlState: '42601' })
  })

  test.each([
    'SELECT 1; SELECT 2',
    'SELECT 1 INTO mine',
    'SELECT * INTO TEMP mine FROM v_quantities',
    'SELECT * FROM v_quantities FOR UPDATE',
    'SELECT * FROM v_quantities FOR KEY SHARE SKIP LOCKED',
    'WITH gone AS (DELETE FROM v_quantities RETURNING *) SELECT * FROM gone',
    'INSERT INTO v_quantities SELECT * FROM v_quantities',
    "UPDATE v_quantities SET name = ''",
    'DELETE FROM v_quantities',
    'TRUNCATE plant.quantities',
    'DROP TABLE plant.quantities',
    'CREATE TABLE mine AS SELECT 1',
    'EXPLAIN SELECT 1',
    "COPY (SELECT 1) TO PROGRAM 'sh'",
    'SET ROLE postgres',
    'RESET SESSION AUTHORIZATION',
    'BEGIN',
    'PREPARE p AS SELECT 1',
    'DECLARE c CURSOR FOR SELECT 1',
    'LISTEN x',
    'DO $$ BEGIN PERFORM 1; END $$',
    'CALL p()',
    'VACUUM',
    "SELECT set_config('role', 'postgres', true)",
    "SELECT pg_catalog.set_config('role', 'postgres', true)",
    "SELECT \"set_config\"('role', 'postgres', true)",
    "SELECT current_setting('data_directory')",
    'SELECT current_user',
    'SELECT current_role',
    'SELECT user',
    'SELECT session_user',
    'SELECT current_catalog',
    'SELECT id FROM v_quantities WHERE name = current_schema',
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT * FROM pg_ls_dir('.')",
    'SELECT lo_create(0)',
    'SELECT pg_advisory_lock(1)',
    'SELECT count(*) FILTER (WHERE lo_unlink(1) = 1) FROM v_quantities',
    'SELECT setseed(0.5)',
    'SELECT plant.anything()',
    'SELECT (0).pg_sleep_until',
    "SELECT ('x'::text).lo_import",
    "SELECT 'pg_authid'::regclass",
    "SELECT CAST('1' AS pg_catalog.regproc)",
    'SELECT $1',
    'SELECT xmlelement(name a)',
    'SELECT * FROM v_quantities TABLESAMPLE system (1)',
    'SELECT \0',
    'SELECT 1 \0 DROP',
    "SELECT '\ud800'",
  ])('refuses a statement that is no read-only SELECT: %s', (statement) => {
    const error = refusalOf(statement)
    expect(error).toBeInstanceOf(SqlError)
    expect(error.kind).toBe('other')
  })

  test.each([
    "SELECT 'a' OPERATOR(lab.##) 'b'",
    "SELECT OPERATOR(lab.##) 'a'",
    "SELECT 'a' OPERATOR(lab.##) ANY (ARRAY['b'])",
    "SELECT 'a' OPERATOR(lab.##) ALL (SELECT id FROM v_quantities)",
    "SELECT ('a', 'b') OPERATOR(lab.##) (SELECT id, name FROM v_quantities)",
    'SELECT id FROM v_quantities ORDER BY id USING OPERATOR(lab.##)',
    'SELECT rank() OVER (ORDER BY id USING OPERATOR(lab.##)) FROM v_quantities',
    "SELECT 'a' OPERATOR(plant.pg_catalog.##) 'b'",
  ])('refuses an operator of another schema: %s', (statement) => {
    expect(refusalOf(statement).message).toMatch(
      /^The operator (lab|plant\.pg_catalog)\.## is not accepted\.$/,
    )
  })

  test('admits an operator of PostgreSQL by its schema', () => {
    expect(() =>
      admit(
        'SELECT id FROM v_quantities WHERE 1 OPERATOR(pg_catalog.<) 2 ORDER BY id USING OPERATOR(pg_catalog.<)',
      ),
    ).not.toThrow()
  })

  test.each([
    ['parentheses', `SELECT ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
    ['operators', `SELECT 1${' + 1'.repeat(50_000)}`],
  ])('refuses a statement with deeply nested %s', (_, statement) => {
    expect(refusalOf(statement)).toMatchObject({ kind: 'other' })
  })

  test('measures the length of a statement in bytes', () => {
    expect(() => admit('SELECT 1'.padEnd(maxStatementBytes))).not.toThrow()
    expect(refusalOf('SELECT 1'.padEnd(maxStatementBytes + 1)).sqlState).toBe('54000')
    expect(refusalOf(`SELECT '${'€'.repeat(maxStatementBytes / 3)}'`).sqlState).toBe('54000')
  })

  test('reports whether a statement orders its rows, and the aliases of its views', () => {
    const joined = 'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses ON true ORDER BY 1'
    const sources = [
      { view: 'v_timeseries', alias: 't' },
      { view: 'v_bioprocesses', alias: 'v_bioprocesses' },
    ]
    expect(admit(joined)).toMatchObject([{ text: joined, ordered: true, sources }])
    expect(admit('SELECT 1')).toMatchObject([{ text: 'SELECT 1', ordered: false, sources: [] }])
  })
})

describe('the gate with only the documented kinds', () => {
  test.each(documented)('admits a documented statement: %s', (statement) => {
    expect(() => admit(statement, documentedOnly)).not.toThrow()
  })

  test.each([
    // TABLE x and public.x are SELECT * FROM x by another spelling
    ...furtherSelects.filter((statement) => !/^TABLE|public\./.test(statement)),
    'SELECT DISTINCT unit FROM v_timeseries',
    'SELECT count(*) FROM v_timeseries',
    'SELECT id AS key FROM v_timeseries',
    'SELECT * FROM v_timeseries ORDER BY id',
    'SELECT * FROM v_timeseries LIMIT 1 OFFSET 1',
    'SELECT * FROM v_timeseries LIMIT ALL',
    "SELECT * FROM v_timeseries WHERE id = 'x'",
    "SELECT * FROM v_timeseries WHERE last_updated_at > '2025-01-01' AND unit = ''",
    'SELECT * FROM v_timeseries WHERE last_updated_at > now()',
    'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MIN(last_updated_at) FROM v_bioprocesses)',
    'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses WHERE true)',
    'SELECT * FROM v_timeseries, v_bioprocesses',
    'SELECT * FROM v_timeseries t JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
    'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b USING (id)',
    'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses b ON t.bioprocess_id > b.id',
  ])('refuses an undocumented statement: %s', (statement) => {
    expect(refusalOf(statement, documentedOnly).kind).toBe('other')
  })

  test('still reports syntax errors and unknown relations as such', () => {
    expect(refusalOf('SELEC', documentedOnly).kind).toBe('syntax')
    expect(refusalOf('SELECT count(*) FROM nowhere', documentedOnly).kind).toBe('unknown-relation')
  })
})

function refusedAs(statement: string, variant: 'permission-denied' | 'view-hidden'): unknown {
  try {
    admit(statement, { ...defaultSettings, 'auth.permission': variant })
  } catch (error) {
    return error
  }
  return undefined
}

describe('the gate with a withheld view', () => {
  const view = 'v_formula_results'
  const reading = [
    'SELECT * FROM v_formula_results',
    'SELECT * FROM public.V_Formula_Results r',
    'SELECT * FROM v_formulas f LEFT JOIN v_formula_results r ON r.formula_id = f.id',
    'SELECT * FROM v_formulas WHERE id IN (SELECT formula_id FROM v_formula_results)',
    'WITH r AS (SELECT * FROM v_formula_results) SELECT * FROM r',
  ]
  const others = [
    'SELECT * FROM v_formulas',
    "SELECT 'v_formula_results' AS v_formula_results FROM v_formulas -- v_formula_results",
    'WITH v_formula_results AS (SELECT 1) SELECT * FROM v_formula_results',
  ]

  test.each(reading)('refuses to read the withheld view: %s', (statement) => {
    expect(() => admit(statement)).not.toThrow()
    expect(refusedAs(statement, 'permission-denied')).toMatchObject({
      kind: 'other',
      sqlState: '42501',
      relation: view,
      message: 'permission denied for view v_formula_results',
    })
    expect(refusedAs(statement, 'view-hidden')).toMatchObject({
      kind: 'unknown-relation',
      // as PostgreSQL prints it: with the schema where the statement names one
      message: expect.stringMatching(/^relation "(public\.)?v_formula_results" does not exist$/),
    })
  })

  test.each(others)('admits a statement that does not read the withheld view: %s', (statement) => {
    expect(refusedAs(statement, 'permission-denied')).toBeUndefined()
    expect(refusedAs(statement, 'view-hidden')).toBeUndefined()
  })

  test('reports an unknown relation before a withheld view', () => {
    expect(refusedAs('SELECT * FROM v_formula_results, nowhere', 'permission-denied')).toMatchObject({
      kind: 'unknown-relation',
      relation: 'nowhere',
    })
  })
})
