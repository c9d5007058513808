import { expect, test } from 'vitest'
import { handmade, rowsReply } from '../../connection/handmade.test-helper.ts'
import { repeatBroken } from './repeat.ts'

const BROKEN = 'SELECT name FROM v_formulas LIMIT 5'
const busy = () => new Response('<h1>Too many requests</h1>', { status: 403 })
const page = () => new Response('<h1>No</h1>', { status: 403 })

/** The outcome of the repetitions of a statement. `answer` gets its number, or undefined for another statement. */
async function outcomeOf(answer: (n: number | undefined) => Response | undefined) {
  let count = 0
  const target = handmade({
    answer: ({ sql }) => answer(sql === BROKEN ? ++count : undefined) ?? rowsReply([{ id: 'a' }]),
  })
  await target.baseline()
  await target.query(BROKEN)
  const [found] = await repeatBroken(target)
  return { found: found && [found.requirement, found.finding.outcome], count }
}

test('a statement that gets a page four times fails under the requirement of its form', async () => {
  const { found, count } = await outcomeOf((n) => (n === undefined ? undefined : page()))
  expect(found).toEqual(['REQ-SQL-2', 'fail'])
  expect(count).toBe(4)
})

test.each([1, 2, 3])(
  'a statement that gets a page %i times and is then served blames nobody',
  async (times) => {
    const { found } = await outcomeOf((n) => (n !== undefined && n <= times ? page() : undefined))
    expect(found).toBeUndefined()
  },
)

test('a statement that gets a page is only observed if a simpler one gets none', async () => {
  let isOver = false
  const { found, count } = await outcomeOf((n) => {
    isOver ||= n !== undefined
    return isOver ? page() : undefined
  })
  expect([found, count]).toEqual([['REQ-SQL-2', 'observed'], 1])
})

test('a request that is refused because there are too many is not repeated', async () => {
  expect(await outcomeOf((n) => (n === undefined ? undefined : busy()))).toEqual({
    found: undefined,
    count: 1,
  })
})
