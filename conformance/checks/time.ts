import { check, compared, fail, notExercised, type Check } from './check.ts'
import { judgeEarliness, judgeOverrun } from './time-limit.ts'
import { describeReply } from '../connection/reply.ts'
import { acceptedSleep, overrun } from '../connection/samples/overrun.ts'

/** Part of the limit that a statement sleeps which must not be cut. */
const BELOW = 0.6

export { overrun }

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
