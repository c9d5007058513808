import { sleep as pause } from '../../base/until-aborted.ts'
import { PLAIN_STATEMENT, TransportError, type SendOptions } from '../connection/http/client.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { readReply } from '../connection/http/reply.ts'
import { NotExercised, type Target } from '../connection/target.ts'

/** Sleep beyond the time limit, in milliseconds. */
const BEYOND_MS = 15_000
/** Time until a target should serve a small statement after a 504, in milliseconds. */
export const RECOVERY_MS = 5000
/** Longest wait until a target that still refuses serves again, in milliseconds: other checks follow. */
const PATIENCE_MS = 15_000
/** Pause between small statements after a 504, in milliseconds. */
const AGAIN_MS = 500

/** A 504 before this share of the limit does not show that its statement ran. */
export const EARLY_SHARE = 1 / 10

/** A statement that exceeds the time limit, and small ones sent during and after it. */
export interface Overrun {
  long: Exchange
  /** The long one before, if it too ended long before the limit and without a 504. */
  earlier?: Exchange
  /** Sent during the long one; undefined if that ended too soon. `first`: it got its reply before the long one. */
  meanwhile?: Exchange & { first: boolean }
  /** Sent after the long one: the first that was served, else the last. */
  after: Exchange
  /** Time between the end of the long one and the end of `after`, in milliseconds. */
  recoveryMs: number
}

/** Sleep statements in several SQL dialects. */
const sleeps: ((ms: number) => string)[] = [
  (ms) => `SELECT pg_sleep(${ms / 1000})`,
  (ms) => `SELECT SLEEP(${ms / 1000})`,
  (ms) => `CALL SYSTEM$WAIT(${ms}, 'MILLISECONDS')`,
  (ms) => `WAITFOR DELAY '${new Date(ms).toISOString().slice(11, 23)}'`,
  (ms) => `BEGIN DBMS_SESSION.SLEEP(${ms / 1000}); END;`,
]

/** The first sleep statement that the target accepts for 0 ms. */
export const acceptedSleep = (t: Target) =>
  t.once('sleep', async () => {
    for (const sleep of sleeps) if ((await t.query(sleep(0))).ok) return sleep
    return undefined
  })

/** The sleep of {@link servesOthersMeanwhile}, in milliseconds: long enough to start another engine. */
const TRIAL_MS = 2000
/** Statements that are sent this long after a sleep come after it, in milliseconds. */
const BEHIND_MS = 50

/** Whether the target serves other statements during the sleep of one: a plain one, or those of the checks that run meanwhile. */
export const servesOthersMeanwhile = (t: Target): Promise<boolean> =>
  t.once('serves others', () => triesOthersMeanwhile(t))

async function triesOthersMeanwhile(t: Target): Promise<boolean> {
  const sleep = await acceptedSleep(t).catch(() => undefined)
  if (!sleep) return false
  const from = performance.now() + BEHIND_MS
  let isServed = false
  const over = t.query(sleep(Math.min(TRIAL_MS, t.options.timeLimitMs / 2))).then(
    () => (isServed ||= t.client.lastAnswered > from),
    () => false,
  )
  await atMost(BEHIND_MS, over, t)
  const plain = t.query(PLAIN_STATEMENT).catch(() => undefined)
  await Promise.race([over, plain.then((reply) => (isServed ||= reply !== undefined))])
  return isServed
}

/** Self-joins of a view that return one row. Each takes many times longer than the one before. */
const ladder: string[] = [1, 2, 3, 4].map((joins) => {
  const joined = Array.from(
    { length: joins },
    (_, n) => `LEFT JOIN v_timeseries t${n + 1} ON t0.unit = t${n + 1}.unit`,
  )
  const newest = `SELECT MAX(t${joins}.last_updated_at) FROM v_timeseries t0 ${joined.join(' ')}`
  return `SELECT id FROM v_bioprocesses WHERE last_updated_at > (${newest}) LIMIT 1`
})

/** Statements that may exceed the time limit, in the order to try them. */
async function slowStatements(t: Target): Promise<string[]> {
  const { slowStatement, allowHeavy, timeLimitMs } = t.options
  if (slowStatement !== undefined) return [slowStatement]
  const sleep = await acceptedSleep(t)
  if (sleep) return [sleep(timeLimitMs + BEYOND_MS)]
  if (allowHeavy) return ladder
  throw new NotExercised(
    'the target has no known sleep function; pass a statement that exceeds the time limit with --slow-statement, or let the suite put load on the target with --allow-heavy',
  )
}

/** A statement that exceeds the time limit, while it runs. */
const underway = new WeakMap<Target, { sentAt: number; ended: Promise<unknown> }>()
/** How long a statement should still run after the limit of the long one, in milliseconds: its 504 may come late. */
const SPAN_MS = 250

/**
 * Waits, while a statement that exceeds the time limit runs, until one of `ms` milliseconds would outlast it: so the 504 meets a
 * statement that must finish.
 */
export async function untilItOutlasts(t: Target, ms: number): Promise<void> {
  const long = underway.get(t.origin)
  if (!long) return
  const wait = long.sentAt + t.options.timeLimitMs + SPAN_MS - ms - performance.now()
  await atMost(Math.max(0, wait), long.ended, t)
}

/** Waits for a statement, for a time, or for the end of the run. */
async function atMost(ms: number, statement: Promise<unknown>, t: Target): Promise<void> {
  const over = new AbortController()
  const signal = AbortSignal.any([t.client.options.limits.signal, over.signal])
  await Promise.race([statement, pause(ms, signal).catch(() => {})])
  over.abort()
}

/** Sends a statement that exceeds the time limit, a small one meanwhile and one afterwards. Runs once. */
export const overrun = (t: Target): Promise<Overrun> =>
  t.once('overrun', async () => {
    let sent: Pick<Overrun, 'long' | 'earlier' | 'meanwhile'> | undefined
    for (const sql of await slowStatements(t)) {
      sent = await withSmallOne(t, sql)
      // a restart of the service breaks a connection too, but not twice
      if (endsEarly(sent.long, t)) sent = { ...(await withSmallOne(t, sql)), earlier: sent.long }
      const { long } = sent
      if (long.durationMs >= t.options.timeLimitMs || !long.response || !readReply(long).ok) break
    }
    const ended = performance.now()
    const after = await smallOneAfter(t)
    return { ...sent!, after, recoveryMs: performance.now() - ended }
  })

/**
 * A second sleep that exceeds the time limit, sent beside the first so that it ends soon after it. Undefined if the target has no known
 * sleep, or might let the second one or others wait: a plain statement has to be served beside the first and a short sleep.
 */
export async function secondOverrun(t: Target): Promise<Exchange | undefined> {
  const sleep = await acceptedSleep(t)
  if (!sleep || !(await servesOthersMeanwhile(t))) return undefined
  const first = overrun(t)
  await atMost(SPAN_MS, first, t)
  if (!underway.has(t.origin)) return undefined
  let isOver = false
  const short = attempt(t, sleep(Math.min(TRIAL_MS, t.options.timeLimitMs / 2)), {}).then(
    () => (isOver = true),
    () => (isOver = true),
  )
  await atMost(BEHIND_MS, short, t)
  const plain = await attempt(t, PLAIN_STATEMENT, { timeoutMs: RECOVERY_MS, paced: false })
  if (isOver || !plain.response || !readReply(plain).ok || !underway.has(t.origin)) return undefined
  return attempt(t, sleep(t.options.timeLimitMs + BEYOND_MS), {})
}

/** Times that a small statement is repeated after a 504. */
const LATER = 3
const LATER_PAUSE_MS = 1000

/** Replies to small statements, alone and later than the time of recovery; none if the first after the 504 was served. */
export async function smallOnesLater(t: Target, { long, after }: Overrun): Promise<Exchange[]> {
  if (long.response?.status !== 504 || (after.response && readReply(after).ok)) return []
  const later: Exchange[] = []
  for (let n = 0; n < LATER; n++) {
    await pause(n === 0 ? RECOVERY_MS : LATER_PAUSE_MS, t.client.options.limits.signal)
    later.push(await attempt(t, PLAIN_STATEMENT, { paced: false }))
  }
  return later
}

/** Sends a long statement again that got an early 504; undefined if neither its time nor a sleep shows that it ran. */
export async function repeatLong(
  t: Target,
  { durationMs, request }: Exchange,
): Promise<Exchange | undefined> {
  const ran = durationMs >= t.options.timeLimitMs * EARLY_SHARE || (await acceptedSleep(t)) !== undefined
  const { statement } = JSON.parse(request.body) as { statement: string }
  return ran ? attempt(t, statement, {}) : undefined
}

/** Two connections that break within this time broke because of the same outage, in milliseconds. */
const TOGETHER_MS = 500

/** Whether other requests broke off together with this one. */
export const brokeWithOthers = (one: Exchange, t: Target): boolean =>
  one.broke !== undefined &&
  t.client.broken.some(
    (other) => other.request.body !== one.request.body && Math.abs(endOf(other) - endOf(one)) < TOGETHER_MS,
  )

const endOf = ({ sentAt = 0, durationMs }: Exchange): number => sentAt + durationMs

/** Whether a statement ended too long before the limit to be ended because of it, but ran: an outage ends it too. */
const endsEarly = (one: Exchange, t: Target): boolean =>
  one.durationMs < t.options.timeLimitMs * 0.9 &&
  (!one.response ||
    (one.durationMs >= t.options.timeLimitMs * EARLY_SHARE &&
      one.response.status !== 504 &&
      !readReply(one).ok))

/** Repeats the small statement while the target limits the rate, answers 5xx or drops the connection. */
async function smallOneAfter(t: Target): Promise<Exchange> {
  const started = performance.now()
  for (;;) {
    const timeoutMs = Math.max(started + RECOVERY_MS - performance.now(), AGAIN_MS)
    const after = await attempt(t, PLAIN_STATEMENT, { timeoutMs, paced: false })
    const status = after.response?.status ?? 503
    const mayPass = status === 429 || status >= 500
    // A target that hangs is not asked again: each timeout counts towards the end of the run.
    const until = started + (after.durationMs < timeoutMs ? PATIENCE_MS : RECOVERY_MS)
    if (!mayPass || performance.now() + AGAIN_MS > until) return after
    await pause(AGAIN_MS, t.client.options.limits.signal)
  }
}

/** Sends a statement, and a small one after a quarter of the time limit. */
async function withSmallOne(t: Target, sql: string): Promise<Pick<Overrun, 'long' | 'meanwhile'>> {
  let running = true
  const refusedWithinMs = t.options.timeLimitMs * 0.9
  const long = attempt(t, sql, { refusedWithinMs }).finally(() => {
    running = false
    underway.delete(t.origin)
  })
  underway.set(t.origin, { sentAt: performance.now(), ended: long })
  await atMost(t.options.timeLimitMs / 4, long, t)
  if (!running) return { long: await long }
  const small = await attempt(t, PLAIN_STATEMENT, { timeoutMs: RECOVERY_MS, paced: false })
  const meanwhile = { ...small, first: running && small.response !== undefined }
  return { long: await long, meanwhile }
}

/** Sends a statement without retries, because the fate of the connection is part of the result. */
export async function attempt(t: Target, sql: string, options: SendOptions): Promise<Exchange> {
  try {
    return await t.client.statement(sql, { ...options, retries: 0 })
  } catch (error) {
    if (error instanceof TransportError) return error.exchange
    throw error
  }
}
