import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../../connection/handmade.test-helper.ts'
import { findVaryingCap } from './varying-cap.ts'

const SQL = 'SELECT id FROM v_formulas LIMIT 900'
const rows = Array.from({ length: 40 }, (_, n) => ({ id: `f${n}` }))

/** The finding for a service whose answers to the statement are these in turn. */
function found(answer: (n: number) => unknown[]) {
  let n = 0
  return findVaryingCap(
    handmade({ answer: ({ sql }) => (sql === SQL ? rowsReply(answer(n++)) : rowsReply([])) }),
    SQL,
  )
}

test('a cap varies if a statement returns other numbers of its first rows', async () => {
  expect(await found((n) => rows.slice(0, 20 + n))).toMatchObject({
    outcome: 'observed',
    message: expect.stringContaining('returned 20, 21, 22, 23, 24, 25 rows'),
  })
})

test.each<[string, (n: number) => unknown[]]>([
  ['all rows each time', () => rows],
  ['the first rows once', (n) => (n === 0 ? rows.slice(0, 20) : rows)],
  ['no rows half of the time', (n) => (n % 2 === 0 ? [] : rows)],
  ['all rows but another one each time', (n) => rows.filter((_, at) => at !== n).slice(0, 39 - n)],
])('a cap does not vary if a statement returns %s', async (_, answer) => {
  expect(await found(answer)).toBeUndefined()
})
