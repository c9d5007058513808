import { StatementTimeout } from '../../statement.ts'
import { type Answer, errorEnvelope } from '../answer.ts'
import { expiredToken } from '../auth/token-refused.ts'
import { Refusal } from '../refusal.ts'
import { dripAnswer, resetAnswer, truncateAnswer } from './alter-answer.ts'
import type { Clock } from './clock.ts'
import { retryAfter } from './limiter.ts'
import type { Rule } from './rule.ts'

/** What faults need to know of their surroundings. */
export interface FaultContext {
  readonly clock: Clock
  /** How long a statement may run, in milliseconds. */
  readonly timeLimitMs: number
}

/**
 * The faults for one request, asked at each stage it comes to. First those for every request, then the expiry of its
 * token, then those for its statement; each time in the order of types, a request that one ends is not seen by the
 * next. Those of the body are for whatever is answered, the answers of other faults included.
 */
export class RequestFaults {
  readonly #rules: readonly Rule[]
  readonly #context: FaultContext
  #statement: string | undefined
  #reset: Rule | undefined
  #ofBody: readonly Rule[] | undefined

  /** @param rules in the order in which they strike */
  constructor(rules: readonly Rule[], context: FaultContext) {
    this.#rules = rules
    this.#context = context
  }

  /** The request is there, nothing of it was looked at. @throws Refusal */
  arrive(signal: AbortSignal): Promise<void> {
    return this.#strike(
      this.#rules.filter((rule) => !rule.isForStatements),
      signal,
    )
  }

  /** Its token would pass. @throws Refusal 401 as for any token that does not */
  identify(token: string): void {
    for (const rule of this.#rules)
      if (rule.expiry && rule.count(rule.expiry.isExpired(token, this.#context.clock.now())))
        throw expiredToken({ cause: new Struck(rule) })
  }

  /** Its statement is about to run. @throws Refusal, StatementTimeout */
  decode(statement: string, signal: AbortSignal): Promise<void> {
    this.#statement = statement
    return this.#strike(
      this.#rules.filter((rule) => rule.isForStatements && rule.isForStatement(statement)),
      signal,
    )
  }

  /** Why nobody gets the whole answer, where a fault sees to that. */
  get brokenBy(): Error | undefined {
    const rule = this.#reset ?? this.#bodyFaults().find(({ fault }) => fault.type !== 'drip')
    return rule && new Struck(rule)
  }

  /** The answer as it is to be delivered. */
  alter(answer: Answer): Answer {
    if (this.#reset) return { ...answer, break: 'reset' }
    return this.#bodyFaults().reduce((answer, { fault }) => {
      if (fault.type === 'truncate') return truncateAnswer(answer, fault)
      if (fault.type === 'reset') return resetAnswer(answer, fault.afterBytes!)
      return fault.type === 'drip' ? dripAnswer(answer, fault.bytesPerSecond, this.#context.clock) : answer
    }, answer)
  }

  async #strike(rules: readonly Rule[], signal: AbortSignal): Promise<void> {
    const { clock, timeLimitMs } = this.#context
    for (const rule of rules) {
      const { fault } = rule
      switch (fault.type) {
        case 'latency':
          if (rule.strikes()) await clock.sleep(rule.latencyMs(), signal)
          break
        case 'reset':
          if (fault.afterBytes === undefined && rule.strikes()) {
            this.#reset = rule
            throw refusal(rule, 0, 'The connection is reset.')
          }
          break
        case 'limit': {
          const wait = rule.limiter!.wait(clock.now())
          if (rule.count(wait > 0))
            throw refusal(rule, 429, 'Too many requests. Send the statement again later.', retryAfter(wait))
          break
        }
        case 'status':
          if (!rule.strikes()) break
          // how a token is refused is known
          if (fault.status === 401) throw expiredToken({ cause: new Struck(rule) })
          throw refusal(
            rule,
            fault.status,
            `HTTP ${fault.status}, as a fault of this server was asked to answer.`,
            fault.retryAfterMs === undefined ? {} : retryAfter(fault.retryAfterMs),
          )
        case 'timeout':
          if (!rule.strikes()) break
          if (fault.after === 'limit') await clock.sleep(timeLimitMs, signal)
          throw Object.assign(new StatementTimeout(timeLimitMs), { cause: new Struck(rule) })
        default:
          break
      }
    }
  }

  /** Decided once, when it is first asked what becomes of the answer. */
  #bodyFaults(): readonly Rule[] {
    const statement = this.#statement
    return (this.#ofBody ??= this.#rules.filter(
      (rule) =>
        rule.isForBody &&
        (!rule.isForStatements || (statement !== undefined && rule.isForStatement(statement))) &&
        rule.strikes(),
    ))
  }
}

/** Answers a request that is no statement. Rejects only when the request's own signal aborts. */
export async function answerStruck(
  faults: RequestFaults,
  signal: AbortSignal,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    await faults.arrive(signal)
    return faults.alter(await answer())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return faults.alter(errorEnvelope(error.status, error.message, error.headers))
  }
}

/** What the log tells as the cause. */
class Struck extends Error {
  override readonly name = 'Fault'
  constructor({ spec }: Rule) {
    super(spec)
  }
}

const refusal = (
  rule: Rule,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
) => new Refusal(status, message, headers, { cause: new Struck(rule) })
