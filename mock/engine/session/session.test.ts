import { beforeAll, describe, expect, test } from 'vitest'
import { loadArtifacts } from '../../node/pglite/artifacts.ts'
import { jsonOf, smallSnapshot } from '../../node/pglite/plant.test-helper.ts'
import { createSettings } from '../../open-points/settings.ts'
import { SqlError } from '../../statement.ts'
import { maxStatementBytes } from './refusals.ts'
import { Session } from './session.ts'
import { documented, furtherSelects } from './statements.test-helper.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open(await smallSnapshot(), await loadArtifacts())
})

async function errorOf(
  statement: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<SqlError | undefined> {
  try {
    await jsonOf(session, statement, createSettings(settings))
    return undefined
  } catch (error) {
    if (error instanceof SqlError) return error
    throw error
  }
}

describe('the engine', () => {
  test.each([...documented, ...furtherSelects])('answers %s', async (statement) => {
    expect(await errorOf(statement)).toBeUndefined()
  })

  test.each([
    ['SELECT * FROM nowhere', 'nowhere'],
    ['SELECT * FROM Nowhere', 'nowhere'],
    ['SELECT * FROM "V_Quantities"', 'V_Quantities'],
    ['SELECT * FROM "a""b"', 'a"b'],
    ['SELECT * FROM pg_catalog.pg_class', 'pg_class'],
    ['SELECT * FROM pg_class', 'pg_class'],
    ['SELECT * FROM information_schema.tables', 'information_schema.tables'],
    ['SELECT * FROM plant.quantities', 'plant.quantities'],
    ['SELECT * FROM quantities', 'quantities'],
    ['SELECT * FROM plant.v_quantities', 'plant.v_quantities'],
    ['SELECT * FROM "plant"."quantities"', 'plant.quantities'],
    ['SELECT * FROM "plant"."Quan""tities"', 'plant.Quan"tities'],
    ['SELECT * FROM U&"plan\\0074".quantities', 'plant.quantities'],
    ['SELECT * FROM Plant /* a */ . -- b\n Quantities', 'plant.quantities'],
    ["SELECT 'plant.a', '😀' FROM v_quantities, plant.quantities -- plant.b", 'plant.quantities'],
    ['INSERT INTO plant.quantities VALUES (1)', 'plant.quantities'],
    ['SELECT * FROM nope.quantities', 'nope.quantities'],
    ['SELECT * FROM shared_views.v_quantities', 'shared_views.v_quantities'],
    ['SELECT (SELECT max(x) FROM hidden) FROM v_quantities', 'hidden'],
    ['SELECT nope(1) FROM v_quantities JOIN hidden ON true', 'hidden'],
    ['SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) s, a', 'a'],
    ['WITH a AS (SELECT * FROM b), b AS (SELECT 1) SELECT * FROM a', 'b'],
    ['SELECT (SELECT 1 FROM second) FROM first', 'first'],
    ['DELETE FROM nowhere', 'nowhere'],
    ['SELECT * FROM nowhere FOR UPDATE', 'nowhere'],
  ])('reports the relation that does not exist: %s', async (statement, relation) => {
    expect(await errorOf(statement)).toMatchObject({
      kind: 'unknown-relation',
      relation,
      message: `relation "${relation}" does not exist`,
    })
  })

  test.each([
    ['SELECT 1, |nope FROM v_quantities'],
    ["SELECT '😀',\n\t|nope"],
    [' ;\n SELECT |nope'],
    ['SELECT 1 FRO |v_quantities'],
    ['SELECT * FROM |hidden'],
    ['SELECT * FROM |plant.quantities'],
    ['SELECT x FROM |nowhere.pg_type_is_not'],
    ['DELETE FROM |nowhere'],
    ["SELECT 'ä', 1 AS a; SELECT |nope; SELECT 2", { 'sql.multi': 'merged' }],
    ['SELECT 1; SELECT |nope', { 'sql.multi': 'last' }],
    ['  SELECT |nope', { 'rows.shape': 'array' }],
  ])(
    'tells the place of an error in the statement as it was sent: %j with %j',
    async (marked, settings: Readonly<Record<string, string>> = {}) => {
      const position = Array.from(marked.slice(0, marked.indexOf('|'))).length + 1
      expect(await errorOf(marked.replace('|', ''), settings)).toMatchObject({ position })
    },
  )

  test('tells the hint of an error, and its detail only where that speaks of the text', async () => {
    const hint = 'Perhaps you meant to reference the column "v_formulas.name".'
    expect(await errorOf('SELECT nam FROM v_formulas')).toMatchObject({ hint })
    expect(await errorOf(`SELECT '{x'::jsonb`)).toMatchObject({ position: 8, hint: 'Token "x" is invalid.' })
    expect(await errorOf('SELECT name::jsonb FROM v_quantities')).toMatchObject({ position: 0, hint: '' })
  })

  test.each([
    ['SELEC id FROM v_bioprocesses', 'syntax error at or near "SELEC"'],
    ["SELECT 'abc", 'unterminated quoted string at or near "\'abc"'],
    ['SELECT * FROM nowhere WHERE', 'syntax error at end of input'],
    ['SELECT 1 FROM v_quantities LIMIT 1, 2', 'LIMIT #,# syntax is not supported'],
  ])('reports syntax errors before anything else: %s', async (statement, message) => {
    expect(await errorOf(statement)).toMatchObject({ kind: 'syntax', message, sqlState: '42601' })
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
    'SELECT current_database()',
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT * FROM pg_ls_dir('.')",
    'SELECT lo_create(0)',
    'SELECT pg_advisory_lock(1)',
    'SELECT count(*) FILTER (WHERE lo_unlink(1) = 1) FROM v_quantities',
    'SELECT setseed(0.5)',
    'SELECT plant.anything()',
    "SELECT f.ts_stat AS ts_stat FROM unnest(ARRAY['SELECT 1']) f",
    "SELECT f.current_setting AS current_setting FROM unnest(ARRAY['server_version']) f",
    "SELECT ('x'::text).lo_import",
    'SELECT * FROM v_quantities TABLESAMPLE system (1)',
    'SELECT \0',
    'SELECT 1 \0 DROP',
    "SELECT '\ud800'",
  ])('refuses a statement that is not a query or does not only read: %s', async (statement) => {
    expect(await errorOf(statement)).toMatchObject({ kind: 'other' })
  })

  test.each([
    ['', 'The text is empty. Send one statement.'],
    ['-- nothing', 'The text is not a query. Send one statement: SELECT, VALUES, TABLE or WITH.'],
    ['SHOW ALL', 'The text is not a query. Send one statement: SELECT, VALUES, TABLE or WITH.'],
    [
      'EXPLAIN ANALYZE SELECT 1',
      'The text is not a query. Send one statement: SELECT, VALUES, TABLE or WITH.',
    ],
    ['SELECT 1; SELECT 2', 'The text holds several statements. Send exactly one.'],
    ['DELETE FROM v_quantities; SELECT 1', 'The text holds several statements. Send exactly one.'],
    ["SELECT set_config('role', 'postgres', true)", 'permission denied for function set_config'],
    ['SELECT $1', 'there is no parameter $1'],
    ['SELECT id FROM v_quantities WHERE name = $2 AND $1', 'there is no parameter $2'],
    ['SELECT $1 IS NULL', 'there is no parameter $1'],
    ["SELECT 'v_quantities'::regclass", 'permission denied for type regclass'],
    ['SELECT plant.f() -- plant.secret', 'schema "plant" does not exist'],
    ['SELECT 1::plant.quantities', 'schema "plant" does not exist'],
    ['SELECT 1 OPERATOR(plant.+) 2', 'schema "plant" does not exist'],
    [`SELECT 'a' COLLATE plant."C"`, 'schema "plant" does not exist'],
    ["SELECT 'plant.secret' FROM plant.f()", 'schema "plant" does not exist'],
    [';', 'The text is empty. Send one statement.'],
    ['; SELECT 1; SELECT 2', 'The text holds several statements. Send exactly one.'],
    ["SELECT 'a' AS regtype, JSON_VALUE('{}', '$.[')", 'syntax error at or near "[" of jsonpath input'],
    ["SELECT '1'::plant.secret", 'schema "plant" does not exist'],
    ["SELECT regconfigin('plant.x')", 'schema "plant" does not exist'],
    [
      "SELECT CASE WHEN id <> '' THEN 'plant.x' END::regconfig FROM v_quantities",
      'schema "plant" does not exist',
    ],
    ["SELECT 'x.y' COLLATE postgres.plant.a", 'schema "plant" does not exist'],
    ['SELECT * FROM postgres.plant.quantities', 'schema "plant" does not exist'],
    ["SELECT '😀' FROM nope.quantities", 'relation "nope.quantities" does not exist'],
    ["SELECT ''::nope.quantities", 'schema "nope" does not exist'],
    ['SELECT nope.f()', 'schema "nope" does not exist'],
    [
      'WITH gone AS (DELETE FROM v_quantities RETURNING *) SELECT * FROM gone',
      'The text is not a query. Send one statement: SELECT, VALUES, TABLE or WITH.',
    ],
  ])('says why it refuses %j', async (statement, message) => {
    expect((await errorOf(statement))?.message).toBe(message)
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
  ])('refuses an operator of another schema: %s', async (statement) => {
    expect(await errorOf(statement)).toMatchObject({ kind: 'other' })
  })

  test('measures the length of a statement in bytes', async () => {
    expect(await errorOf('SELECT 1'.padEnd(maxStatementBytes))).toBeUndefined()
    expect((await errorOf('SELECT 1'.padEnd(maxStatementBytes + 1)))?.sqlState).toBe('54000')
    expect((await errorOf(`SELECT '${'€'.repeat(maxStatementBytes / 3)}'`))?.sqlState).toBe('54000')
  })

  test.each([
    ['nested comments', `SELECT 1 ${'/*'.repeat(125_000)}${'*/'.repeat(125_000)}`],
    ['comments without spaces', `SELECT 1 ${'/**/'.repeat(125_000)}`],
    ['signs', `SELECT ${'+'.repeat(500_000)}1`],
    ['signs and operators', `SELECT 1 ${'+-'.repeat(250_000)} 1`],
  ])('refuses half a megabyte of %s, which would take a minute', async (_, statement) => {
    expect((await errorOf(statement))?.message).toContain('operator characters')
  })

  test('takes rows of operator characters that a person writes', async () => {
    const ruler = '='.repeat(200)
    expect(await errorOf(`/*${ruler}*/ SELECT '${'-'.repeat(500)}' ${'-'.repeat(120)}`)).toBeUndefined()
  })
})

test.each([
  [{}, '{"a":1}'],
  [{ 'sql.accept': 'any', 'sql.multi': 'merged' }, '{"a":1}'],
] as const)('empty statements before the only one do not count, with %j', async (settings, rows) => {
  for (const text of [';SELECT 1 AS a', ' ;\n;; SELECT 1 AS a;'])
    expect(await jsonOf(session, text, createSettings(settings))).toBe(rows)
})

describe('several statements', () => {
  test('run after each other, and none of them if one is refused', async () => {
    const merged = createSettings({ 'sql.multi': 'merged' })
    expect(await jsonOf(session, 'SELECT 1 AS a; SELECT 2 AS a', merged)).toBe('{"a":1},{"a":2}')
    await expect(jsonOf(session, 'SELECT pg_sleep(60); DELETE FROM v_quantities', merged)).rejects.toThrow(
      'not a query',
    )
    await expect(jsonOf(session, 'SELECT pg_sleep(60); SELECT * FROM nowhere', merged)).rejects.toMatchObject(
      {
        kind: 'unknown-relation',
      },
    )
  })
})

describe('sql.accept=any', () => {
  test('a name of a closed schema in a value is an error', async () => {
    const text = "SELECT CASE WHEN id <> '' THEN 'plant.x' END::regconfig FROM v_quantities"
    expect(await errorOf(text, { 'sql.accept': 'any' })).toMatchObject({
      message: 'schema "plant" does not exist',
    })
  })

  const any = createSettings({ 'sql.accept': 'any', 'sql.multi': 'merged' })

  test.each([
    'DELETE FROM v_quantities',
    'UPDATE v_quantities SET name = name',
    "INSERT INTO v_archived_records VALUES ('x', 'y', now())",
    'WITH gone AS (DELETE FROM v_quantities RETURNING id) SELECT id FROM gone',
    'DROP VIEW v_quantities',
    'CREATE TABLE mine ()',
    'SET ROLE postgres',
    'COMMIT',
    "COPY v_quantities TO PROGRAM 'true'",
    'VACUUM',
    "DO 'BEGIN END'",
  ])('answers a statement and does not execute it: %s', async (text) => {
    expect(await jsonOf(session, text, any)).toBe('')
    expect(await jsonOf(session, `SELECT 1 AS a; ${text}`, any)).toBe('{"a":1}')
    expect(await jsonOf(session, 'SELECT count(*) FROM v_quantities')).toBe('{"count":3}')
  })

  test.each([
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT set_config('role', 'postgres', true)",
    'SELECT 1 INTO mine',
    'SELECT * FROM v_quantities FOR UPDATE',
  ])('still refuses a SELECT that does not only read: %s', async (text) => {
    expect(await errorOf(text, { 'sql.accept': 'any' })).toMatchObject({ kind: 'other' })
  })

  test.each(['SELECT * FROM pg_authid', 'DELETE FROM nowhere'])(
    'still reports an unknown relation: %s',
    async (text) => {
      expect(await errorOf(text, { 'sql.accept': 'any' })).toMatchObject({ kind: 'unknown-relation' })
    },
  )
})

test('an error of PostgreSQL comes before the refusal of a setting', async () => {
  const documentedOnly = { 'sql.accept': 'documented' }
  expect(await errorOf('SELEC', documentedOnly)).toMatchObject({ kind: 'syntax' })
  expect(await errorOf('SELECT count(*) FROM nowhere', documentedOnly)).toMatchObject({
    kind: 'unknown-relation',
  })
  expect(await errorOf('SELECT count(*) FROM v_quantities', documentedOnly)).toMatchObject({
    message: expect.stringMatching(/accepts only the documented kinds/),
  })
})

describe('a withheld view', () => {
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

  test.each(reading)('cannot be read: %s', async (statement) => {
    expect(await errorOf(statement)).toBeUndefined()
    expect(await errorOf(statement, { 'auth.permission': 'permission-denied' })).toMatchObject({
      kind: 'other',
      sqlState: '42501',
      relation: view,
      message: 'permission denied for view v_formula_results',
    })
    expect(await errorOf(statement, { 'auth.permission': 'view-hidden' })).toMatchObject({
      kind: 'unknown-relation',
      message: 'relation "v_formula_results" does not exist',
    })
  })

  test.each(others)('stops no statement that does not read it: %s', async (statement) => {
    for (const variant of ['permission-denied', 'view-hidden'])
      expect(await errorOf(statement, { 'auth.permission': variant })).toBeUndefined()
  })

  test('is reported after an unknown relation', async () => {
    const both = 'SELECT * FROM v_formula_results, nowhere'
    expect(await errorOf(both, { 'auth.permission': 'permission-denied' })).toMatchObject({
      kind: 'unknown-relation',
      relation: 'nowhere',
    })
  })
})
