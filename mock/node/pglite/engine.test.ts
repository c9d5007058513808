import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { defaultSettings } from '../../open-points/settings.ts'
import {
  EngineBusy,
  type EngineSettings,
  type ExecuteOptions,
  SqlError,
  StatementTimeout,
} from '../../statement.ts'
import { createNodeEngine, type NodeEngine } from './index.ts'
import { rowsOf, smallPlant } from './plant.test-helper.ts'

let engine: NodeEngine
const progress: string[] = []
const rows = (statement: string, settings: Partial<EngineSettings> = {}) =>
  rowsOf(engine, statement, { settings: { ...defaultSettings, ...settings } })

/** Runs a statement for at most 2 s. */
const rowsWithin2s = (statement: string, options: Partial<ExecuteOptions> = {}) =>
  rowsOf(engine, statement, { ...options, limitShiftMs: -8_000 })

beforeAll(async () => {
  engine = await createNodeEngine({
    dataset: smallPlant(),
    timeLimitMs: 10_000,
    onProgress: (message) => progress.push(message),
  })
})
/** Waits until an engine is idle. */
beforeEach(() =>
  vi.waitFor(() => expect(engine.status().idle).toBeGreaterThan(0), { timeout: 60_000, interval: 20 }),
)
afterAll(() => engine.close())

describe('the rows of a statement', () => {
  test('are those of the dataset', async () => {
    expect(await rows('SELECT * FROM v_quantities')).toEqual([...smallPlant().rows('v_quantities')])
    expect(progress).toContain('Stored 12003 rows. Building indexes.')
  })

  test('arrive in pages, each row once and in order', async () => {
    const ids = (await rows('SELECT timestamp FROM v_timeseries_data ORDER BY timestamp')) as object[]
    expect(ids).toEqual([...smallPlant().rows('v_timeseries_data')].map(({ timestamp }) => ({ timestamp })))
  })

  test('are refused for a view that the token may not read', async () => {
    const statement = 'SELECT count(*)::int AS n FROM v_formula_results'
    const withheld = (variant: 'permission-denied' | 'view-hidden') =>
      rows(statement, { 'auth.permission': variant })
    await expect(withheld('permission-denied')).rejects.toMatchObject({
      sqlState: '42501',
      relation: 'v_formula_results',
    })
    await expect(withheld('view-hidden')).rejects.toMatchObject({ kind: 'unknown-relation' })
    expect(await rows(statement)).toHaveLength(1)
  })

  test('are whole whether or not they fit the memory shared with an engine', async () => {
    const lengths = Array.from({ length: 24 }, (_, index) => 16_360 + index)
    const statements = lengths.map((length) => `SELECT repeat('${length % 10}', ${length}) AS text LIMIT 1`)
    const expected = lengths.map((length) => [{ text: String(length % 10).repeat(length) }])
    expect(await Promise.all(statements.map((statement) => rows(statement)))).toEqual(expected)
  })

  test('can be empty and still have columns', async () => {
    const result = await engine.execute('SELECT id, name FROM v_formulas', {
      signal: new AbortController().signal,
    })
    expect(result.columns).toEqual(['id', 'name'])
    for await (const _ of result.chunks) expect.unreachable()
  })

  test('have the columns of their own statement', async () => {
    const { signal } = new AbortController()
    for (const column of ['id', 'id', 'name', 'id', 'name', 'name'])
      for (const value of ['a', 'b']) {
        const statement = `SELECT ${column} FROM v_formulas WHERE id <> '${value}' LIMIT 3`
        expect((await engine.execute(statement, { signal })).columns).toEqual([column])
      }
  })

  test('are written in the requested format', async () => {
    const join =
      'SELECT a.id, b.id FROM v_quantities a LEFT JOIN v_quantities b ON a.molar_mass = b.molar_mass ORDER BY 1, 2 LIMIT 1'
    expect(await rows(join)).toEqual([{ id: null }])
    expect(await rows(join, { 'rows.shape': 'prefixed' })).toEqual([{ 'a.id': 'q0', 'b.id': null }])
    expect(await rows(join, { 'rows.duplicates': 'alias-prefix' })).toEqual([{ a_id: 'q0', b_id: null }])
    const latest = 'SELECT max(last_updated_at) FROM v_quantities'
    expect(await rows(latest, { 'timestamps.format': 'millis-z' })).toEqual([
      { max: '2025-01-01T00:00:00.000Z' },
    ])
    await expect(rows(join, { 'rows.duplicates': 'error' })).rejects.toThrow(SqlError)
  })

  test('change their order with rows.order=random unless the statement has ORDER BY', async () => {
    const some = 'SELECT timestamp FROM v_timeseries_data LIMIT 100'
    const random = { 'rows.order': 'random' } as const
    expect(await rows(some)).toEqual(await rows(some))
    expect(await rows(some, random)).not.toEqual(await rows(some, random))
    const ordered = 'SELECT timestamp FROM v_timeseries_data ORDER BY 1 LIMIT 100'
    expect(await rows(ordered, random)).toEqual(await rows(ordered))
  })

  test('can be computed with every kind of allowed function', async () => {
    const [row] = await rows(`
      SELECT ARRAY[1, NULL, 3] AS numbers, 9007199254740993::int8 AS large, 0.10::numeric AS exact,
        'NaN'::float8 AS nan, DATE '2025-02-03' AS day, interval '1 day 2 hours' AS span,
        TIMESTAMP '2025-02-03 04:05:06' AS local, row_to_json(q)->>'id' AS id,
        jsonb_path_query_first(base_units, '$.kg') AS kg, first_value(name) OVER (ORDER BY name) AS first,
        name ~* 'PH' AND name SIMILAR TO 'p%' AND id IN ('q0', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j') AS matched,
        (1, 2) < (1, 3) AS earlier, extract(year FROM last_updated_at) AS year, greatest(1, 2) AS most
      FROM v_quantities q WHERE id = 'q0'`)
    expect(row).toMatchObject({
      numbers: [1, null, 3],
      exact: 0.1,
      nan: null,
      day: '2025-02-03',
      span: '1 day 02:00:00',
      local: '2025-02-03T04:05:06.000000',
      id: 'q0',
      kg: 1,
      first: 'pH',
      matched: true,
      earlier: true,
      year: 2025,
      most: 2,
    })
  })
})

test.each([
  "last_updated_at < '2027-12-03'::varchar::timestamptz",
  "last_updated_at > CAST('2024-12-01' AS varchar(10))::date",
  "last_updated_at < CAST(CAST('2027-12-03' AS text) AS timestamp with time zone)",
  "last_updated_at > (SELECT max(last_updated_at) FROM v_quantities) - ('90' || ' days')::interval",
  "last_updated_at BETWEEN ('2024-12-01'||'')::timestamptz AND ('2025-12-01'||'')::timestamptz",
  "last_updated_at::time < ('10:00'||'')::time",
  "last_updated_at <@ ('[2024-12-01,'||'2025-12-01]')::tstzrange",
  "id = ANY('{q0,q1,q2}'::text::text[])",
  "ARRAY[last_updated_at] > ('{2024-12-01'||'}')::timestamptz[]",
])('a filter may compute its bound: %s', async (filter) => {
  expect(await rows(`SELECT id FROM v_quantities WHERE ${filter}`)).toHaveLength(3)
})

test.each(['BREADTH', 'DEPTH'])('a recursive query can be searched %s FIRST', async (way) => {
  const tree = 'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3)'
  expect(await rows(`${tree} SEARCH ${way} FIRST BY n SET place SELECT n FROM t ORDER BY place`)).toEqual([
    { n: 1 },
    { n: 2 },
    { n: 3 },
  ])
})

test.each([
  ['parentheses', `SELECT ${'('.repeat(50_000)}1${')'.repeat(50_000)}`],
  ['operators', `SELECT 1${' + 1'.repeat(50_000)}`],
])('a statement with deeply nested %s fails, and the engine serves the next one', async (_, statement) => {
  await expect(rows(statement)).rejects.toMatchObject({ kind: 'other', sqlState: '54001' })
  expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
  expect(engine.status().ended).toEqual({})
})

describe('an error of a statement', () => {
  test.each([
    ['SELECT * FROM nowhere', { kind: 'unknown-relation', relation: 'nowhere', name: 'SqlError' }],
    ['SELEC 1', { kind: 'syntax', message: 'syntax error at or near "SELEC"' }],
    ['DROP TABLE x', { kind: 'other', name: 'StatementRefused' }],
    ['SELECT nothing FROM v_quantities', { kind: 'other', sqlState: '42703', name: 'SqlError' }],
    ['SELECT q.id FROM v_formulas', { kind: 'other', sqlState: '42P01' }],
    ['SELECT 1 / 0', { kind: 'other', sqlState: '22012' }],
    ['SELECT 1 UNION SELECT 1, 2', { kind: 'other', sqlState: '42601' }],
    [
      "SELECT convert_to('é', 'LATIN1')",
      { kind: 'other', message: expect.stringMatching(/"LATIN1" does not exist$/) },
    ],
    [
      "SELECT convert_from('\\x61', 'KOI8R')",
      { kind: 'other', message: expect.stringMatching(/"UTF8" does not exist$/) },
    ],
  ])('names the cause: %s', async (statement, error) => {
    await expect(rows(statement)).rejects.toMatchObject(error)
  })

  test('ends the rows if it occurs after the first page', async () => {
    const result = await engine.execute('SELECT 1 / (5000 - i) FROM generate_series(1, 9000) i', {
      signal: new AbortController().signal,
    })
    let length = 0
    const read = async () => {
      for await (const chunk of result.chunks) length += chunk.length
    }
    await expect(read()).rejects.toMatchObject({ sqlState: '22012' })
    expect(length).toBeGreaterThan(0)
  })
})

// Repeated, because a busy machine may not start an engine in the 5 s that a statement waits for one.
describe('the time limit', { retry: 2 }, () => {
  test('ends more sleeping statements than engines were ready, whatever time they are told, and others are answered', async () => {
    const sleepers = [{}, { now: 0 }, { now: 4e15 }].map((told) =>
      rowsWithin2s('SELECT pg_sleep(60)', told).catch((error: unknown) => error),
    )
    expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
    for (const error of await Promise.all(sleepers)) expect(error).toBeInstanceOf(StatementTimeout)
    expect(await rows('SELECT 2 AS two')).toEqual([{ two: 2 }])
  })
})

describe('a statement', { retry: 2 }, () => {
  test('ends before its limit when the client disconnects', async () => {
    const client = new AbortController()
    const gone = rowsOf(engine, 'SELECT pg_sleep(60)', { signal: client.signal })
    setTimeout(() => client.abort(new Error('gone')), 50)
    await expect(gone).rejects.toThrow('gone')
    expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
    await expect(rowsOf(engine, 'SELECT 1', { signal: client.signal })).rejects.toThrow('gone')
  })

  test('ends when the reader stops in the middle of the rows', async () => {
    for (let count = 0; count < 8; count++) {
      const result = await engine.execute('SELECT * FROM v_timeseries_data a, v_quantities b', {
        signal: new AbortController().signal,
      })
      for await (const _ of result.chunks) break
    }
    expect(await rows('SELECT 1 AS one')).toEqual([{ one: 1 }])
  })

  test('fails if the engine is closed before its end or before its start', async () => {
    const running = rows('SELECT pg_sleep(60)').catch((error: unknown) => error)
    await rows('SELECT 1')
    await engine.close()
    expect(await running).toBeInstanceOf(EngineBusy)
    await expect(rows('SELECT 1')).rejects.toBeInstanceOf(EngineBusy)
  })
})
