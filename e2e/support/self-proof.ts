import { expect } from 'vitest'
import { checks } from '../../conformance/checks/index.ts'
import { mutants } from '../../conformance/mutants/index.ts'
import type { Mutant } from '../../conformance/mutants/mutant.ts'
import { runConformance } from '../../conformance/run-conformance.ts'
import { createReference, type Reference } from '../../mock/index.ts'

/** Short, so that a run takes seconds: checks of the limit are told the same. */
const timeLimitMs = 2000

/** Mutants that have to be waited for; `npm test` leaves them to the fuller tier. */
export const isSlow = ({ id }: Mutant): boolean => /^time-(?!no-limit|early)/.test(id)

export const quickMutants = mutants.filter((mutant) => !isSlow(mutant))
export const slowMutants = mutants.filter(isSlow)

export const startReference = (): Promise<Reference> =>
  createReference({ scale: 0.01, timeLimitMs, workers: 2 })

/** Judges the reference, through `wrap`, by the given checks alone. */
export const judge = (reference: Reference, only: string[], mutant?: Mutant) =>
  runConformance({
    baseUrl: reference.baseUrl,
    token: reference.token,
    fetch: mutant ? mutant.wrap(reference.fetch) : reference.fetch,
    only,
    timeLimitMs,
    destructiveProbes: mutant?.destructive ?? false,
  })

/** Every check that claims the mutant has to fail on it; a check of a `should` warns. */
export async function expectKilled(reference: Reference, mutant: Mutant): Promise<void> {
  const claims = checks.filter(({ killedBy }) => killedBy.includes(mutant.id)).map(({ id }) => id)
  const report = await judge(reference, claims, mutant)
  const survived = report.checks.filter(
    ({ outcome, level }) => outcome !== (level === 'must' ? 'fail' : 'warn'),
  )
  expect(survived.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`)).toEqual([])
}
