import {
  contractPage,
  requirement,
  requirementAnchor,
  sentenceOf,
  type CheckResult,
} from '../../schemas/index.ts'
import type { Check, Finding } from '../checks/check.ts'
import { TransportError } from '../connection/client.ts'
import type { Disclosure } from '../connection/disclosure.ts'
import { curlOf, evidenceOf } from '../connection/exchange.ts'
import { Stopped } from '../connection/limits.ts'
import type { Secrets } from '../connection/secrets.ts'
import { NotExercised, type Target } from '../connection/target.ts'

export interface ResultOptions {
  /** Removed from all texts of the report. */
  secrets: Secrets
  disclosure: Disclosure
  /** Changes the finished result, for example to waive it. */
  amend?: (result: CheckResult) => CheckResult
}

/** Retries of a check after a concurrent change. */
const MOST_RETRIES = 2

type Settled = Omit<Finding, 'outcome'> & { outcome: Finding['outcome'] | 'error' }

/** Runs a check and returns its result. Never throws: an error becomes an outcome. */
export async function resultOf(check: Check, target: Target, options: ResultOptions): Promise<CheckResult> {
  const started = performance.now()
  const finding = await settle(check, target)
  const tested = requirement(check.requirement)
  const { level } = tested
  const { outcome, message, notes = [], expected, actual, exchanges = [] } = finding
  const { secrets, disclosure, amend = (result) => result } = options
  const failed = outcome === 'fail'
  const curls = failed ? exchanges.map((exchange) => curlOf(exchange, options.secrets)) : []
  const safe = (text: string) => secrets.redact(text)
  return amend({
    id: check.id,
    requirement: check.requirement,
    level,
    clause: tested.clause.section,
    sentence: sentenceOf(tested),
    anchor: `${contractPage}#${requirementAnchor(tested.id)}`,
    title: check.title,
    outcome: failed && level === 'should' ? 'warn' : failed && level === 'observe' ? 'observed' : outcome,
    message: safe(message),
    ...(notes.length > 0 ? { notes: notes.map(safe) } : {}),
    ...(expected === undefined ? {} : { expected: safe(expected) }),
    ...(actual === undefined ? {} : { actual: safe(actual) }),
    ...(curls.length > 0 ? { curl: curls.at(-1)! } : {}),
    ...(curls.length > 1 ? { curls } : {}),
    evidence: exchanges.map((exchange) => evidenceOf(exchange, secrets, disclosure)),
    durationMs: Math.round(performance.now() - started),
  })
}

async function settle(check: Check, target: Target): Promise<Settled> {
  try {
    const finding = await check.run(target)
    if (finding.concurrentChange) return await retry(check, target, finding)
    return finding.outcome === 'fail' && mayVary(check) ? await repeat(check, target, finding) : finding
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

/** Checks of the time limit take too long to repeat, and checks of all answers would read the same ones. */
const mayVary = ({ phase = 'parallel' }: Check): boolean => phase === 'parallel'

/** Repeats a failed check without cached answers. If it passes, a note says so: the curl command may show nothing wrong. */
async function repeat(check: Check, target: Target, first: Finding): Promise<Finding> {
  const second = await check.run(target.fresh()).catch(() => undefined)
  if (second?.outcome !== 'pass') return first
  const note =
    'The check passed when it was repeated, so the answers vary: they may be mixed up under concurrency.'
  return { ...first, notes: [...(first.notes ?? []), note] }
}

/** Retries a check after a concurrent change, without cached rows. The message counts the retries. */
async function retry(check: Check, target: Target, first: Finding): Promise<Finding> {
  for (let n = 1; ; n++) {
    const finding = await check.run(target.fresh())
    if (n < MOST_RETRIES && finding.concurrentChange) continue
    return { ...finding, message: `${finding.message} (retry ${n}; first attempt: ${first.message})` }
  }
}
