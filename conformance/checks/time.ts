import { check, compared, fail, notExercised, type Check } from '../check.ts'
import { TransportError, type SendOptions } from '../target/client.ts'
import type { Exchange } from '../target/exchange.ts'
import { judgeEarliness, judgeOverrun, RECOVERY_MS, type Overrun } from '../judges/overrun.ts'
import { describeReply } from '../target/reply.ts'
import { NotExercised, type Target } from '../target/target.ts'

/** How much longer than the limit the slow statement sleeps, in milliseconds. */
const BEYOND_MS = 15_000
/** Part of the limit that a statement sleeps which must not be cut. */
const BELOW = 0.6

/** Statements that only wait, in dialects that have one. */
const sleeps: ((ms: number) => string)[] = [
  (ms) => `SELECT pg_sleep(${ms / 1000})`,
  (ms) => `SELECT SLEEP(${ms / 1000})`,
  (ms) => `CALL SYSTEM$WAIT(${ms}, 'MILLISECONDS')`,
  (ms) => `WAITFOR DELAY '${new Date(ms).toISOString().slice(11, 23)}'`,
  (ms) => `BEGIN DBMS_SESSION.SLEEP(${ms / 1000}); END;`,
]

/** The first sleep that the target accepts when it is over at once. */
const acceptedSleep = (t: Target) =>
  t.once('sleep', async () => {
    for (const sleep of sleeps) if ((await t.query(sleep(0))).ok) return sleep
    return undefined
  })

/** Sends a statement that outlasts the limit, and a small one after it. Sent once. */
export const overrun = (t: Target): Promise<Overrun> =>
  t.once('overrun', async () => {
    const { slowStatement, timeLimitMs } = t.options
    const slow = slowStatement ?? (await acceptedSleep(t))?.(timeLimitMs + BEYOND_MS)
    if (slow === undefined)
      throw new NotExercised(
        'the target knows none of the sleep functions tried; pass a statement that runs past the limit with --slow-statement',
      )
    const long = await attempt(t, slow, {})
    const after = await attempt(t, 'SELECT id FROM v_bioprocesses LIMIT 1', {
      timeoutMs: RECOVERY_MS,
      retryAfter: false,
    })
    return { long, after }
  })

/** Sends a statement once only: what happens to the connection is part of the answer here. */
async function attempt(t: Target, sql: string, options: SendOptions): Promise<Exchange> {
  try {
    return await t.client.statement(sql, { ...options, retries: 0 })
  } catch (error) {
    if (error instanceof TransportError) return error.exchange
    throw error
  }
}

export const timeChecks: Check[] = [
  check({
    id: 'time.limit',
    requirement: 'REQ-TIME-1',
    title: 'MUST end a statement that runs longer than the limit with HTTP 504',
    killedBy: ['time-no-limit', 'time-500', 'time-error-200', 'time-reset', 'time-late', 'time-wedged'],
    lane: 'outlast',
    run: async (t) => judgeOverrun(await overrun(t), t.options.timeLimitMs),
  }),
  check({
    id: 'time.not-early',
    requirement: 'REQ-TIME-1:should',
    title: 'SHOULD NOT end a statement before the limit',
    killedBy: ['time-early'],
    lane: 'outlast',
    run: async (t) => judgeEarliness(await overrun(t), t.options.timeLimitMs),
  }),
  check({
    id: 'time.below-limit',
    requirement: 'REQ-TIME-2',
    title: 'SHOULD let a statement below the limit finish',
    killedBy: ['time-early'],
    lane: 'wait',
    run: async (t) => {
      const sleep = await acceptedSleep(t)
      if (!sleep) return notExercised('the target knows none of the sleep functions tried')
      const ms = Math.round(t.options.timeLimitMs * BELOW)
      const reply = await t.query(sleep(ms), { retries: 0 })
      const { exchange } = reply
      if (!reply.ok)
        return fail({
          message: `a statement of ${ms / 1000} s was not served`,
          expected: 'state "success"',
          actual: `${describeReply(reply)}, after ${Math.round(exchange.durationMs)} ms`,
          exchanges: [exchange],
        })
      if (exchange.durationMs < ms * 0.9) return notExercised('the sleep ended before its time')
      return compared(1, 'statement', `served after ${Math.round(exchange.durationMs)} ms`)
    },
  }),
]
