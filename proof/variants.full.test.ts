import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from '../conformance/run/conformance.ts'
import { oneIn } from '../e2e/support/one-in.ts'
import {
  defaults,
  expectJudgedAsRegistered,
  isDetectable,
  isOfTime,
  startReferences,
  shortLimitMs as timeLimitMs,
  titled,
  type References,
  variants,
} from './support/variants.ts'

let reference: References
beforeAll(async () => {
  reference = await startReferences()
})
afterAll(() => reference.close())

test('the register has variants of every standing', () => {
  expect(new Set(variants.map(({ standing }) => standing))).toEqual(new Set(['neutral', 'warns', 'departs']))
  expect(variants.length).toBeGreaterThan(80)
})

test('a suite run observes the default variants of the reference', async () => {
  const { baseUrl, token, fetch } = reference.short
  const report = await runConformance({ baseUrl, token, fetch, timeLimitMs })
  const seen = Object.fromEntries(
    Object.values(report.observations).map(({ point, variant }) => [point, variant]),
  )
  const expected = Object.fromEntries(defaults.filter(isDetectable).map(({ id, slug }) => [id, slug]))
  // A busy machine may bring the 504 late.
  expect(['hard', 'second-late']).toContain(seen['timeout.mode'])
  expect(seen).toEqual({ ...expected, 'timeout.mode': seen['timeout.mode'] })
})

const untimed = variants.filter((variant) => !isOfTime(variant))

/** For a machine that is busy with other things. */
const timeout = 180_000

describe('the suite recognises a variant of the reference and judges it as the register says', () => {
  // Much of a run is waiting for engines and for pauses.
  describe.concurrent('with the variant', { timeout }, () => {
    test.each(titled(oneIn(12, 'variants', untimed)))('%s', async (_, variant) => {
      await expectJudgedAsRegistered(reference, variant)
    })
  })

  // Time is what these runs measure: one after the other, and again on a busy machine.
  describe('with the time limit variant', { timeout, retry: 2 }, () => {
    test.each(titled(oneIn(6, 'variants of the limit', variants.filter(isOfTime))))(
      '%s',
      async (_, variant) => {
        await expectJudgedAsRegistered(reference, variant)
      },
    )
  })
})
