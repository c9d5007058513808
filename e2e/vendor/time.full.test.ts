import { afterAll, beforeAll, expect, test } from 'vitest'
import { errorReply, wrapper } from '../../conformance/mutants/mutant.ts'
import type { Reference } from '../../mock/index.ts'
import { judge, startReference } from '../support/self-proof.ts'

let reference: Reference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

/** A target without any function that waits. */
const sleepless = wrapper(async (call, next) =>
  /sleep|wait/i.test(call.statement ?? '') ? errorReply('Error executing statement') : next(call),
)

const outcomeOf = async (allowHeavy: boolean) => {
  const { checks } = await judge(reference, ['time.limit'], sleepless, { allowHeavy })
  return checks.find(({ id }) => id === 'time.limit')!
}

test('without a sleep function nothing runs past the limit unless load is allowed', async () => {
  const { outcome, message } = await outcomeOf(false)
  expect(outcome).toBe('not-exercised')
  expect(message).toContain('--allow-heavy')
})

test('with --allow-heavy a join runs past the limit', async () => {
  const { outcome, message } = await outcomeOf(true)
  expect(message).toMatch(/ended with HTTP 504 after 2\.\d s, and a small one was answered.* afterwards/)
  expect(outcome).toBe('pass')
})

test('a target that sleeps in another dialect is judged beside the wait too', async () => {
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
  expect(events.indexOf('begin SELECT SLEEP(1.2)')).toBeLessThan(events.indexOf('end SELECT SLEEP(1)'))
})
