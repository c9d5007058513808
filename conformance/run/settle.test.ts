import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { fail, type Check } from '../checks/check.ts'
import { handmade, rowsReply } from '../connection/handmade.test-helper.ts'
import { findingOf } from './settle.ts'

/** A target whose formulas show a newer state and then an older one; its quantities are at rest. */
function behind() {
  const states = [60, 0].map((seconds) => new Date(Date.now() + seconds * 1000).toISOString())
  return handmade({
    rows: { v_quantities: [{ id: 'q', last_updated_at: '2025-01-01T00:00:00Z' }] },
    answer: ({ sql }) =>
      sql.includes('v_formulas') ? rowsReply([{ id: 'f', last_updated_at: states.shift() ?? '' }]) : '',
  })
}

/** A check that fails on two answers over a view. */
const comparing = (view: string): Check => ({
  id: 'sql.example',
  requirement: 'REQ-SQL-1',
  title: 'have the same rows',
  killedBy: [],
  run: async (t) => {
    for (let n = 0; n < 2; n++) {
      await t.query('SELECT id, last_updated_at FROM v_formulas')
      await sleep(2)
    }
    const compared = [1, 2].map((limit) => t.query(`SELECT * FROM ${view} LIMIT ${limit}`))
    const replies = await Promise.all(compared)
    const exchanges = replies.map(({ exchange }) => exchange)
    return fail({ message: 'differ', expected: 'the same', actual: 'others', exchanges })
  },
})

test('a difference between answers over a view that changes is inconclusive if answers show older states of rows', async () => {
  expect(await findingOf(comparing('v_formulas'), behind())).toMatchObject({ outcome: 'inconclusive' })
})

test('a difference between answers over a view at rest fails, whatever changes in others', async () => {
  expect(await findingOf(comparing('v_quantities'), behind())).toMatchObject({ outcome: 'fail' })
})
