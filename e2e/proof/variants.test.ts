import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Reference } from '../../mock/index.ts'
import type { Observation } from '../../schemas/index.ts'
import {
  defaults,
  expectJudgedAsRegistered,
  expectRecognised,
  isDetectable,
  isOfTime,
  looksBack,
  observe,
  startReference,
  titled,
  variants,
  type Variant,
} from '../support/variants.ts'

// A spread of e2e/variants.full.test.ts, which runs the suite for every variant.

let reference: Reference
beforeAll(async () => {
  reference = await startReference(2)
})
afterAll(() => reference.close())

/** The first of some variants for each setting. */
const firstOfEach = (some: readonly Variant[]): Variant[] =>
  some.filter((variant, at) => some.findIndex(({ id }) => id === variant.id) === at)

const detectable = firstOfEach(variants.filter(isDetectable))
const inFewRequests = detectable.filter((variant) => !looksBack(variant))
const inSuiteRuns = detectable.filter(looksBack)

/** Some items of a list at equal distances. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, at) => items[Math.floor(((at + 0.5) * items.length) / count)]!)

const ofStanding = (standing: Variant['standing'], count: number): Variant[] =>
  spread(
    variants.filter((variant) => variant.standing === standing && !isOfTime(variant)),
    count,
  )

const judged = [
  ...ofStanding('neutral', 4),
  ...ofStanding('warns', 2),
  ...ofStanding('departs', 2),
  ...inSuiteRuns,
]

/** The default variants; the machine has a say in those of the limit. */
const usual = defaults.filter((variant) => isDetectable(variant) && !isOfTime(variant))

test('the spread covers every setting that the suite can recognise', () => {
  expect(inFewRequests.length + inSuiteRuns.length).toBe(defaults.length - 3)
  expect(new Set(judged.map(({ id }) => id.split('.')[0])).size).toBeGreaterThanOrEqual(6)
})

describe('a server that has the default variants', () => {
  let seen: Observation[]
  beforeAll(async () => {
    seen = await observe(reference, usual, [])
  })

  test('is observed to have the default variant of every setting', () => {
    expect(seen.map(({ knob, variant }) => `${knob}=${variant}`)).toEqual(usual.map(({ name }) => name))
  })

  test('is not taken for one with another variant, so a variant that is served as the default fails', () => {
    for (const variant of inFewRequests)
      expect(() => expectRecognised(variant, seen), variant.name).toThrow('to deep equally contain')
  })
})

describe('a probe recognises the first variant of its setting beside the default one', () => {
  test.each(titled(inFewRequests))('%s', async (_, variant) => {
    expectRecognised(variant, await observe(reference, [variant]))
  })
})

describe('the suite judges a server with one variant as the register says', { timeout: 120_000 }, () => {
  test.each(titled(judged))('%s', async (_, variant) => {
    await expectJudgedAsRegistered(reference, variant)
  })
})
