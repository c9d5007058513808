import { expect } from 'vitest'
import { checks } from '../../conformance/checks/index.ts'
import { mutants } from '../../conformance/mutants/index.ts'
import type { Mutant } from '../../conformance/mutants/mutant.ts'
import { runConformance, type ConformanceOptions } from '../../conformance/run/conformance.ts'
import { createReference, type Reference } from '../../mock/index.ts'

/** Short, so that a run takes seconds: checks of the limit are told the same. */
const timeLimitMs = 2000

/** Mutants that have to be waited for; `npm test` leaves them to the fuller tier. */
export const isSlow = ({ id }: Mutant): boolean => /^time-(?!no-limit|early)/.test(id)

/** Of the hundreds that break one column each, every so many are in `npm test`. */
const ONE_COLUMN_IN = 12
const ofColumns = mutants.filter(({ id }) => id.startsWith('column-'))

/** What `npm test` runs; the fuller tier runs all. */
export const spread = mutants.filter(
  (mutant) =>
    !isSlow(mutant) && (!ofColumns.includes(mutant) || ofColumns.indexOf(mutant) % ONE_COLUMN_IN === 0),
)

export const startReference = (): Promise<Reference> =>
  createReference({ scale: 0.01, timeLimitMs, workers: 2 })

/** Judges the reference, through `wrap`, by the given checks alone; by all where none is given. */
export const judge = (
  { baseUrl, token, fetch }: Reference,
  only: string[],
  wrap: Mutant['wrap'] = (fetch) => fetch,
  options: Partial<ConformanceOptions> = {},
) => runConformance({ baseUrl, token, fetch: wrap(fetch), only, timeLimitMs, ...options })

/** What a check has to say of a mutant: the register's level decides. */
const killed = { must: 'fail', should: 'warn', observe: 'observed' } as const

/** Every check that claims the mutant has to tell of it. */
export async function expectKilled(reference: Reference, mutant: Mutant): Promise<void> {
  const claims = checks.filter(({ killedBy }) => killedBy.includes(mutant.id)).map(({ id }) => id)
  const report = await judge(reference, claims, mutant.wrap, {
    destructiveProbes: mutant.destructive ?? false,
  })
  const survived = report.checks.filter(({ outcome, level }) => outcome !== killed[level])
  const remedy = `have to catch ${mutant.id}: see conformance/checks/ and conformance/mutants/`
  expect(
    survived.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`),
    remedy,
  ).toEqual([])
}
