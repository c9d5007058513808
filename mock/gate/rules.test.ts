import { beforeAll, describe, expect, test } from 'vitest'
import { defaultSqlRules, type SqlRules, StatementRefused } from '../engine/engine.ts'
import { type Admission, admit, loadParser } from './gate.ts'

beforeAll(loadParser)

const taken = (text: string, rules: Partial<SqlRules>): readonly Admission[] =>
  admit(text, 'any', { ...defaultSqlRules, ...rules })

const outcome = (text: string, rules: Partial<SqlRules>): string => {
  try {
    return taken(text, rules)
      .map(({ text: part, silent }) => (silent ? `(${part.trim()})` : part.trim()))
      .join(' + ')
  } catch (error) {
    if (error instanceof StatementRefused) return error.kind
    throw error
  }
}

const two = "SELECT '€' AS a; SELECT 2;"
const nothing = 'SELECT WHERE false'

describe('several statements in one text', () => {
  test.each([
    ['error', 'other'],
    ['first', "SELECT '€' AS a"],
    ['last', 'SELECT 2'],
    ['all-last-result', "(SELECT '€' AS a) + SELECT 2"],
    ['merged', "SELECT '€' AS a + SELECT 2"],
  ] as const)('%s', (several, runs) => {
    expect(outcome(two, { several })).toBe(runs)
    expect(outcome('SELECT 1', { several })).toBe('SELECT 1')
  })

  test('are each looked at, unless they are ignored', () => {
    const half = 'SELECT 1; DELETE FROM v_quantities'
    expect(outcome(half, { several: 'first' })).toBe('SELECT 1')
    for (const several of ['last', 'merged', 'all-last-result'] as const)
      expect(outcome(half, { several })).toBe('other')
    expect(outcome('SELECT 1; SELECT * FROM plant.formulas', { several: 'merged' })).toBe('unknown-relation')
  })
})

test.each(['', ' ; ', '-- nothing'])('a text without a statement: %j', (text) => {
  expect(outcome(text, {})).toBe('empty')
  expect(outcome(text, { empty: 'success' })).toBe(nothing)
})

test('a semicolon', () => {
  expect(outcome('SELECT 1 ;', { semicolon: 'error' })).toBe('other')
  expect(outcome("SELECT ';'", { semicolon: 'error' })).toBe("SELECT ';'")
})

describe('whatever a client sends, taken for done', () => {
  const any = { accept: 'any' } as const

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
  ])('%s is not executed', (text) => {
    expect(outcome(text, any)).toBe(nothing)
    expect(outcome(`SELECT 1; ${text}`, { ...any, several: 'merged' })).toBe(`SELECT 1 + ${nothing}`)
  })

  test.each([
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT set_config('role', 'postgres', true)",
    'SELECT 1 INTO mine',
    'SELECT * FROM v_quantities FOR UPDATE',
  ])('%s is refused as ever', (text) => {
    expect(outcome(text, any)).toBe('other')
  })

  test('other relations do not exist as ever', () => {
    expect(outcome('SELECT * FROM pg_authid', any)).toBe('unknown-relation')
    expect(outcome('DELETE FROM plant.quantities', any)).toBe('unknown-relation')
  })
})

describe('a short list of constructs', () => {
  const accept = 'allow-list'

  test.each([
    "SELECT id, name FROM v_quantities WHERE name > 'a' AND NOT is_timeseries ORDER BY id LIMIT 3 OFFSET 1",
    'SELECT * FROM v_timeseries t JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
    'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
    "SELECT * FROM v_quantities WHERE last_updated_at > DATE '2025-01-01' AND id IN ('a', 'b')",
  ])('has %s', (text) => expect(outcome(text, { accept })).toBe(text))

  test.each([
    'SELECT id FROM v_quantities GROUP BY id',
    'SELECT DISTINCT id FROM v_quantities',
    'SELECT count(*) FROM v_quantities',
    'SELECT id FROM v_quantities UNION SELECT id FROM v_formulas',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'SELECT (SELECT id FROM v_formulas GROUP BY id)',
    'SELECT max(id) OVER () FROM v_quantities',
  ])('has not %s', (text) => expect(outcome(text, { accept })).toBe('other'))
})

test('filters on other columns', () => {
  const filters = 'refused'
  const allowed = [
    "SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01'",
    'SELECT q.id FROM v_timeseries t LEFT JOIN v_quantities q ON q.id = t.quantity_id WHERE t.last_updated_at > now()',
    'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT max(last_updated_at) FROM v_bioprocesses)',
  ]
  for (const text of allowed) expect(outcome(text, { filters })).toBe(text)
  const refused = [
    "SELECT * FROM v_archived_records WHERE archived_at > '2025-01-01'",
    "SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01' AND id = 'a'",
    "SELECT 1 UNION SELECT 2 FROM v_quantities WHERE name = 'a'",
  ]
  for (const text of refused) expect(outcome(text, { filters })).toBe('other')
})

const filter = (of: string) => `SELECT id FROM v_quantities WHERE ${of}`

describe('dates', () => {
  const spellings = {
    'quoted-date': "'2024-01-01'",
    'iso-date-time': "'2024-01-01T00:00:00Z'",
    'space-date-time': "'2024-01-01 00:00:00'",
    'date-keyword': "DATE '2024-01-01'",
    'timestamp-keyword': "TIMESTAMP '2024-01-01 00:00:00'",
  } as const
  const all = Object.entries(spellings) as [keyof typeof spellings, string][]

  test.each(all)('as %s alone', (dates, own) => {
    for (const [slug, literal] of all)
      for (const of of [
        `last_updated_at > ${literal}`,
        `${literal} < v_quantities.last_updated_at`,
        `last_updated_at BETWEEN ${own} AND ${literal}`,
      ])
        expect(outcome(filter(of), { dates })).toBe(slug === dates ? filter(of) : 'other')
  })

  test('are no concern of other columns and other bounds', () => {
    for (const of of ["name > 'x'", 'last_updated_at > now()'])
      expect(outcome(filter(of), { dates: 'quoted-date' })).toBe(filter(of))
    expect(outcome(filter("last_updated_at > 'yesterday'"), { dates: 'quoted-date' })).toBe('other')
  })
})

const spelled = (text: string) => Object.fromEntries(admit(text)[0]!.spelled())

test('names as they are spelled', () => {
  expect(spelled('SELECT Record_Id, "archived_at", v.TABLE_NAME FROM v_archived_records V')).toEqual({
    record_id: 'Record_Id',
    table_name: 'TABLE_NAME',
  })
  expect(spelled("SELECT 'é€' AS Note, MAX(ID) AS Id FROM v_quantities WHERE ID > 'a'")).toEqual({
    note: 'Note',
    id: 'Id',
  })
  expect(spelled('SELECT * FROM V_QUANTITIES')).toEqual({})
})
