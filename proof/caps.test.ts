import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteSample } from '../e2e/support/one-in.ts'
import { blamed, caps } from './support/caps.ts'
import { judge, startReference, type LimitedReference } from './support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

noteSample({ of: 'caps', ran: 1, exist: caps.all.length })
test.each(caps.few.slice(0, 1))('no check blames a server whose responses end at %s', async (_, cap) =>
  expect(await blamed(reference, cap)).toEqual([]),
)

test('a run without a cap sends at most 220 requests', async () => {
  let sent = 0
  const counting: (fetch: typeof globalThis.fetch) => typeof globalThis.fetch = (fetch) => (input, init) => {
    sent++
    return fetch(input, init)
  }
  const report = await judge(reference, [], counting, { skip: ['time.*'] })
  expect(report.counts).toMatchObject({ fail: 0, warn: 0, notExercised: 0, inconclusive: 0 })
  expect(sent).toBeLessThanOrEqual(220)
})
