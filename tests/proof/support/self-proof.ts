import { expect } from 'vitest'
import { checks } from '../../../conformance/checks/index.ts'
import type { Mutant } from '../mutant.ts'
import { runConformance, type ConformanceOptions } from '../../../conformance/run/conformance.ts'
import { createReference, type Reference } from '../../../mock/index.ts'
import type { CheckResult } from '../../../schemas/index.ts'
import { remembering } from './remembering.ts'

/** A reference server, and the limit of its statements. */
export interface LimitedReference extends Reference {
  readonly timeLimitMs: number
}

/** The limit for tests that wait for it. */
export const shortLimitMs = 2000

/** A token with the form of a JWT, so that the suite also tries forged JWTs. The server only compares it. */
const jwt = ['{"alg":"RS256","typ":"JWT"}', '{"sub":"self-proof"}', 'signature']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')

/** A plant with which the suite exercises all its checks, in half the time that it needs for the usual runs. */
export const smallestPlant = { scale: 0.01, runs: 3 }
/** A plant that also has runs of every status, which some mutants change, and more series than values of runs, so that no join is the longest answer. */
export const smallPlant = { scale: 0.01, runs: 16 }

/** Starts a reference server. By default a busy machine does not reach the limit. */
export const startReference = async (
  plant: { readonly scale: number; readonly runs?: number } = smallestPlant,
  timeLimitMs = 60_000,
): Promise<LimitedReference> => ({
  ...(await createReference({ ...plant, timeLimitMs, workers: 2, tokens: [jwt] })),
  timeLimitMs,
})

/** Mutants whose checks wait, or repeat much. */
export const isSlow = ({ id }: Pick<Mutant, 'id'>): boolean =>
  /^time-|^named-columns-swapped$|^replies-served-|^every-second-join-stale$/.test(id)

/** Runs only the given checks, or all if none is given, against the reference behind `wrap`. */
export const judge = (
  { baseUrl, token, fetch, timeLimitMs }: LimitedReference,
  only: string[],
  wrap: Mutant['wrap'] = (fetch) => fetch,
  options: Partial<ConformanceOptions> = {},
) =>
  runConformance({
    baseUrl,
    token,
    fetch: wrap(fetch),
    only,
    timeLimitMs,
    requirementSet: 'next',
    ...options,
  })

/** A check of the time limit waits for it. */
export const isTimeCheck = (id: string): boolean => id.startsWith('time.')

/** Starts two reference servers: one for the checks that wait for the limit, and one for all others. */
export async function startReferences() {
  const [short, long] = await Promise.all([
    startReference(smallPlant, shortLimitMs),
    startReference(smallPlant),
  ])
  const remembered = { ...long, fetch: remembering(long.fetch) }
  return { short, long: remembered, close: () => Promise.all([short.close(), long.close()]) }
}

export type References = Awaited<ReturnType<typeof startReferences>>

/** The checks that send the most statements, and those that ask before all answers are judged. */
const asking = checks
  .filter(({ id, phase = 'parallel', ask }) => (phase === 'parallel' || ask) && !isTimeCheck(id))
  .map(({ id }) => id)

/** The outcome that a mutant must have, by the level of the requirement. */
const killed = { must: 'fail', should: 'warn', observe: 'observed' } as const

/**
 * Runs the checks that list the mutant in `killedBy`. A check of all answers runs with those that ask for them if its own answers
 * do not show the defect.
 *
 * @returns the report of the last run, and the results of these checks that do not catch the mutant
 */
async function judgeMutant({ short, long }: References, mutant: Mutant) {
  const claiming = checks.filter(({ killedBy }) => killedBy.includes(mutant.id))
  const ids = claiming.map(({ id }) => id)
  const options = { destructiveProbes: mutant.destructive ?? false }
  const run = async (only: string[], more: Partial<ConformanceOptions> = {}) => {
    const report = await judge(ids.some(isTimeCheck) ? short : long, only, mutant.wrap, {
      ...options,
      ...more,
    })
    const isSurvived = ({ id, outcome, level }: CheckResult) => ids.includes(id) && outcome !== killed[level]
    return { report, survived: report.checks.filter(isSurvived) }
  }
  const judged = await run(ids)
  return judged.survived.some(({ id }) =>
    claiming.some((check) => check.id === id && ['answers', 'broken'].includes(check.phase ?? '')),
  )
    ? run([...asking, ...ids])
    : judged
}

/** Expects every check that lists the mutant in `killedBy` to catch it. */
export async function expectKilled(references: References, mutant: Mutant): Promise<void> {
  const { survived } = await judgeMutant(references, mutant)
  const remedy = `have to catch ${mutant.id}: see conformance/checks/ and tests/proof/mutants/`
  expect(
    survived.map(({ id, outcome, message }) => `${id} ${outcome}: ${message}`),
    remedy,
  ).toEqual([])
}
