import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from '../schemas/index.ts'
import {
  defaults,
  expectJudgedAsRegistered,
  expectRecognised,
  isDetectable,
  isOfTime,
  needsSuiteRun,
  observe,
  startReferences,
  titled,
  variants,
  type References,
  type Variant,
} from './support/variants.ts'
import { noteSample } from '../e2e/support/one-in.ts'

// Recognises every variant that needs neither a suite run nor the time limit, and a spread of these.
// proof/variants.full.test.ts has all of them.

let reference: References
beforeAll(async () => {
  reference = await startReferences(2)
})
afterAll(() => reference.close())

const detectable = variants.filter(isDetectable)
const inFewRequests = detectable.filter((variant) => !needsSuiteRun(variant))
const inSuiteRuns = detectable.filter(needsSuiteRun)

/** Some items of a list at equal distances. */
const spread = <T>(items: readonly T[], count: number): T[] =>
  Array.from({ length: count }, (_, at) => items[Math.floor(((at + 0.5) * items.length) / count)]!)

const ofStanding = (standing: Variant['standing'], count: number): Variant[] =>
  spread(
    variants.filter((variant) => variant.standing === standing && !isOfTime(variant)),
    count,
  )

const judged = [...ofStanding('warns', 1), ...ofStanding('departs', 1), ...spread(inSuiteRuns, 1)]

/** The default variants; the machine has a say in those of the limit. */
const usual = defaults.filter((variant) => isDetectable(variant) && !isOfTime(variant))

test('the suite recognises all variants but these', () => {
  const others = variants.filter((variant) => !isDetectable(variant)).map(({ name }) => name)
  expect(others).toMatchInlineSnapshot(`
    [
      "sql.multi=all-last-result",
      "auth.mode=client-credentials",
      "auth.mode=authorization-code",
      "auth.permission=rows-filtered",
      "auth.expired=403",
      "auth.expired=419",
      "rate.mode=503",
      "statements.max-length=none",
      "statements.max-length=414",
      "statements.max-length=400",
      "statements.max-length=error",
      "statements.max-length=reset",
      "schema.extra=new-version",
      "timeout.mode=runs-on",
      "numbers.non-finite=error",
    ]
  `)
  expect(new Set(judged.map(({ id }) => id.split('.')[0])).size).toBe(judged.length)
})

describe('a server that has the default variants', () => {
  let seen: Observation[]
  beforeAll(async () => {
    seen = await observe(reference, usual, [])
  })

  test('is observed to have the default variant of every setting', () => {
    expect(seen.map(({ point, variant }) => `${point}=${variant}`)).toEqual(usual.map(({ name }) => name))
  })

  test('is not taken for one with another variant, so a variant that is served as the default fails', () => {
    for (const variant of inFewRequests)
      expect(() => expectRecognised(variant, seen), variant.name).toThrow(`recognises ${variant.slug} as`)
  })
})

describe('a probe recognises the variant', () => {
  // Much of a probe is waiting for pauses.
  describe.concurrent('that is a setting of the server', () => {
    test.each(titled(inFewRequests.filter((variant) => !isOfTime(variant))))('%s', async (_, variant) => {
      expectRecognised(variant, await observe(reference, [variant]))
    })
  })

  describe('of the time limit', { retry: 2 }, () => {
    const ofTime = inFewRequests.filter(isOfTime)
    noteSample({ of: 'variants of the limit', ran: 3, exist: ofTime.length })
    test.each(titled(spread(ofTime, 3)))('%s', async (_, variant) => {
      expectRecognised(variant, await observe(reference, [variant]))
    })
  })
})

describe('the suite judges a server with one variant as the register says', { timeout: 120_000 }, () => {
  noteSample({ of: 'variants judged', ran: judged.length, exist: variants.length })
  test.each(titled(judged))('%s', async (_, variant) => {
    await expectJudgedAsRegistered(reference, variant)
  })
})
