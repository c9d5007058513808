import { expect, test } from 'vitest'
import { handmade, refuse, rowsReply } from '../../connection/handmade.test-helper.ts'
import { eachTimeChecks } from './each-time.ts'

const SQL = 'SELECT name FROM v_formulas LIMIT 5'

/** The outcome of a check after three requests of a statement. `isRefused` gets the number of the request. */
async function outcomeOf(id: string, message: string, isRefused: (n: number) => boolean) {
  let count = 0
  const target = handmade({
    answer: ({ sql }) =>
      sql === SQL && isRefused(++count) ? refuse(500, message) : rowsReply([{ name: 'a' }]),
  })
  for (let n = 0; n < 3; n++) await target.query(SQL)
  const { outcome, notes } = await eachTimeChecks.find((one) => one.id === id)!.run(target)
  return { outcome, isNoted: notes !== undefined }
}

test.each([
  ['fails if a repetition shows it again', 'internal error', (n: number) => n % 10 === 2, 'fail', false],
  ['is noted if it comes once', 'internal error', (n: number) => n === 2, 'pass', true],
  ['is noted if the target restarts', 'internal error', (n: number) => n < 3, 'pass', true],
  ['is not counted if it stays', 'internal error', () => true, 'not-exercised', false],
  ['is not counted if it is about load', 'too many connections', (n: number) => n === 2, 'pass', false],
] as const)('a refusal of a documented statement %s', async (_, message, isRefused, outcome, isNoted) => {
  const found = await outcomeOf('replies.each-time', message, isRefused)
  expect(found).toEqual({ outcome, isNoted })
})

test('a known view that does not exist once fails at once', async () => {
  const found = await outcomeOf(
    'replies.view-each-time:v_formulas',
    'relation "v_formulas" does not exist',
    (n) => n === 2,
  )
  expect(found).toEqual({ outcome: 'fail', isNoted: false })
})
