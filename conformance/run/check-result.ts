import {
  columnClause,
  contractPage,
  isScored,
  requirement,
  requirementAnchor,
  sentenceOf,
  type CheckResult,
  type RequirementSetName,
} from '../../schemas/index.ts'
import { anyMoment, dataMoves } from '../answers/moving.ts'
import { inconclusive, type Check, type Finding } from '../checks/check.ts'
import { TransportError } from '../connection/http/client.ts'
import type { Disclosure } from '../connection/redaction/disclosure.ts'
import { excerpt } from '../connection/redaction/excerpt.ts'
import { curlOf, evidenceOf } from '../connection/http/exchange.ts'
import { askingFor } from '../connection/http/identity.ts'
import { Stopped } from '../connection/http/limits.ts'
import type { Secrets } from '../connection/redaction/secrets.ts'
import { NotExercised, type Target } from '../connection/target.ts'

export interface ResultOptions {
  /** Removed from all texts of the report. */
  secrets: Secrets
  disclosure: Disclosure
  /** Default `next`: every check counts. */
  requirementSet?: RequirementSetName | undefined
  /** Changes the finished result, for example to waive it. */
  amend?: (result: CheckResult) => CheckResult
}

/**
 * Retries of a check after a concurrent change; those after the first two wait for another moment. With 20 writes a second, the
 * newest rows of two views are too close to each other in every third attempt.
 */
const MOST_RETRIES = 6

/** A check that has run. */
export interface Settled {
  check: Check
  finding: Omit<Finding, 'outcome'> & { outcome: Finding['outcome'] | 'error' }
  durationMs: number
}

/** Runs a check. Never throws: an error becomes an outcome. */
export async function settle(check: Check, target: Target): Promise<Settled> {
  const started = performance.now()
  const finding = await findingOf(check, target)
  return { check, finding, durationMs: Math.round(performance.now() - started) }
}

/** The outcome of a failed check, by the level of its requirement. */
const OF_FAILURE = { must: 'fail', should: 'warn', observe: 'observed' } as const

const outside = (set: RequirementSetName): string =>
  `The requirement set ${set} does not have the check; it can fail a target that is judged by another set.`

/** The result of a check for the report. */
export function resultOf({ check, finding, durationMs }: Settled, options: ResultOptions): CheckResult {
  const tested = requirement(check.requirement)
  const { level } = tested
  const { outcome, message, notes = [], expected, actual, columns = [], exchanges = [] } = finding
  const { secrets, disclosure, amend = (result) => result } = options
  const failed = outcome === 'fail'
  const { requirementSet: set = 'next' } = options
  const isNote = failed && !isScored(check.id, set)
  const allNotes = isNote ? [...notes, outside(set)] : notes
  const curls = failed ? exchanges.map((exchange) => excerpt(curlOf(exchange, options.secrets))) : []
  const safe = (text: string) => secrets.forReport(text)
  const cited = columns.flatMap(({ view, column }) => columnClause(view, column) ?? [])
  return amend({
    id: check.id,
    requirement: check.requirement,
    level,
    clause: cited.length > 0 ? cited.join('; ') : tested.clause.section,
    sentence: sentenceOf(tested),
    ...(failed && tested.note !== undefined ? { ruling: tested.note } : {}),
    anchor: `${contractPage}#${requirementAnchor(tested.id)}`,
    title: check.title,
    outcome: isNote ? 'observed' : failed ? OF_FAILURE[level] : outcome,
    message: safe(message),
    ...(allNotes.length > 0 ? { notes: allNotes.map(safe) } : {}),
    ...(expected === undefined ? {} : { expected: safe(expected) }),
    ...(actual === undefined ? {} : { actual: safe(actual) }),
    ...(curls.length > 0 ? { curl: curls.at(-1)! } : {}),
    ...(curls.length > 1 ? { curls } : {}),
    evidence: exchanges.map((exchange) => evidenceOf(exchange, secrets, disclosure)),
    durationMs,
  })
}

async function findingOf(check: Check, target: Target): Promise<Settled['finding']> {
  try {
    return await askingFor(check.id, async () => {
      const finding = await check.run(target)
      return unlessLimited(finding.concurrentChange ? await retry(check, target, finding) : finding)
    })
  } catch (error) {
    if (error instanceof NotExercised)
      return { outcome: 'not-exercised', message: error.message, exchanges: error.exchanges }
    if (error instanceof Stopped)
      return { outcome: 'not-exercised', message: `the run ended early because ${error.message}` }
    if (error instanceof TransportError)
      return { outcome: 'inconclusive', message: error.message, exchanges: [error.exchange] }
    return {
      outcome: 'error',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }
  }
}

/** A reply with HTTP 429 proves nothing about its statement: the limit of requests is an open point (rate.mode). */
function unlessLimited(finding: Finding): Finding {
  const { outcome, message, exchanges = [] } = finding
  const limited = exchanges.some(({ response }) => response?.status === 429)
  return outcome === 'fail' && limited
    ? inconclusive(`the target limited the requests with HTTP 429 (${message})`, { exchanges })
    : finding
}

/**
 * Whether a failure may be due to the other requests in flight. Checks of the time limit take too long to repeat, and checks
 * of all answers would read the same ones.
 */
export const mayVary = ({ check: { phase = 'parallel', repeats }, finding }: Settled): boolean =>
  finding.outcome === 'fail' && phase === 'parallel' && !repeats

/** Repetitions of a check that failed; more if the data change, because a defect shows each time. */
const REPETITIONS = { still: 3, moving: 6 }

/**
 * Repeats a failed check after the others of its phase, without cached answers. A check that then passes still fails,
 * with a note: the curl command may show nothing wrong. If the data change during the run, it is inconclusive.
 */
export async function repeatAlone(settled: Settled, target: Target): Promise<Settled> {
  const { check, finding } = settled
  let passed = 0
  for (let n = 0; n < REPETITIONS.still; n++) {
    const again = await findingOf(check, target.fresh())
    if (again.outcome === 'pass') passed++
    // Most defects show again at once, which needs no further requests.
    else if (n === 0) break
  }
  if (finding.followsChange || dataMoves(target))
    return { ...settled, finding: await failsAlways(check, target, finding, passed) }
  if (passed === 0) return settled
  const note =
    passed === REPETITIONS.still
      ? `The check passed ${passed} of ${passed} times when it was repeated after the other checks: answers may be mixed up under concurrency.`
      : `The check passed ${passed} of ${REPETITIONS.still} times when it was repeated, so the answers vary.`
  return { ...settled, finding: { ...finding, notes: [...(finding.notes ?? []), note] } }
}

/** The finding of a failed check whose data change: inconclusive unless it fails each time. */
async function failsAlways(
  check: Check,
  target: Target,
  finding: Settled['finding'],
  passed: number,
): Promise<Settled['finding']> {
  let fails = passed === 0
  for (let n = 1; n < REPETITIONS.moving && fails; n++) {
    await anyMoment(target)
    fails = (await findingOf(check, target.fresh())).outcome === 'fail'
  }
  if (fails) return finding
  const { exchanges = [], message } = finding
  return inconclusive(`the data change, and the check does not fail each time (${message})`, { exchanges })
}

/** Retries a check after a concurrent change, without cached rows. The message counts the retries. */
async function retry(check: Check, target: Target, first: Finding): Promise<Finding> {
  for (let n = 1; ; n++) {
    if (n > 2) await anyMoment(target)
    const finding = await check.run(target.fresh())
    if (n < MOST_RETRIES && finding.concurrentChange) continue
    const message = `${finding.message} (retry ${n}; first attempt: ${first.message})`
    return { ...finding, message, followsChange: true }
  }
}
