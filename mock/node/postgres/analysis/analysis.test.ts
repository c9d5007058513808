import { beforeAll, describe, expect, test } from 'vitest'
import { views } from '../../../../schemas/views.ts'
import { documented, furtherSelects } from '../../../engine/session/statements.test-helper.ts'
import { createSettings } from '../../../open-points/settings.ts'
import { SqlError } from '../../../statement.ts'
import { loadArtifacts } from '../../pglite/artifacts.ts'
import { jsonOf, smallSnapshot } from '../../pglite/plant.test-helper.ts'
import { Analysis } from './analysis.ts'
import { type HostFacts, stepsOf } from './host-facts.ts'

const facts: HostFacts = {
  schema: 'lab',
  views: Object.fromEntries(
    views.map(({ name, columns }) => [
      name,
      [...columns.map((column) => `NULL::${column.postgres} AS ${column.name}`), 'NULL::text AS site'],
    ]),
  ),
  refused: ['initcap(xid)', 'age(xid)', 'casefold'],
  collations: ['C', 'de-x-icu'],
}

let analysis: Analysis
beforeAll(async () => {
  analysis = await Analysis.open(await smallSnapshot(), await loadArtifacts())
  await analysis.apply(stepsOf(facts))
})

async function refusal(
  statement: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Pick<SqlError, 'kind' | 'message' | 'relation'> | undefined> {
  try {
    const [one] = JSON.parse(await jsonOf(analysis, statement, createSettings(settings))) as {
      text: string
    }[]
    expect(one!.text).toBe(statement)
    return undefined
  } catch (error) {
    if (!(error instanceof SqlError)) throw error
    return error
  }
}

describe('the analysis of a statement', () => {
  test.each([
    ...documented,
    ...furtherSelects.map((statement) => statement.replace('public.', 'lab.')),
    `SELECT count(*) FROM v_formulas WHERE last_updated_at > now() - ('3' || ' days')::interval`,
    `WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SEARCH DEPTH FIRST BY n SET o CYCLE n SET c USING p SELECT * FROM t`,
    'SELECT e.site, t.n FROM v_experiments e, (SELECT 1 AS n) t',
    `SELECT jsonb_populate_record(NULL::v_formulas, '{}'), q FROM v_quantities q`,
    'SELECT 1 AS ":relid\u00a01259"',
    'SELECT f.ts_stat FROM (SELECT 1 AS ts_stat) f',
    'SELECT sum(x) OVER (ORDER BY x RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM generate_series(1, 3) x',
    "SELECT 'x'::varchar(2201), 1.5::numeric(10, 2), age(now())",
    'SELECT version, pg_class FROM (SELECT 1 AS version, 2 AS pg_class) t',
    'SELECT 1 AS ":funcid 2331 :relid 1259", \'{FUNCEXPR :funcid 2331\' AS "{SQLVALUEFUNCTION :op 10"',
    "SELECT to_tsvector('english', name) @@ plainto_tsquery('english', 'cats'), ts_lexize('english_stem', 'cats') FROM v_quantities",
    "SELECT to_tsvector(c, name), c FROM v_quantities, (SELECT 'pg_catalog.german'::regconfig AS c) t",
    'SELECT pg_typeof(name), pg_typeof(1)::text FROM v_quantities GROUP BY pg_typeof(name)',
    'SELECT name FROM v_quantities WHERE pg_typeof(name)::text <> \'xml\' ORDER BY name COLLATE "de-x-icu"',
    `SELECT 1 AS "${'x'.repeat(63)}", 2 AS "${':relid 1259'.repeat(5)}"`,
  ])('lets it run: %s', async (statement) => {
    expect(await refusal(statement)).toBeUndefined()
  })

  test.each([
    ["SELECT f.ts_stat AS ts_stat FROM unnest(ARRAY['SELECT 1']) f", 'function ts_stat'],
    ["SELECT (f).ts_stat FROM unnest(ARRAY['SELECT 1']) f", 'function ts_stat'],
    ["SELECT 1 WHERE 'a' < 'B' AND pg_terminate_backend(1)", 'function pg_terminate_backend'],
    ['SELECT 1 WHERE false AND pg_cancel_backend(1)', 'function pg_cancel_backend'],
    [
      'SELECT count(*) FILTER (WHERE pg_advisory_lock(1) IS NULL) FROM v_quantities',
      'function pg_advisory_lock',
    ],
    ['SELECT id FROM v_quantities ORDER BY set_config($$role$$, $$x$$, true)', 'function set_config'],
    ['SELECT * FROM pg_ls_dir($$.$$)', 'function pg_ls_dir'],
    ['WITH a AS (SELECT lo_create(0)) SELECT 1', 'function lo_create'],
    ['SELECT setseed(0.5)', 'function setseed'],
    ["SELECT array_in('{pg_authid}'::cstring, 2205, -1)", 'function array_in'],
    ["SELECT 'a'::text::regclass", 'function regclass'],
    ["SELECT '{a}'::text[]::regclass[]", 'function regclass'],
    ["SELECT 'pg_authid'::regclass", 'type regclass'],
    ["SELECT 1 WHERE ARRAY['reader'::regrole] IS NULL", 'type _regrole'],
    ["SELECT ('a' || 'b')::regnamespace", 'type regnamespace'],
    ["SELECT ('{a' || '}')::regtype[]", 'type _regtype'],
    ["SELECT ('a=r/a' || '')::aclitem", 'type aclitem'],
    [`SELECT * FROM json_to_record('{"a": "b"}') AS x(a regclass)`, 'type regclass'],
    [`SELECT JSON_VALUE('"b"', '$' RETURNING regclass)`, 'type regclass'],
    [`SELECT * FROM JSON_TABLE('["b"]', '$[*]' COLUMNS (a regclass PATH '$'))`, 'type regclass'],
    ["SELECT * FROM XMLTABLE('/a' PASSING '<a/>' COLUMNS b regclass)", 'type regclass'],
    ["SELECT jsonb_populate_record(NULL::pg_authid, '{}')", 'type pg_authid'],
    ["SELECT ('(1,a,' || 1242 || ',i)')::pg_am", 'type pg_am'],
    ["SELECT ('{' || '}')::pg_catalog.pg_am[]", 'type _pg_am'],
    [`SELECT * FROM jsonb_to_record('{}') AS t(a pg_namespace)`, 'type pg_namespace'],
    ["SELECT ts_token_type('closed.parser')", 'function ts_token_type'],
    ['SELECT current_user', 'CURRENT_USER and other words for the session'],
    ['SELECT 1 FROM v_quantities WHERE name = user', 'CURRENT_USER and other words for the session'],
    ['SELECT current_catalog', 'CURRENT_USER and other words for the session'],
    ['SELECT current_database()', 'function current_database'],
    ["SELECT 'integer'::regtype", 'type regtype'],
    ["SELECT pg_typeof(1) = 'integer'::regtype", 'type regtype'],
    ['SELECT 16400::int8::regtype', 'type regtype'],
    ['SELECT pg_typeof(1)::oid::regclass', 'type regclass'],
    ['SELECT t FROM (SELECT 16400::int8::regtype AS t) s', 'type regtype'],
    ['SELECT array_agg(pg_typeof(1))', 'type _regtype'],
    ["SELECT ('eng' || 'lish')::regconfig", 'type regconfig'],
    ['SELECT to_tsvector(name::regconfig, name) FROM v_quantities', 'type regconfig'],
    ["SELECT to_tsvector('16384', 'a')", 'type regconfig'],
    ["SELECT to_tsvector('4294967295', 'a')", 'type regconfig'],
    ["SELECT '65536'::regconfig", 'type regconfig'],
    ["SELECT '1073741824'::regdictionary", 'type regdictionary'],
    ["SELECT '{simple}'::regconfig[]", 'type _regconfig'],
    ['SELECT 16400::int8::regconfig', 'type regconfig'],
    [`SELECT json_populate_record(t, '{"a": "16400"}') FROM (SELECT pg_typeof(1) AS a) t`, 'type regtype'],
    [`SELECT jsonb_populate_record(ROW('english'::regconfig), '{"f1": "plant.x"}')`, 'type regconfig'],
    [`SELECT * FROM json_to_record('{"a": "b"}') AS x(a regconfig)`, 'type regconfig'],
    [`SELECT a FROM JSON_TABLE('["b"]', '$[*]' COLUMNS (a regconfig PATH '$'))`, 'type regconfig'],
    ["SELECT initcap('a')", 'function initcap'],
    ["SELECT casefold('a')", 'function casefold'],
    ['SELECT array_send(ARRAY[1])', 'function array_send'],
    ['SELECT record_send(ROW(1))', 'function record_send'],
  ])('refuses what it may not use: %s', async (statement, denied) => {
    expect(await refusal(statement)).toMatchObject({
      kind: 'other',
      message: `permission denied for ${denied}`,
    })
  })

  test.each([
    ['SELECT * FROM pg_class', 'pg_class'],
    ['SELECT (SELECT count(*) FROM pg_stat_activity) FROM v_quantities', 'pg_stat_activity'],
    ['SELECT * FROM information_schema.tables', 'information_schema.tables'],
    ['SELECT * FROM plant.host', 'plant.host'],
    ['SELECT * FROM shared_views.v_quantities', 'shared_views.v_quantities'],
    ['SELECT * FROM public.v_quantities', undefined],
    ['SELECT * FROM nowhere', 'nowhere'],
    ['DELETE FROM nowhere', 'nowhere'],
  ])('knows no relation but the views: %s', async (statement, relation) => {
    expect(await refusal(statement)).toMatchObject(
      relation === undefined ? { kind: 'other' } : { kind: 'unknown-relation', relation },
    )
  })

  test.each([
    'SELECT * FROM public.v_quantities',
    "SELECT public.lower('A')",
    'SELECT NULL::public.geometry',
    'SELECT 1 OPERATOR(public.=) 1',
  ])('says that nothing of another schema is available: %s', async (statement) => {
    expect((await refusal(statement))?.message).toBe(
      "Nothing of the schema public is available. Write the names of views without a schema, and use PostgreSQL's own functions, types and operators.",
    )
  })

  test.each([
    'SELECT 1; SELECT 2',
    'SELECT 1) OR EXISTS (SELECT 1',
    'EXPLAIN SELECT 1',
    'SHOW ALL',
    'SELECT 1 INTO mine',
    'DELETE FROM v_quantities',
    'WITH gone AS (DELETE FROM v_quantities RETURNING id) SELECT 1',
  ])('refuses what is not a query: %s', async (statement) => {
    expect(await refusal(statement)).toBeDefined()
  })

  test('refuses a view that the settings withhold', async () => {
    const statement = 'SELECT (SELECT count(*) FROM v_formula_results)'
    expect(await refusal(statement, { 'auth.permission': '403' })).toMatchObject({
      relation: 'v_formula_results',
      kind: 'other',
    })
    expect(await refusal(statement, { 'auth.permission': 'view-hidden' })).toMatchObject({
      kind: 'unknown-relation',
    })
    expect(await refusal('SELECT 1 FROM v_formulas', { 'auth.permission': '403' })).toBeUndefined()
  })

  test('answers a write without running it if the settings say so', async () => {
    const any = createSettings({ 'sql.accept': 'any' })
    expect(JSON.parse(await jsonOf(analysis, 'DELETE FROM v_quantities', any))).toMatchObject([
      { text: 'SELECT WHERE false' },
    ])
  })
})
