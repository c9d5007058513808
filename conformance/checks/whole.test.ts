import { expect, test } from 'vitest'
import { handmade, manyRows, rowsReply } from '../connection/handmade.test-helper.ts'
import type { DocumentedKind } from '../search/statements/classify.ts'
import { wholeChecks } from './whole.ts'

const quantities = ['pH', null, ''].map((notes, n) => ({
  id: `q${n}`,
  notes,
  last_updated_at: `2025-0${n + 1}-05T12:00:00Z`,
}))
const experiments = [1, 2, 3, 4].map((n) => ({ id: `e${n}`, last_updated_at: `2025-0${n}-05T12:00:00Z` }))
/** Rows of a join without a partner, newer than the date of its statement. */
const alone = (sql: string) =>
  experiments
    .filter((row) => row.last_updated_at > (/> '([^']+)'/.exec(sql)?.[1] ?? ''))
    .map(({ id }) => ({ id, notes: null, last_updated_at: null }))

/** A longer answer than that of any view. */
const points = Array.from({ length: 500 }, (_, n) => ({ id: 's1', timestamp: 'x'.repeat(100), value: n }))

/** Runs one of the checks against a service with special answers to some statements. */
const run = (kind: DocumentedKind, answer: (sql: string) => unknown[] | undefined) =>
  wholeChecks
    .find(({ id }) => id === `whole.${kind}`)!
    .run(
      handmade({
        rows: {
          v_quantities: quantities,
          v_experiments: experiments,
          v_timeseries_data: points,
          ...manyRows,
        },
        answer: ({ sql }) => {
          const rows = answer(sql) ?? (/ JOIN /.test(sql) ? alone(sql) : undefined)
          return rows && rowsReply(rows)
        },
      }),
    )

test('whole.select asks for a single column with nulls, and fails if rows without a value are lost', async () => {
  const finding = await run('select', (sql) =>
    sql === 'SELECT notes FROM v_quantities' ? [{ notes: 'pH' }] : undefined,
  )
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: '`SELECT notes FROM v_quantities`: 1 row, and 3 are in the views',
  })
  expect(finding.exchanges).toHaveLength(2)
})

test('a pass of whole.limit names the numbers of rows that no answer has', async () => {
  const { notes } = await run('limit', () => undefined)
  expect(notes).toEqual(['Not reached: LIMIT 1001, 1025 (no answer has as many rows).'])
})

test('whole.select passes if a difference does not show again', async () => {
  let times = 0
  const finding = await run('select', (sql) =>
    sql === 'SELECT notes FROM v_quantities' && times++ === 0 ? [{ notes: 'pH' }] : undefined,
  )
  expect(finding).toMatchObject({
    outcome: 'pass',
    message: expect.stringMatching(
      /1 unclear, such as: `SELECT notes FROM v_quantities`: it differs only sometimes/,
    ),
  })
})

test('whole.delta-by-date fails if a delta since a date before all rows lacks one', async () => {
  const finding = await run('delta-by-date', (sql) =>
    /^SELECT id, name,.* FROM v_quantities WHERE .*'1972/.test(sql) ? quantities.slice(1) : undefined,
  )
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(/2 rows, and 3 are in the views$/),
  })
})

test.each<[string, (sql: string) => unknown[], string]>([
  [
    'fails if a missing partner has a value',
    (sql) => alone(sql).map((row) => ({ ...row, is_timeseries: false })),
    'fail',
  ],
  [
    'fails for a row that is there, although a cap may have ended the join',
    () => [{ id: 'e1', notes: 'pH' }],
    'fail',
  ],
  ['passes if a missing partner has null in every column', alone, 'pass'],
])('whole.join %s', async (_, rows, outcome) => {
  const finding = await run('join', (sql) => (/ JOIN v_quantities /.test(sql) ? rows(sql) : undefined))
  expect(finding).toMatchObject({ outcome })
})

test('whole.limit fails if a row is sent twice', async () => {
  const finding = await run('limit', (sql) =>
    sql.endsWith(' FROM v_archived_records LIMIT 129')
      ? manyRows.v_archived_records.slice(0, 129).with(128, manyRows.v_archived_records[127]!)
      : undefined,
  )
  expect(finding).toMatchObject({
    outcome: 'fail',
    message: expect.stringMatching(/LIMIT 129`: 1 of 129 rows are not those of the views$/),
  })
})
