import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blindMutants } from '../../conformance/mutants/blind/index.ts'
import { runConformance } from '../../conformance/index.ts'
import { createReference, type Reference } from '../../mock/index.ts'
import { remembering } from '../support/remembering.ts'
import { shortLimitMs } from '../support/self-proof.ts'

// Mutants written from the contract by somebody who did not look at the checks. A run finds each by some check, but for those in the list.

/** Defects that a run does not find, and why. */
const missed: Readonly<Record<string, string>> = {
  'blind-archived-at-without-name':
    'Permitted: the contract does not show the members of a row (rows.shape).',
  'blind-delta-unfiltered-sometimes': 'Found in some runs only.',
  'blind-event-nulls-removed': 'Permitted: nulls may be left out (decisions/0027).',
  'blind-experiments-are-children':
    'The data cannot show it: the rows are valid, only those of other records.',
  'blind-experiments-empty': 'Permitted: that a parent has a row is only a should.',
  'blind-join-named-refused': 'Permitted: the documented join selects all columns.',
  'blind-join-partner-lost-sometimes': 'Found in some runs only.',
  'blind-join-unmatched-to-first': 'Found in some runs only.',
  'blind-literal-with-named-columns': 'Permitted: no sentence combines named columns with a filter.',
  'blind-named-milliseconds': 'Permitted: no sentence says how a value is spelled (decisions/0027).',
  'blind-named-with-row-number': 'Permitted: further members of a row are no columns (decisions/0027).',
  'blind-qc-empty-before-review': 'Permitted: nulls may be left out (decisions/0027).',
  'blind-qc-failure-mode-when-passed': 'Permitted: nulls may be left out (decisions/0027).',
  'blind-qc-nulls-stripped-in-join': 'Permitted: nulls may be left out (decisions/0027).',
  'blind-scalar-unit-none': 'A unit may have any text.',
  'blind-star-join-ambiguous': 'Permitted: the documented join has no LIMIT (decisions/0027).',
  'blind-statistics-nulls-removed': 'Permitted: nulls may be left out (decisions/0027).',
  'blind-token-letter-case-ignored': 'Permitted: tokens are opaque, and a UUID has no letter case.',
  'blind-token-locked-while-in-use': 'The run is inconclusive.',
  'blind-unknown-column-dropped':
    'Permitted: no sentence says that an unknown column is an error (decisions/0027).',
  'blind-unknown-column-filter-ignored':
    'Permitted: no sentence says that an unknown column is an error (decisions/0027).',
  'blind-unknown-column-null':
    'Permitted: no sentence says that an unknown column is an error (decisions/0027).',
  'blind-unknown-column-success-sometimes':
    'Permitted: no sentence says that an unknown column is an error (decisions/0027).',
}

let reference: Reference
let fetchOnce: typeof fetch

beforeAll(async () => {
  reference = await createReference({ seed: 1, scale: 0.01, workers: 1, timeLimitMs: shortLimitMs })
  fetchOnce = remembering(reference.fetch)
})
afterAll(() => reference.close())

describe('a suite run finds', { timeout: 120_000 }, () => {
  // One in three: a run for each takes ten minutes.
  const found = blindMutants.filter(({ id }, index) => !(id in missed) && index % 3 === 0)
  test.each(found.map((mutant) => [mutant.id, mutant] as const))('%s', async (_, mutant) => {
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
  })
})

test('every missed mutant exists', () => {
  const ids = blindMutants.map((mutant) => mutant.id)
  expect(Object.keys(missed).filter((id) => !ids.includes(id))).toEqual([])
  const unfound = Object.values(missed).filter((reason) => !reason.startsWith('Permitted'))
  expect(unfound.length).toBeLessThan(0.02 * ids.length)
})
