import { expect, test } from 'vitest'
import { handmade, manyRows, rowsReply } from '../../connection/handmade.test-helper.ts'
import { allRowsChecks } from '../sql/all-rows.ts'
import { valuesAtRest } from './same-values.ts'

type Row = { id: string; name: string | null; last_updated_at: string }
const LONG_AGO = '2025-01-02T03:04:05Z'
const rows = (name: string | null, time = LONG_AGO): Row[] =>
  ['a', 'b', 'c'].map((id) => ({ id, name: id === 'a' ? name : id, last_updated_at: time }))

/** A target whose nth answer with all columns of v_quantities has other rows, if `other` gives some. */
function target(other: (n: number) => Row[] | undefined, own = rows('pH')) {
  let n = 0
  return handmade({
    rows: { ...manyRows, v_quantities: own },
    answer: ({ sql }) => {
      const changed = sql.startsWith('SELECT * FROM v_quantities') ? other(++n) : undefined
      return changed && rowsReply(changed)
    },
  })
}

const values = valuesAtRest(false)
const rowsAtRest = allRowsChecks.find(({ id }) => id === 'sql.rows-at-rest')!.run

test.each([
  ['every second', 2],
  ['every tenth', 10],
])('valuesAtRest fails if %s answer has another value at the same last_updated_at', async (_, every) => {
  const stale = target((n) => (n === 1 || n % every === 0 ? rows(null) : undefined))
  expect(await values(stale)).toMatchObject({
    outcome: 'fail',
    message: expect.stringContaining('different values of name for the row "a"'),
    exchanges: [expect.anything(), expect.anything()],
  })
})

test('valuesAtRest warns of a value that one answer shows and no repetition', async () => {
  expect(await values(target((n) => (n === 1 ? rows('old') : undefined)))).toMatchObject({
    outcome: 'warn',
    exchanges: [expect.anything(), expect.anything()],
    notes: [expect.stringContaining('did not show it again')],
  })
})

const NOW = new Date().toISOString()
const TODAY = NOW.slice(0, 10)
const GLOW = 'Gl\u00fchen'

test.each<[string, (n: number) => Row[], Row[]]>([
  ['a copy that is behind', () => rows('old', '2025-01-01T00:00:00Z'), rows('pH')],
  ['a row of the minute before the run', () => rows('old', NOW), rows('pH', NOW)],
  ['a row of the day of the run, without a time', () => rows('old', TODAY), rows('pH', TODAY)],
  ['other code points for the same characters', () => rows(GLOW.normalize('NFD')), rows(GLOW)],
  ['a value that follows from the time', (n) => rows(String(n)), rows('0')],
])('valuesAtRest does not blame %s', async (_, other, own) => {
  const asked = target((n) => (n % 3 === 0 ? undefined : other(n)), own)
  expect(['pass', 'observed']).toContain((await values(asked)).outcome)
})

/** A target whose second answer has no rows, and again every nth one after it. */
const empty = (every: number) => target((n) => (n % every === 2 ? [] : undefined))

test('rowsAtRest fails if an answer lacks rows again, and warns if it does once', async () => {
  expect(await rowsAtRest(empty(5))).toMatchObject({
    outcome: 'fail',
    message: expect.stringContaining('returns 0 rows of v_quantities'),
  })
  expect(await rowsAtRest(empty(1000))).toMatchObject({ outcome: 'warn' })
})

test('rowsAtRest does not blame a view whose rows are new, or deleted', async () => {
  expect(await rowsAtRest(target((n) => (n % 2 ? [] : undefined), rows('pH', NOW)))).toMatchObject({
    outcome: 'pass',
  })
  expect(await rowsAtRest(target((n) => (n > 1 ? rows('pH').slice(1) : undefined)))).toMatchObject({
    outcome: 'pass',
  })
})
