import { afterAll, beforeAll, expect, test } from 'vitest'
import { blamed, caps } from './support/caps.ts'
import { oneIn } from '../e2e/support/one-in.ts'
import { startReference, type LimitedReference } from './support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference()
})
afterAll(() => reference.close())

test.each(oneIn(7, 'caps', caps.all))('no check blames a server whose responses end at %s', async (_, cap) =>
  expect(await blamed(reference, cap)).toEqual([]),
)
