import { expect, test } from 'vitest'
import { handmade } from '../connection/handmade.test-helper.ts'
import { defineProbe, undetectable } from './probe.ts'

/** A probe of `rows.order` over a number as evidence. */
const withEvidence = (evidence: number | undefined) =>
  defineProbe('rows.order', {
    read: async () => evidence,
    seen: (number) => `the number ${number}`,
    variants: { stable: (number) => number < 5, random: (number) => number > 3 },
  }).observe(handmade({}))

test('the observed variant is the only one whose test holds', async () => {
  expect(await withEvidence(2)).toEqual({ variant: 'stable', seen: 'the number 2' })
  expect(await withEvidence(7)).toEqual({ variant: 'random', seen: 'the number 7' })
})

test('evidence that fits none or several variants is reported without a variant', async () => {
  expect(await withEvidence(4)).toEqual({ variant: undefined, seen: 'the number 4' })
  expect(await withEvidence(Number.NaN)).toEqual({ variant: undefined, seen: 'the number NaN' })
})

test('nothing is observed without evidence', async () => {
  expect(await withEvidence(undefined)).toBeUndefined()
})

test('an undetectable variant keeps its reason and is never observed', async () => {
  const probe = defineProbe('rows.order', {
    read: async () => 'evidence',
    seen: (evidence) => evidence,
    variants: { stable: undetectable('looks like chance'), random: () => false },
  })
  expect(probe.undetectable).toEqual({ stable: 'looks like chance' })
  expect(await probe.observe(handmade({}))).toEqual({ variant: undefined, seen: 'evidence' })
})
