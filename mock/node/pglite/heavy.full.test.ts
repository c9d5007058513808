import { afterAll, beforeAll, expect, test } from 'vitest'
import { SqlError, type StatementEngine, StatementTimeout } from '../../statement.ts'
import { createNodeEngine } from './index.ts'
import { checksums, rowsOf, smallPlant } from './plant.test-helper.ts'

/** Statements that exhaust the memory, the stack or the time of the engine. */
const heavy = [
  "SELECT repeat('x', 1000000000)",
  "SELECT repeat('x', 60000000) FROM generate_series(1, 50)",
  `SELECT ${'('.repeat(5_000)}1${')'.repeat(5_000)}`,
  `SELECT ${'NOT '.repeat(9_000)}true`,
  `SELECT 1${' + 1'.repeat(200_000)}`,
  `SELECT '${'['.repeat(300_000)}'::json`,
  'WITH RECURSIVE n AS (SELECT 1 AS i UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n',
  'SELECT count(*) FROM generate_series(1, 1000000000) a, generate_series(1, 1000000000) b',
  "SELECT regexp_count(repeat('a', 5000), '(a+)+(a+)+(a+)+(a+)+b')",
]

let engine: StatementEngine
beforeAll(async () => {
  engine = await createNodeEngine({ dataset: smallPlant(1_000), timeLimitMs: 3_000 })
})
afterAll(() => engine.close())

test('the engine serves after statements that exhaust its memory, stack or time', async () => {
  const before = await rowsOf(engine, checksums)
  for (const statement of heavy) {
    const error = await rowsOf(engine, statement).then(
      () => undefined,
      (error: unknown) => error,
    )
    if (error !== undefined) {
      expect(error instanceof SqlError || error instanceof StatementTimeout, String(error)).toBe(true)
    }
    expect(await rowsOf(engine, 'SELECT 1 AS one'), statement.slice(0, 60)).toEqual([{ one: 1 }])
  }
  expect(await rowsOf(engine, checksums)).toEqual(before)
})
