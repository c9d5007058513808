import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorReply, wrapper } from '../../proof/mutant.ts'
import { judge, shortLimitMs, startReference, type LimitedReference } from '../../proof/support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  // with fewer rows, a join ends before the limit
  reference = await startReference({ scale: 0.01 }, shortLimitMs)
})
afterAll(() => reference.close())

/** A target without a sleep function. */
const sleepless = wrapper(async (call, next) =>
  /sleep|wait/i.test(call.statement ?? '') ? errorReply('Error executing statement') : next(call),
)

const outcomeOf = async (allowHeavy: boolean) => {
  const { checks } = await judge(reference, ['time.limit'], sleepless, { allowHeavy })
  return checks.find(({ id }) => id === 'time.limit')!
}

test('time.limit is not exercised without a sleep function unless --allow-heavy is given', async () => {
  const { outcome, message } = await outcomeOf(false)
  expect(outcome).toBe('not-exercised')
  expect(message).toContain('--allow-heavy')
})

test('time.limit runs a join past the limit with --allow-heavy', async () => {
  const { outcome, message } = await outcomeOf(true)
  expect(message).toMatch(/ended with HTTP 504 after 2\.\d s$/)
  expect(outcome).toBe('pass')
})

test('time.below-limit runs concurrently with time.limit on a target with the sleep function of MySQL', async () => {
  const events: string[] = []
  const mysql = wrapper(async (call, next) => {
    const { statement = '' } = call
    if (!/sleep/i.test(statement)) return next(call)
    if (statement.includes('pg_sleep')) return errorReply('Error executing statement')
    events.push(`begin ${statement}`)
    const reply = await next({ ...call, statement: statement.replace('SLEEP', 'pg_sleep') })
    events.push(`end ${statement}`)
    return reply
  })
  await judge(reference, ['time.below-limit', 'time.limit'], mysql)
  expect(events.indexOf('begin SELECT SLEEP(1.2)')).toBeGreaterThan(-1)
  expect(events.indexOf('begin SELECT SLEEP(1.2)')).toBeLessThan(events.indexOf('end SELECT SLEEP(17)'))
})
