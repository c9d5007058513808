import { afterAll, beforeAll, expect, test } from 'vitest'
import { blamed, caps } from './support/caps.ts'
import { startReference, type LimitedReference } from './support/self-proof.ts'

let reference: LimitedReference
beforeAll(async () => {
  reference = await startReference({ scale: 0.01 })
})
afterAll(() => reference.close())

test.each(caps.all)('no check blames a server whose responses end at %s', async (_, cap) =>
  expect(await blamed(reference, cap)).toEqual([]),
)
