import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteSample } from '../e2e/support/tiers.ts'
import { blamed, caps } from './support/caps.ts'
import { startReference, type LimitedReference } from './support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference({ scale: 0.01 })
})
afterAll(() => reference.close())

noteSample({ of: 'caps', ran: 1, exist: caps.all.length })
test.each(caps.few.slice(0, 1))('no check blames a server whose responses end at %s', async (_, cap) =>
  expect(await blamed(reference, cap)).toEqual([]),
)
