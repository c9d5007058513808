import { contract } from '../../schemas/index.ts'
import { questionIn } from '../answers/answers.ts'
import { anyMoment, showsOlder, viewMoves } from '../answers/moving.ts'
import { isAboutLoad } from '../connection/http/says-nothing.ts'
import { inconclusive, type Check, type Finding, type Phase } from '../checks/check.ts'
import { PLAIN_STATEMENT, TransportError } from '../connection/http/client.ts'
import { askingFor } from '../connection/http/identity.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { Stopped } from '../connection/http/limits.ts'
import { deniesToken } from '../connection/http/token-refusals.ts'
import { describeReply, readReply } from '../connection/http/reply.ts'
import { NotExercised, type Target } from '../connection/target.ts'

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

/** The finding of a check. Never throws: an error becomes an outcome. */
export async function findingOf(check: Check, target: Target): Promise<Settled['finding']> {
  try {
    return await askingFor(check.id, async () => {
      const finding = await check.run(target)
      const last = finding.concurrentChange ? await retry(check, target, finding) : finding
      const settled = unlessBehind(check, target, unlessLimited(last, target.options.timeLimitMs))
      return isUnserved(settled) && !BUSY.includes(check.phase) ? await unlessDown(target, settled) : settled
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

/** A refusal because of load proves nothing about its statement: the limit of requests is an open point (rate.mode). */
function unlessLimited(finding: Finding, limitMs: number): Finding {
  const { outcome, message, exchanges = [] } = finding
  // A 504 after the limit is about the limit, whatever its body says; so is another status if a statement was served meanwhile.
  const isServedDuring = ({ sentAt, endedAt }: Exchange) =>
    exchanges.some(
      (one) => one.response && readReply(one).ok && one.sentAt! > sentAt! && one.endedAt! < endedAt!,
    )
  const endsAtLimit = (one: Exchange) =>
    one.durationMs >= limitMs && (one.response?.status === 504 || isServedDuring(one))
  const limited = exchanges.find((one) => isAboutLoad(one) && !readReply(one).ok && !endsAtLimit(one))
  return outcome === 'fail' && limited
    ? inconclusive(`the target limited the requests with HTTP ${limited.response!.status} (${message})`, {
        exchanges,
      })
    : finding
}

/** Checks of rows that answers show at rest, which are the same in every copy. */
const AT_REST = /-at-rest$|^replies\.steady:/

/**
 * A failure, unless it compares answers over a view that changes, of a target that shows older states of changing rows after newer
 * ones.
 */
function unlessBehind({ id }: Check, target: Target, finding: Finding): Finding {
  const { outcome, message, exchanges = [] } = finding
  const answers = exchanges.filter((one) => one.response && readReply(one).ok)
  if (outcome !== 'fail' || answers.length < 2 || AT_REST.test(id) || !showsOlder(target)) return finding
  const asked = answers.map((one) => questionIn(one).sql ?? '')
  const isAsked = (view: string) => asked.some((sql) => new RegExp(`\\b${view}\\b`, 'i').test(sql))
  if (!contract.views.some((view) => isAsked(view) && viewMoves(target, view))) return finding
  const why = 'rows change, and answers show older states of them after newer ones, as from a cache or a copy'
  return inconclusive(`${why} (${message})`, { exchanges })
}

/** Whether a failure rests on a request that was not served: a backend that is down may be the reason. */
export const isUnserved = ({ outcome, exchanges = [] }: Settled['finding']): boolean =>
  outcome === 'fail' && exchanges.some((exchange) => !exchange.response || !readReply(exchange).ok)

/** The phases whose checks ask themselves whether the target still serves. */
const BUSY: readonly (Phase | undefined)[] = ['limit', 'afterLimit', 'exclusive']

/** A failure, unless the target served a plain statement at first and does not any more. */
async function unlessDown(target: Target, finding: Finding): Promise<Finding> {
  if (!(await target.origin.baseline()).ok) return finding
  const control = await target.query(PLAIN_STATEMENT).catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error
  })
  // a refused token is no outage, and the client notices an expired one
  if (!control || control.ok || deniesToken(control.status)) return finding
  return inconclusive(
    `the target stopped serving a plain statement: it got ${describeReply(control)} (${finding.message})`,
    { exchanges: [...(finding.exchanges ?? []), control.exchange] },
  )
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
