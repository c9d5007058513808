import { afterAll, beforeAll, expect, test } from 'vitest'
import { blamed, caps } from '../support/caps.ts'
import { startReference, type LimitedReference } from '../support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

// One in three, because a run for each takes eight minutes: each size meets one or two orders.
test.each(caps.all.filter((_, index) => index % 3 === 0))(
  'no check blames a server whose responses end at %s',
  async (_, cap) => expect(await blamed(reference, cap)).toEqual([]),
)
