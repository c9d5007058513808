import type { ClientFinding } from '../rules/finding.ts'
import type { Trial } from './trial.ts'
import type { Habit, HabitResult, HabitVerdict } from './types.ts'

/** Accepted failures by the id of a habit or of a requirement, as a baseline holds them. */
export type Waivers = Readonly<Record<string, { readonly reason: string; readonly expires?: string }>>

/** The result of a habit. @param plain the findings without it: a rule that is broken anyway is not due to the habit */
export function resultOf(
  { id, title, standing }: Habit,
  trial: Trial,
  plain: readonly ClientFinding[],
  waivers: Waivers,
): HabitResult {
  const findings = trial.findings.filter(
    (finding) => isViolation(finding) && !plain.some((before) => isSame(before, finding)),
  )
  const { failure, request, requests, durationMs } = trial
  const breaksMust = findings.some(
    ({ outcome, requirement }) => outcome === 'fail' && !isWaived(waivers, requirement),
  )
  const stoppedBy = breaksMust ? 'requirement' : failure && (failure.isTimeout ? 'time limit' : 'tests')
  const outcome = stoppedBy ? 'stopped' : trial.isMet ? 'survived' : 'not met'
  const result: HabitResult = {
    id,
    title,
    standing,
    outcome,
    ...(stoppedBy && { stoppedBy }),
    ...(failure && { failure }),
    ...(request && stoppedBy && { request }),
    findings,
    requests,
    durationMs,
  }
  return outcome === 'stopped' && isWaived(waivers, id)
    ? { ...result, outcome: 'waived', reason: waivers[id]!.reason }
    : result
}

export const notRun = ({ id, title, standing }: Habit): HabitResult => ({
  id,
  title,
  standing,
  outcome: 'not run',
  findings: [],
  requests: 0,
  durationMs: 0,
})

/** Whether a result keeps the client from passing: a neutral habit, or a must requirement under any habit. */
export const counts = ({ outcome, standing, stoppedBy }: HabitResult): boolean =>
  outcome === 'stopped' && (standing === 'neutral' || stoppedBy === 'requirement')

export function verdictOf(
  results: readonly HabitResult[],
  plain: readonly ClientFinding[],
  waivers: Waivers,
): HabitVerdict {
  const isBroken = plain.some(
    ({ outcome, requirement }) => outcome === 'fail' && !isWaived(waivers, requirement),
  )
  if (isBroken || results.some(counts)) return 'stopped'
  return isNoneMet(results) || results.some(({ outcome }) => outcome === 'not run') ? 'incomplete' : 'passed'
}

/** Whether the tests ask for nothing that a habit changes: such a run shows nothing. */
export const isNoneMet = (results: readonly HabitResult[]): boolean =>
  results.every(({ outcome }) => outcome === 'not met')

/** One sentence for each waiver that is not needed, or no longer valid. */
export const staleWaivers = (results: readonly HabitResult[], waivers: Waivers): string[] =>
  Object.entries(waivers).flatMap(([id, { expires }]) => {
    const result = results.find((one) => one.id === id)
    if (result?.outcome === 'survived')
      return [`${id} no longer stops the client: remove its entry from the baseline.`]
    return isWaived(waivers, id) ? [] : [`The waiver of ${id} expired on ${expires}.`]
  })

/** A waiver includes its last day (UTC). */
const isWaived = (waivers: Waivers, id: string): boolean => {
  if (!Object.hasOwn(waivers, id)) return false
  const { expires } = waivers[id]!
  return expires === undefined || new Date().toISOString().slice(0, 10) <= expires
}

const isViolation = ({ outcome }: ClientFinding): boolean => outcome !== 'pass' && outcome !== 'not exercised'

const isSame = (a: ClientFinding, b: ClientFinding): boolean =>
  a.requirement === b.requirement && a.outcome === b.outcome
