import { contract } from '../../../schemas/contract.ts'
import type { Rule } from './rule.ts'
import { plainStatement } from './statement-text.ts'
import { Tally } from './tally.ts'

/** A statement that comes again later than this is a new attempt: the service may have become faster. */
const LATER_MS = 3_600_000

/** A statement that was answered with 504. */
interface TimedOut {
  readonly text: string
  readonly endedMs: number
  readonly number: number
  /** The number of the exchange that sent it again. */
  repeatedBy?: number
}

/**
 * REQ-TIME-4: after a 504, the same statement does not come again within an hour. Spaces and comments make it no other statement.
 *
 * @param usual the number of times that the client sends a statement anyway
 */
export function noRepetition(usual: (statement: string) => number): Rule {
  const timedOut: TimedOut[] = []
  const sent = new Map<string, number>()
  return {
    add({ exchange, number, statement }) {
      if (statement === undefined) return
      const text = plainStatement(statement)
      sent.set(text, (sent.get(text) ?? 0) + 1)
      // a request that was under way repeats nothing
      const repeated = timedOut.find(
        (one) =>
          one.text === text &&
          one.endedMs <= exchange.startedMs &&
          exchange.startedMs - one.endedMs < LATER_MS &&
          one.repeatedBy === undefined,
      )
      if (repeated) repeated.repeatedBy = number
      if (exchange.answer?.status === contract.limits.timeoutStatus)
        timedOut.push({ text, endedMs: exchange.endedMs, number })
    },
    finding() {
      const tally = new Tally('REQ-TIME-4', {
        unit: 'answers with 504',
        kept: 'the statement did not come again within an hour',
        broken: 'the same statement came again',
        remedy: 'Let the statement read less, or split it.',
        nothing: 'No statement exceeded the time limit.',
      })
      for (const { text, number, repeatedBy } of timedOut) {
        const isRepeated = repeatedBy !== undefined && sent.get(text)! > usual(text)
        tally.judge(!isRepeated, number, ...(isRepeated ? [repeatedBy] : []))
      }
      return tally.finding()
    },
  }
}
