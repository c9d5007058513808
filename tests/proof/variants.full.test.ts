import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Observation } from '../../schemas/index.ts'
import {
  defaults,
  expectJudgedAsRegistered,
  expectRecognised,
  isDetectable,
  isOfTime,
  judge,
  needsSuiteRun,
  observe,
  startReferences,
  titled,
  type References,
  variants,
} from './support/variants.ts'

// tests/proof/variants.release.test.ts judges every variant in a whole run.

let reference: References
beforeAll(async () => {
  reference = await startReferences()
})
afterAll(() => reference.close())

const detectable = variants.filter(isDetectable)
const inSuiteRuns = detectable.filter((variant) => needsSuiteRun(variant) && !isOfTime(variant))
const inFewRequests = detectable.filter((variant) => !needsSuiteRun(variant))

/** The default variants; the machine has a say in those of the limit. */
const usual = defaults.filter((variant) => isDetectable(variant) && !isOfTime(variant))

test('the register has variants of every standing', () => {
  expect(new Set(variants.map(({ standing }) => standing))).toEqual(new Set(['neutral', 'warns', 'departs']))
  expect(variants.length).toBeGreaterThan(80)
})

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

  test('is observed so in a suite run', async () => {
    // Not the reference with the short limit, which a busy machine exceeds.
    const report = await judge(reference, [])
    const seen = new Map(Object.values(report.observations).map(({ point, variant }) => [point, variant]))
    expect(usual.map(({ id }) => `${id}=${seen.get(id)}`)).toEqual(usual.map(({ name }) => name))
  })
})

// Much of a probe is waiting for pauses.
describe.concurrent('a probe recognises the variant', () => {
  test.each(titled(inFewRequests.filter((variant) => !isOfTime(variant))))('%s', async (_, variant) => {
    expectRecognised(variant, await observe(reference, [variant]))
  })
})

// A reference on a busy machine may answer 503, which looks like a limit of requests.
describe('the suite recognises a variant and judges it as the register says', { retry: 1 }, () => {
  // Much of a run is waiting for engines and for pauses.
  describe.concurrent('with the variant', () => {
    test.each(titled(inSuiteRuns))('%s', async (_, variant) => {
      await expectJudgedAsRegistered(reference, variant)
    })
  })

  // Time is what these runs measure: one after the other, and again on a busy machine.
  describe('with the time limit variant', { retry: 2 }, () => {
    test.each(titled(variants.filter(isOfTime)))('%s', async (_, variant) => {
      await expectJudgedAsRegistered(reference, variant)
    })
  })
})
