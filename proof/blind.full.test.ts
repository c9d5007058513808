import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blindMutants } from './blind/index.ts'
import { missed, permitted } from './blind/missed.ts'
import { runConformance } from '../conformance/index.ts'
import { createReference, type Reference } from '../mock/index.ts'
import { oneIn } from '../e2e/support/one-in.ts'
import { remembering } from './support/remembering.ts'
import { shortLimitMs } from './support/self-proof.ts'

// Mutants written from the contract by somebody who did not look at the checks. A run finds each by some check, but for those listed.

let reference: Reference
let fetchOnce: typeof fetch

beforeAll(async () => {
  reference = await createReference({ seed: 1, scale: 0.01, workers: 1, timeLimitMs: shortLimitMs })
  fetchOnce = remembering(reference.fetch)
})
afterAll(() => reference.close())

describe('a suite run finds', { timeout: 120_000 }, () => {
  const found = blindMutants.filter(({ id }) => !(id in missed) && !(id in permitted))
  test.each(oneIn(32, 'blind mutants', found).map((mutant) => [mutant.id, mutant] as const))(
    '%s',
    async (_, mutant) => {
      const isOf = (area: string) => mutant.breaks.startsWith(`REQ-${area}`)
      const { baseUrl, token } = reference
      const report = await runConformance({
        baseUrl,
        token,
        fetch: mutant.wrap(isOf('TIME') ? reference.fetch : fetchOnce),
        timeLimitMs: shortLimitMs,
        skip: isOf('TIME') ? [] : isOf('AUTH') ? ['time.*'] : ['time.*', 'auth.*'],
        destructiveProbes: mutant.destructive ?? false,
        retries: 0,
      })
      expect(report.counts.fail).toBeGreaterThan(0)
    },
  )
})

test('every listed mutant exists', () => {
  const ids = blindMutants.map((mutant) => mutant.id)
  const listed = Object.keys({ ...missed, ...permitted })
  expect(listed.filter((id) => !ids.includes(id))).toEqual([])
  expect(Object.keys(missed).length).toBeLessThan(0.02 * ids.length)
})
