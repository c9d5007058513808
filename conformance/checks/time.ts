import { isAboutLoad, saysNothing } from '../connection/http/says-nothing.ts'
import type { Exchange } from '../connection/http/exchange.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import { describeReply, readReply } from '../connection/http/reply.ts'
import type { Target } from '../connection/target.ts'
import {
  acceptedSleep,
  attempt,
  brokeWithOthers,
  repeatLong,
  smallOnesLater,
  overrun,
  RECOVERY_MS,
  secondOverrun,
  untilItOutlasts,
  type Overrun,
} from '../samples/time-limit.ts'
import {
  check,
  compared,
  fail,
  inconclusive,
  notExercised,
  observed,
  type Check,
  type Finding,
} from './check.ts'

/** A statement below the limit sleeps for this share of it. */
const BELOW = 0.6

/** Tolerances of a 504 before and after the limit, in milliseconds. */
const EARLY_MS = 500
const LATE_MS = 5000
/** Difference of two times that are those of one limit, in milliseconds. */
const SAME_MS = 500

/** Checks the end of a statement that exceeds the limit (REQ-TIME-1). */
export function checkEnd(
  { long, earlier, meanwhile, after }: Omit<Overrun, 'recoveryMs'>,
  limitMs: number,
): Finding {
  const ended = describeEnd(long)
  // a statement that was served meanwhile shows that the end is not one of load
  const exchanges = meanwhile?.first && readReply(meanwhile).ok ? [long, meanwhile] : [long]
  const wrong = (message: string) =>
    fail({ message, expected: `HTTP 504 after ${seconds(limitMs)}`, actual: ended, exchanges })
  const isServedAfter = after.response !== undefined && readReply(after).ok
  // an outage of the whole target
  if (!long.response && !isServedAfter && (!long.broke || long.durationMs < limitMs * 0.9))
    return inconclusive(`a slow statement and the small one after it got no reply: ${long.failure}`, {
      exchanges: [long, after],
    })
  // a limit ends both after the same time, an outage does not
  if (
    earlier &&
    long.durationMs < limitMs * 0.9 &&
    long.response?.status !== 504 &&
    Math.abs(long.durationMs - earlier.durationMs) > SAME_MS
  )
    return inconclusive(`the slow statement was cut off twice: ${describeEnd(earlier)}, and ${ended}`, {
      exchanges: [earlier, long],
    })
  if (!long.response) return wrong(`a statement that exceeds the limit got no reply: ${long.failure}`)
  if (long.response.status !== 504) {
    // A statement that ended by itself or was refused did not exceed the limit.
    const never = readReply(long).ok ? limitMs : limitMs / 10
    if (long.durationMs < never && !isServedAfter)
      return inconclusive(
        `the slow statement ended with ${ended}, and the small statement after it was not served`,
        {
          exchanges: [long, after],
        },
      )
    if (long.durationMs < never)
      return notExercised(
        `the slow statement ended before the limit with ${ended}; pass a slower one with --slow-statement`,
        { exchanges: [long] },
      )
    return readReply(long).ok
      ? wrong('a statement that exceeds the limit was served')
      : wrong('a statement that exceeds the limit was not ended with HTTP 504')
  }
  if (long.durationMs > limitMs + LATE_MS) return wrong('the 504 came too late')
  return compared(1, 'statement', `ended with ${ended}`, { exchanges: [long] })
}

/**
 * Checks the end of a second statement that exceeds the limit, beside the first (REQ-TIME-1). Only a success long after the limit
 * fails: a late 504 may come of a queue, and some databases interrupt a sleep without an error.
 */
export function checkSecond(first: Exchange, second: Exchange | undefined, limitMs: number): Finding {
  if (first.response?.status !== 504) return observed('there was no 504', { exchanges: [first] })
  const exchanges = second ? [first, second] : [first]
  const ended = second ? describeEnd(second) : ''
  if (second?.response && readReply(second).ok && second.durationMs > limitMs + LATE_MS)
    return fail({
      message: 'a second statement that exceeds the limit was served after the 504 of the first',
      expected: `HTTP 504 after ${seconds(limitMs)}`,
      actual: ended,
      exchanges,
    })
  if (second?.response?.status === 504)
    return compared(2, 'statement', `the second ended with ${ended}`, { exchanges })
  const why = second ? `a second one ended with ${ended}` : 'a second one might have let others wait'
  return compared(1, 'statement', `ended with ${describeEnd(first)}; ${why}`, { exchanges })
}

/** Checks that a small statement is served soon after the 504 (REQ-TIME-5). */
export function checkRecovery({ long, meanwhile, after, recoveryMs }: Overrun): Finding {
  if (long.response?.status !== 504)
    return notExercised(`the slow statement got no 504 but ${describeEnd(long)}`, { exchanges: [long] })
  const exchanges = [long, after]
  if (isTurnedAway(after))
    return inconclusive(`the small statement after the 504 was refused with ${describeEnd(after)}`, {
      exchanges,
    })
  const isServed = after.response !== undefined && readReply(after).ok
  if (!isServed || recoveryMs > RECOVERY_MS)
    return fail({
      message: `a small statement was ${isServed ? 'served late' : 'not served'} after the 504`,
      expected: `a success within ${seconds(RECOVERY_MS)}`,
      actual: isServed ? `a success after ${seconds(recoveryMs)}` : describeEnd(after),
      exchanges,
    })
  const during = meanwhile?.first ? 'during and ' : ''
  const notDuring = meanwhile && !meanwhile.first ? ', but not during it' : ''
  return compared(1, 'statement', `a small one was served ${during}after the 504${notDuring}`, { exchanges })
}

/** Checks that the 504 does not come before the limit (REQ-TIME-1:should). */
export function checkEarliness({ long }: Pick<Overrun, 'long' | 'after'>, limitMs: number): Finding {
  const ended = describeEnd(long)
  if (long.response?.status !== 504)
    return notExercised(`the slow statement got no 504 but ${ended}`, { exchanges: [long] })
  if (long.durationMs >= limitMs - EARLY_MS) return compared(1, 'statement', ended, { exchanges: [long] })
  return fail({
    message: 'the 504 came before the limit',
    expected: `HTTP 504 after ${seconds(limitMs)}`,
    actual: ended,
    exchanges: [long],
  })
}

/** Whether a reply refuses its statement for another reason than load or a restart. */
const isRefused = (one: Exchange): boolean =>
  one.response !== undefined && readReply(one).envelope?.state === 'error' && !isAboutLoad(one)

/** Checks that small statements are not refused each time, later than the time of recovery (REQ-HTTP-1). */
export function checkLater(long: Exchange, later: readonly Exchange[]): Finding {
  if (long.response?.status !== 504) return observed('there was no 504')
  if (later.length === 0) return compared(1, 'statement', 'served after the 504')
  if (!later.every(isRefused)) return observed('a small statement after the 504 was not refused each time')
  return fail({
    message: `a small statement is refused ${later.length} times, alone and more than ${seconds(RECOVERY_MS)} after the 504`,
    expected: 'state "success"',
    actual: describeReply(readReply(later.at(-1)!)),
    exchanges: [long, later.at(-1)!],
  })
}

/** Whether a 504 cuts a statement short: before 25 s of 30 s. */
const isCutShort = ({ response, durationMs }: Exchange, limitMs: number): boolean =>
  response?.status === 504 && durationMs < (limitMs * 5) / 6

/** Checks that a statement that runs is not cut short (REQ-TIME-1). @param again the same statement, if it was */
export function checkCutShort(long: Exchange, limitMs: number, again?: Exchange): Finding {
  const exchanges = again ? [long, again] : [long]
  if (long.response?.status !== 504)
    return notExercised(`the slow statement got no 504 but ${describeEnd(long)}`, { exchanges })
  if (!isCutShort(long, limitMs)) return compared(1, 'statement', describeEnd(long), { exchanges })
  if (!again)
    return notExercised(`the slow statement got ${describeEnd(long)}, which does not show that it ran`)
  if (!isCutShort(again, limitMs)) return inconclusive('a statement was cut short once', { exchanges })
  return fail({
    message: 'a statement that ran was cut short with HTTP 504, twice',
    expected: `HTTP 504 after ${seconds(limitMs)}`,
    actual: `${describeEnd(long)}, and ${describeEnd(again)}`,
    exchanges,
  })
}

/** The finding if the small statement is refused without a 504 before it, so that it shows nothing about the 504. */
async function refusedWithout504(t: Target): Promise<Finding | undefined> {
  const plain = await t.origin.baseline()
  if (plain.ok) return undefined
  return notExercised(`a small statement gets ${describeReply(plain)}, also without a 504 before it`, {
    exchanges: [plain.exchange],
  })
}

/** Whether a reply concerns the token or a rate limit, so that it shows nothing about the statement. */
const isTurnedAway = ({ response }: Exchange): boolean => [401, 403, 419, 429].includes(response?.status ?? 0)

const describeEnd = ({ response, failure, durationMs }: Exchange): string =>
  `${response ? `HTTP ${response.status}` : failure?.replace(/\.$/, '')} after ${seconds(durationMs)}`

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

export const timeChecks: Check[] = [
  check({
    id: 'time.limit',
    requirement: 'REQ-TIME-1',
    title: 'end a statement that runs longer than the limit with HTTP 504',
    killedBy: ['time-no-limit', 'time-500', 'time-503', 'time-error-200', 'time-reset', 'time-late'],
    phase: 'afterLimit',
    run: async (t) => {
      const result = await overrun(t)
      const { long } = result
      if (brokeWithOthers(long, t))
        return inconclusive(`the slow statement broke off together with others: ${describeEnd(long)}`, {
          exchanges: [long],
        })
      return checkEnd(result, t.options.timeLimitMs)
    },
  }),
  check({
    id: 'time.limit-again',
    requirement: 'REQ-TIME-1',
    title: 'end several statements that run longer than the limit with HTTP 504, each of them',
    killedBy: ['time-limit-once'],
    phase: 'afterLimit',
    run: async (t) => {
      const ended = await unlessRefused(Promise.all([overrun(t), secondOverrun(t)]))
      // time.limit says how to reach the limit.
      if (!ended) return observed('no statement is known that exceeds the limit')
      return checkSecond(ended[0].long, ended[1], t.options.timeLimitMs)
    },
  }),
  check({
    id: 'time.not-early',
    requirement: 'REQ-TIME-1:should',
    title: 'NOT end a statement before the limit',
    killedBy: ['time-early'],
    phase: 'afterLimit',
    run: async (t) => checkEarliness(await overrun(t), t.options.timeLimitMs),
  }),
  check({
    id: 'time.not-cut-short',
    requirement: 'REQ-TIME-1',
    title: 'NOT end a statement that runs with HTTP 504 before five sixths of the limit',
    killedBy: ['time-cut-short', 'time-early'],
    phase: 'exclusive',
    run: async (t) => {
      const { long } = await overrun(t)
      const { timeLimitMs } = t.options
      const again = isCutShort(long, timeLimitMs) ? await repeatLong(t, long) : undefined
      return checkCutShort(long, timeLimitMs, again)
    },
  }),
  check({
    id: 'time.serves-later',
    requirement: 'REQ-HTTP-1',
    title: 'execute statements again after a 504',
    killedBy: ['time-refuses-later'],
    phase: 'exclusive',
    run: async (t) => {
      const result = await overrun(t)
      return (await refusedWithout504(t)) ?? checkLater(result.long, await smallOnesLater(t, result))
    },
  }),
  check({
    id: 'time.recovers',
    requirement: 'REQ-TIME-5',
    title: 'serve a small statement soon after a 504',
    killedBy: ['time-wedged'],
    phase: 'afterLimit',
    run: async (t) => (await refusedWithout504(t)) ?? checkRecovery(await overrun(t)),
  }),
  check({
    id: 'time.below-limit',
    requirement: 'REQ-TIME-2',
    title: 'let a statement below the limit finish',
    killedBy: ['time-early'],
    phase: 'limit',
    run: async (t) => {
      const sleep = await acceptedSleep(t)
      if (!sleep) return notExercised('the target has no known sleep function')
      const ms = Math.round(t.options.timeLimitMs * BELOW)
      await untilItOutlasts(t, ms)
      const exchange = await attempt(t, sleep(ms), {})
      if (!exchange.response || (saysNothing(exchange) ?? 'late') !== 'late')
        return inconclusive(describeEnd(exchange), { exchanges: [exchange] })
      const reply = readReply(exchange)
      if (isTurnedAway(exchange))
        return inconclusive(
          `a statement that takes ${ms / 1000} s was refused with ${describeEnd(exchange)}`,
          {
            exchanges: [exchange],
          },
        )
      if (!reply.ok)
        return fail({
          message: `a statement that takes ${ms / 1000} s was not served`,
          expected: 'state "success"',
          actual: `${describeReply(reply)}, after ${Math.round(exchange.durationMs)} ms`,
          exchanges: [exchange],
        })
      if (exchange.durationMs < ms * 0.9) return notExercised('the sleep ended too soon')
      return compared(1, 'statement', `served after ${Math.round(exchange.durationMs)} ms`)
    },
  }),
]
