import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blindMutants } from './blind/index.ts'
import { incomplete, missed, permitted } from './blind/missed.ts'
import { startBlindReference, type BlindReference } from './support/blind.ts'

// Mutants written from the contract by somebody who did not look at the checks. A run finds each by some check, but for those listed.

let reference: BlindReference
beforeAll(async () => {
  reference = await startBlindReference()
})
afterAll(() => reference.close())

describe('a suite run finds', () => {
  const listed = { ...missed, ...permitted, ...incomplete }
  const found = blindMutants.filter(({ id }) => !(id in listed))
  test.each(found.map((mutant) => [mutant.id, mutant] as const))('%s', async (_, mutant) => {
    const report = await reference.judge(mutant)
    expect(report.counts.fail).toBeGreaterThan(0)
  })
})

describe('a suite run is incomplete for', () => {
  const unclear = blindMutants.filter(({ id }) => id in incomplete)
  test.each(unclear.map((mutant) => [mutant.id, mutant] as const))('%s', async (_, mutant) => {
    const { counts } = await reference.judge(mutant)
    expect(counts.notExercised + counts.inconclusive + counts.error).toBeGreaterThan(0)
  })
})

test('every listed mutant exists', () => {
  const ids = blindMutants.map((mutant) => mutant.id)
  const listed = Object.keys({ ...missed, ...permitted, ...incomplete })
  expect(listed.filter((id) => !ids.includes(id))).toEqual([])
  expect(Object.keys(missed).length).toBeLessThan(0.02 * ids.length)
})
