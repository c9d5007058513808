import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { minimalCause } from './minimal-cause.ts'

test('finds the items that fail only together, and no other', async () => {
  const cases = fc.integer({ min: 1, max: 40 }).chain((size) =>
    fc.record({
      size: fc.constant(size),
      cause: fc.uniqueArray(fc.nat(size - 1), { minLength: 1, maxLength: Math.min(4, size) }),
    }),
  )
  await fc.assert(
    fc.asyncProperty(cases, async ({ size, cause }) => {
      const items = Array.from({ length: size }, (_, n) => n)
      const fails = async (some: readonly number[]) => cause.every((item) => some.includes(item))
      expect(await minimalCause(items, fails)).toEqual(cause.toSorted((a, b) => a - b))
    }),
  )
})

test('asks about a single cause among 64 items at most 13 times', async () => {
  let asked = 0
  const items = Array.from({ length: 64 }, (_, n) => n)
  const found = await minimalCause(items, async (some) => {
    asked++
    return some.includes(41)
  })
  expect(found).toEqual([41])
  expect(asked).toBeLessThanOrEqual(13)
})
