import { PLAIN_STATEMENT, TransportError, type SendOptions } from '../client.ts'
import type { Exchange } from '../exchange.ts'
import { readReply } from '../reply.ts'
import { NotExercised, type Target } from '../target.ts'

/** How much longer than the limit the slow statement sleeps, in milliseconds. */
const BEYOND_MS = 15_000
/** How long a target may take after a 504 until it serves a small statement, in milliseconds. */
export const RECOVERY_MS = 5000
/** Pause between two small statements after a 504, in milliseconds. */
const AGAIN_MS = 500

/** A statement that outlasts the limit, and small ones sent during and after it. */
export interface Overrun {
  long: Exchange
  /** Sent while the long one ran; undefined if that ended too soon. */
  meanwhile?: Exchange & { first: boolean }
  /** Sent after the long one: the first that was served, or the last one if none was. */
  after: Exchange
}

/** Statements that only sleep, in several dialects. */
const sleeps: ((ms: number) => string)[] = [
  (ms) => `SELECT pg_sleep(${ms / 1000})`,
  (ms) => `SELECT SLEEP(${ms / 1000})`,
  (ms) => `CALL SYSTEM$WAIT(${ms}, 'MILLISECONDS')`,
  (ms) => `WAITFOR DELAY '${new Date(ms).toISOString().slice(11, 23)}'`,
  (ms) => `BEGIN DBMS_SESSION.SLEEP(${ms / 1000}); END;`,
]

/** The first sleep function that the target accepts, tried with a sleep of 0 ms. */
export const acceptedSleep = (t: Target) =>
  t.once('sleep', async () => {
    for (const sleep of sleeps) if ((await t.query(sleep(0))).ok) return sleep
    return undefined
  })

/** How long the sleep of {@link servesOthersMeanwhile} takes, in milliseconds: enough to start a second engine. */
const TRIAL_SLEEP_MS = 2000

/**
 * Whether the target answers a small statement while another one sleeps. Known as soon as the small one is answered;
 * `over` settles when the sleep has ended.
 */
export async function servesOthersMeanwhile(
  t: Target,
): Promise<{ servesOthers: boolean; over: Promise<void> }> {
  const sleep = await acceptedSleep(t).catch(() => undefined)
  if (!sleep) return { servesOthers: false, over: Promise.resolve() }
  let asleep = true
  const wake = () => {
    asleep = false
  }
  const ms = Math.min(TRIAL_SLEEP_MS, t.options.timeLimitMs / 2)
  const over = t.query(sleep(ms)).then(wake, wake)
  await new Promise((resolve) => setTimeout(resolve, 50))
  const servesOthers = await t.query(PLAIN_STATEMENT).then(
    () => asleep,
    () => false,
  )
  if (!servesOthers) await over
  return { servesOthers, over }
}

/** Statements that compute, each many times longer than the one before: joins of a view with itself that return one row. */
const ladder: string[] = [1, 2, 3, 4].map((joins) => {
  const joined = Array.from(
    { length: joins },
    (_, n) => `LEFT JOIN v_timeseries t${n + 1} ON t0.unit = t${n + 1}.unit`,
  )
  const newest = `SELECT MAX(t${joins}.last_updated_at) FROM v_timeseries t0 ${joined.join(' ')}`
  return `SELECT id FROM v_bioprocesses WHERE last_updated_at > (${newest}) LIMIT 1`
})

/** Statements that may outlast the limit, in the order to try them. */
async function slowStatements(t: Target): Promise<string[]> {
  const { slowStatement, allowHeavy, timeLimitMs } = t.options
  if (slowStatement !== undefined) return [slowStatement]
  const sleep = await acceptedSleep(t)
  if (sleep) return [sleep(timeLimitMs + BEYOND_MS)]
  if (allowHeavy) return ladder
  throw new NotExercised(
    'the target knows none of the sleep functions tried; pass a statement that runs past the limit with --slow-statement, or let the suite put load on it with --allow-heavy',
  )
}

/** Sends a statement that outlasts the limit, a small one meanwhile, and one afterwards. Sent once. */
export const overrun = (t: Target): Promise<Overrun> =>
  t.once('overrun', async () => {
    let sent: Pick<Overrun, 'long' | 'meanwhile'> | undefined
    for (const sql of await slowStatements(t)) {
      sent = await withSmallOne(t, sql)
      const { long } = sent
      if (long.durationMs >= t.options.timeLimitMs || !long.response || !readReply(long).ok) break
    }
    return { ...sent!, after: await smallOneAfter(t) }
  })

/** Repeats the small statement while the target is overloaded, limits the rate or drops the connection. */
async function smallOneAfter(t: Target): Promise<Exchange> {
  const until = performance.now() + RECOVERY_MS
  for (;;) {
    const timeoutMs = Math.max(until - performance.now(), AGAIN_MS)
    const after = await attempt(t, PLAIN_STATEMENT, { timeoutMs, retryAfter: false })
    const mayPass = !after.response || [429, 503].includes(after.response.status)
    if (!mayPass || performance.now() + AGAIN_MS > until) return after
    await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
  }
}

/** Sends a statement, and a small one when it has run for a quarter of the limit. */
async function withSmallOne(t: Target, sql: string): Promise<Pick<Overrun, 'long' | 'meanwhile'>> {
  let running = true
  const long = attempt(t, sql, {}).finally(() => {
    running = false
  })
  await Promise.race([long, new Promise((resolve) => setTimeout(resolve, t.options.timeLimitMs / 4))])
  if (!running) return { long: await long }
  const beside = await attempt(t, PLAIN_STATEMENT, { timeoutMs: RECOVERY_MS, retryAfter: false })
  const meanwhile = { ...beside, first: running && beside.response !== undefined }
  return { long: await long, meanwhile }
}

/** Sends a statement without retries: what happens to the connection is part of the result. */
async function attempt(t: Target, sql: string, options: SendOptions): Promise<Exchange> {
  try {
    return await t.client.statement(sql, { ...options, retries: 0 })
  } catch (error) {
    if (error instanceof TransportError) return error.exchange
    throw error
  }
}
