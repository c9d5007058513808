import { beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings } from './settings.ts'
import { StatementRefused } from '../statement.ts'
import { admit, type GateSettings, loadParser } from '../gate/gate.ts'

beforeAll(loadParser)

/** The statements that run, silent ones in parentheses, or the kind of the refusal. */
const outcome = (text: string, settings: Partial<GateSettings>): string => {
  try {
    return admit(text, { ...defaultSettings, ...settings })
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
  ] as const)('run under sql.multi=%s as the setting says', (variant, runs) => {
    expect(outcome(two, { 'sql.multi': variant })).toBe(runs)
    expect(outcome('SELECT 1', { 'sql.multi': variant })).toBe('SELECT 1')
  })

  test('are each checked unless they are ignored', () => {
    const half = 'SELECT 1; DELETE FROM v_quantities'
    expect(outcome(half, { 'sql.multi': 'first' })).toBe('SELECT 1')
    for (const variant of ['last', 'merged', 'all-last-result'] as const)
      expect(outcome(half, { 'sql.multi': variant })).toBe('other')
    expect(outcome('SELECT 1; SELECT * FROM plant.formulas', { 'sql.multi': 'merged' })).toBe(
      'unknown-relation',
    )
  })
})

test.each(['', ' ; ', '-- nothing'])(
  'a text without a statement is refused, or runs and gives no rows: %j',
  (text) => {
    expect(outcome(text, {})).toBe('empty')
    expect(outcome(text, { 'sql.empty': 'success' })).toBe(nothing)
  },
)

test('sql.semicolon=error refuses a semicolon after a statement, and no other', () => {
  expect(outcome('SELECT 1 ;', { 'sql.semicolon': 'error' })).toBe('other')
  expect(outcome("SELECT ';'", { 'sql.semicolon': 'error' })).toBe("SELECT ';'")
})

describe('sql.accept=any', () => {
  const any = { 'sql.accept': 'any' } as const

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
  ])('answers a statement and does not execute it: %s', (text) => {
    expect(outcome(text, any)).toBe(nothing)
    expect(outcome(`SELECT 1; ${text}`, { ...any, 'sql.multi': 'merged' })).toBe(`SELECT 1 + ${nothing}`)
  })

  test.each([
    "SELECT pg_read_file('PG_VERSION')",
    "SELECT set_config('role', 'postgres', true)",
    'SELECT 1 INTO mine',
    'SELECT * FROM v_quantities FOR UPDATE',
  ])('still refuses a SELECT that does not only read: %s', (text) => {
    expect(outcome(text, any)).toBe('other')
  })

  test('still reports relations outside of the views as unknown', () => {
    expect(outcome('SELECT * FROM pg_authid', any)).toBe('unknown-relation')
    expect(outcome('DELETE FROM plant.quantities', any)).toBe('unknown-relation')
  })
})

describe('sql.accept=allow-list', () => {
  const listed = { 'sql.accept': 'allow-list' } as const

  test.each([
    "SELECT id, name FROM v_quantities WHERE name > 'a' AND NOT is_timeseries ORDER BY id LIMIT 3 OFFSET 1",
    'SELECT * FROM v_timeseries t JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
    'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
    "SELECT * FROM v_quantities WHERE last_updated_at > DATE '2025-01-01' AND id IN ('a', 'b')",
  ])('admits %s', (text) => expect(outcome(text, listed)).toBe(text))

  test.each([
    'SELECT id FROM v_quantities GROUP BY id',
    'SELECT DISTINCT id FROM v_quantities',
    'SELECT count(*) FROM v_quantities',
    'SELECT id FROM v_quantities UNION SELECT id FROM v_formulas',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'SELECT (SELECT id FROM v_formulas GROUP BY id)',
    'SELECT max(id) OVER () FROM v_quantities',
  ])('refuses %s', (text) => expect(outcome(text, listed)).toBe('other'))
})

test('sql.filters=refused refuses filters on columns other than last_updated_at', () => {
  const filters = { 'sql.filters': 'refused' } as const
  const allowed = [
    "SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01'",
    'SELECT q.id FROM v_timeseries t LEFT JOIN v_quantities q ON q.id = t.quantity_id WHERE t.last_updated_at > now()',
    'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT max(last_updated_at) FROM v_bioprocesses)',
  ]
  for (const text of allowed) expect(outcome(text, filters)).toBe(text)
  const refused = [
    "SELECT * FROM v_archived_records WHERE archived_at > '2025-01-01'",
    "SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01' AND id = 'a'",
    "SELECT 1 UNION SELECT 2 FROM v_quantities WHERE name = 'a'",
  ]
  for (const text of refused) expect(outcome(text, filters)).toBe('other')
})

const filter = (of: string) => `SELECT id FROM v_quantities WHERE ${of}`

describe('delta.literal', () => {
  const spellings = {
    'quoted-date': "'2024-01-01'",
    'iso-date-time': "'2024-01-01T00:00:00Z'",
    'space-date-time': "'2024-01-01 00:00:00'",
    'date-keyword': "DATE '2024-01-01'",
    'timestamp-keyword': "TIMESTAMP '2024-01-01 00:00:00'",
  } as const
  const all = Object.entries(spellings) as [keyof typeof spellings, string][]

  test.each(all)('admits only %s as the spelling of a date', (variant, own) => {
    for (const [other, literal] of all)
      for (const of of [
        `last_updated_at > ${literal}`,
        `${literal} < v_quantities.last_updated_at`,
        `last_updated_at BETWEEN ${own} AND ${literal}`,
      ])
        expect(outcome(filter(of), { 'delta.literal': variant })).toBe(
          other === variant ? filter(of) : 'other',
        )
  })

  test('concerns only literals that last_updated_at is compared with', () => {
    for (const of of ["name > 'x'", 'last_updated_at > now()'])
      expect(outcome(filter(of), { 'delta.literal': 'quoted-date' })).toBe(filter(of))
    expect(outcome(filter("last_updated_at > 'yesterday'"), { 'delta.literal': 'quoted-date' })).toBe('other')
  })
})
