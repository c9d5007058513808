import { describe, expect, test } from 'vitest'
import { documented, furtherSelects } from '../engine/session/statements.test-helper.ts'
import { createSettings } from '../open-points/settings.ts'
import { StatementRefused } from '../statement.ts'
import { readStatements } from './reading.ts'

/** The statements that count, silent ones in parentheses, or the kind of the refusal. */
const outcome = async (text: string, settings: Readonly<Record<string, string>>): Promise<string> => {
  try {
    const readings = await readStatements(text, createSettings(settings))
    for (const { refusal } of readings) if (refusal) throw refusal
    return readings.map(({ text: part, silent }) => (silent ? `(${part.trim()})` : part.trim())).join(' + ')
  } catch (error) {
    if (error instanceof StatementRefused) return error.kind
    throw error
  }
}

const documentedOnly = { 'sql.accept': 'documented' }

const two = "SELECT '€' AS a; SELECT 2;"

describe('several statements in one text', () => {
  test.each([
    ['error', two.trim()],
    ['first', "SELECT '€' AS a"],
    ['last', 'SELECT 2'],
    ['all-last-result', "(SELECT '€' AS a) + SELECT 2"],
    ['merged', "SELECT '€' AS a + SELECT 2"],
  ] as const)('count under sql.multi=%s as the setting says', async (variant, counting) => {
    expect(await outcome(two, { 'sql.multi': variant })).toBe(counting)
    expect(await outcome('SELECT 1', { 'sql.multi': variant })).toBe('SELECT 1')
  })
})

test.each(['', ' ; ', '-- nothing'])(
  'a text without a statement is empty, or gives no rows: %j',
  async (text) => {
    expect(await outcome(text, { 'sql.empty': '400' })).toBe('empty')
    expect(await outcome(text, { 'sql.empty': 'success' })).toBe('SELECT WHERE false')
  },
)

test.each([';SELECT 1', ' ;; \n;SELECT 1', '/* ; */;SELECT 1', '/* ä */ ; -- ;\n SELECT 1'])(
  'empty statements before the only one do not count: %j',
  async (text) => {
    for (const [id, variant] of [
      ['sql.accept', 'any'],
      ['sql.multi', 'merged'],
      ['sql.empty', '400'],
      ['sql.semicolon', 'error'],
    ] as const)
      expect(await outcome(text, { [id]: variant })).toMatch(/^(?:-- ;\n )?SELECT 1$/)
  },
)

test('the default settings take empty statements away, and no other character', async () => {
  expect(await outcome(' ;\n; SELECT 1', {})).toBe('SELECT 1')
  const [reading] = await readStatements(' ;SELECT 1', createSettings({}))
  expect(reading!.text).toBe(' ;SELECT 1')
})

test('sql.semicolon=error refuses a semicolon after a statement, and no other', async () => {
  expect(await outcome('SELECT 1 ;', { 'sql.semicolon': 'error' })).toBe('other')
  expect(await outcome("SELECT ';'", { 'sql.semicolon': 'error' })).toBe("SELECT ';'")
})

const read = (text: string) => readStatements(text, createSettings({ 'rows.order': 'random' }))

test('reports whether a statement orders its rows, and the aliases of its views', async () => {
  const joined = 'SELECT * FROM v_timeseries t LEFT JOIN v_bioprocesses ON true ORDER BY 1'
  const sources = [
    { view: 'v_timeseries', alias: 't' },
    { view: 'v_bioprocesses', alias: 'v_bioprocesses' },
  ]
  expect(await read(joined)).toMatchObject([{ text: joined, ordered: true, sources }])
  expect(await read('SELECT 1')).toMatchObject([{ text: 'SELECT 1', ordered: false, sources: [] }])
})

test('a syntax error is that of PostgreSQL', async () => {
  await expect(readStatements('SELEC', createSettings({ 'sql.filters': 'refused' }))).rejects.toMatchObject({
    kind: 'syntax',
    message: 'syntax error at or near "SELEC"',
  })
})

describe('sql.accept=documented', () => {
  test.each(documented)('admits a documented statement: %s', async (statement) => {
    expect(await outcome(statement, documentedOnly)).toBe(statement)
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
  ])('refuses an undocumented statement: %s', async (statement) => {
    expect(await outcome(statement, documentedOnly)).toBe('other')
  })
})

describe('sql.accept=allow-list', () => {
  const listed = { 'sql.accept': 'allow-list' } as const

  test.each([
    "SELECT id, name FROM v_quantities WHERE name > 'a' AND NOT is_timeseries ORDER BY id LIMIT 3 OFFSET 1",
    'SELECT * FROM v_timeseries t JOIN v_bioprocesses b ON t.bioprocess_id = b.id',
    'SELECT * FROM v_timeseries WHERE last_updated_at > (SELECT MAX(last_updated_at) FROM v_bioprocesses)',
    "SELECT * FROM v_quantities WHERE last_updated_at > DATE '2025-01-01' AND id IN ('a', 'b')",
  ])('admits %s', async (text) => expect(await outcome(text, listed)).toBe(text))

  test.each([
    'SELECT id FROM v_quantities GROUP BY id',
    'SELECT DISTINCT id FROM v_quantities',
    'SELECT count(*) FROM v_quantities',
    'SELECT id FROM v_quantities UNION SELECT id FROM v_formulas',
    'WITH a AS (SELECT 1) SELECT * FROM a',
    'SELECT (SELECT id FROM v_formulas GROUP BY id)',
    'SELECT max(id) OVER () FROM v_quantities',
  ])('refuses %s', async (text) => expect(await outcome(text, listed)).toBe('other'))
})

test('sql.filters=refused refuses filters on columns other than last_updated_at', async () => {
  const filters = { 'sql.filters': 'refused' } as const
  const allowed = [
    "SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01'",
    'SELECT q.id FROM v_timeseries t LEFT JOIN v_quantities q ON q.id = t.quantity_id WHERE t.last_updated_at > now()',
    'SELECT id FROM v_timeseries WHERE last_updated_at > (SELECT max(last_updated_at) FROM v_bioprocesses)',
  ]
  for (const text of allowed) expect(await outcome(text, filters)).toBe(text)
  const refused = [
    "SELECT * FROM v_archived_records WHERE archived_at > '2025-01-01'",
    "SELECT * FROM v_quantities WHERE last_updated_at > '2025-01-01' AND id = 'a'",
    "SELECT 1 UNION SELECT 2 FROM v_quantities WHERE name = 'a'",
  ]
  for (const text of refused) expect(await outcome(text, filters)).toBe('other')
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

  test.each(all)('admits only %s as the spelling of a date', async (variant, own) => {
    for (const [other, literal] of all)
      for (const of of [
        `last_updated_at > ${literal}`,
        `${literal} < v_quantities.last_updated_at`,
        `last_updated_at BETWEEN ${own} AND ${literal}`,
      ])
        expect(await outcome(filter(of), { 'delta.literal': variant })).toBe(
          other === variant ? filter(of) : 'other',
        )
  })

  test('concerns only literals that last_updated_at is compared with', async () => {
    for (const of of ["name > 'x'", 'last_updated_at > now()'])
      expect(await outcome(filter(of), { 'delta.literal': 'quoted-date' })).toBe(filter(of))
    expect(await outcome(filter("last_updated_at > 'yesterday'"), { 'delta.literal': 'quoted-date' })).toBe(
      'other',
    )
  })
})
