import { StatementTimeout } from '../../statement.ts'
import type { Answer } from '../answer/answer.ts'
import { expiredToken } from '../answer/token-refused.ts'
import { answerError } from '../answer/outcome.ts'
import { ConnectionReset, Refusal } from '../answer/refusal.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { dripAnswer, resetAnswer, truncateAnswer } from './alter-answer.ts'
import type { Clock } from './clock.ts'
import { retryAfter, tooManyRequests } from './limiter.ts'
import type { Rule, Stage } from './rule.ts'

/** What faults need from their server. */
export interface FaultContext {
  readonly clock: Clock
  /** The time limit of a statement in milliseconds. */
  readonly timeLimitMs: number
}

/**
 * The faults for one request, applied stage by stage: those for every request, those for every request with a valid token,
 * the expiry of the token, those for the statement. Each stage applies them in the order of their types, and a request that one fault ends is not seen by the
 * next. Faults of the body apply to every answer, also to those of other faults.
 */
export class RequestFaults {
  readonly #rules: readonly Rule[]
  readonly #context: FaultContext
  readonly #reached = new Set<Stage>()
  #statement = ''
  #ofBody: readonly Rule[] | undefined

  /** @param rules in the order in which they apply */
  constructor(rules: readonly Rule[], context: FaultContext) {
    this.#rules = rules
    this.#context = context
  }

  /** Before anything of the request is read. @throws Refusal, ConnectionReset */
  arrive(signal: AbortSignal): Promise<void> {
    return this.#apply('arrival', signal)
  }

  /** After its token was accepted, or if it needs none. @throws Refusal, ConnectionReset */
  admit(signal: AbortSignal): Promise<void> {
    return this.#apply('admission', signal)
  }

  /** After {@link admit}. @throws Refusal 401, as for every expired token */
  identify(token: string): void {
    for (const rule of this.#rules)
      if (rule.expiry && rule.count(rule.expiry.isExpired(token, this.#context.clock.now())))
        throw expiredToken(causedBy(rule))
  }

  /** Before its statement is executed. @throws Refusal, ConnectionReset, StatementTimeout */
  decode(statement: string, signal: AbortSignal): Promise<void> {
    this.#statement = statement
    return this.#apply('statement', signal)
  }

  /** The fault that keeps the client from receiving the complete answer, for the log. */
  get brokenBy(): Error | undefined {
    const rule = this.#bodyFaults().find(({ fault }) => fault.type !== 'drip')
    return rule && causedBy(rule).cause
  }

  /** The answer as it is delivered. */
  alter(answer: Answer): Answer {
    return this.#bodyFaults().reduce((answer, { fault }) => {
      if (fault.type === 'truncate') return truncateAnswer(answer, fault)
      if (fault.type === 'reset') return resetAnswer(answer, fault.afterBytes!)
      return fault.type === 'drip' ? dripAnswer(answer, fault.bytesPerSecond, this.#context.clock) : answer
    }, answer)
  }

  async #apply(stage: Stage, signal: AbortSignal): Promise<void> {
    const { clock, timeLimitMs } = this.#context
    this.#reached.add(stage)
    for (const rule of this.#rules) {
      const { fault } = rule
      if (rule.stage !== stage || !rule.isForStatement(this.#statement)) continue
      switch (fault.type) {
        case 'latency':
          if (rule.triggers()) await clock.sleep(rule.latencyMs(), signal)
          break
        case 'reset':
          if (fault.afterBytes !== undefined || !rule.triggers()) break
          // without an answer there is no body
          this.#ofBody = []
          throw new ConnectionReset('The connection is reset.', causedBy(rule))
        case 'limit': {
          const { waitMs } = rule.limiter!.take(clock.now())
          if (rule.count(waitMs > 0)) throw tooManyRequests(429, waitMs, {}, causedBy(rule))
          break
        }
        case 'status': {
          if (!rule.triggers()) break
          if (fault.status === 401) throw expiredToken(causedBy(rule))
          const message = `HTTP ${fault.status}, as a fault of this server was asked to answer.`
          const headers = fault.retryAfterMs === undefined ? {} : retryAfter(fault.retryAfterMs)
          throw new Refusal(fault.status, message, headers, causedBy(rule))
        }
        case 'timeout':
          if (!rule.triggers()) break
          if (fault.after === 'limit') await clock.sleep(timeLimitMs, signal)
          throw Object.assign(new StatementTimeout(timeLimitMs), causedBy(rule))
        default:
          break
      }
    }
  }

  /** Decided once, when the answer is known. */
  #bodyFaults(): readonly Rule[] {
    return (this.#ofBody ??= this.#rules.filter(
      (rule) =>
        rule.isForBody &&
        this.#reached.has(rule.stage) &&
        rule.isForStatement(this.#statement) &&
        rule.triggers(),
    ))
  }
}

/** Answers a request that is not a statement. Rejects if the request's own signal aborts, or `answer` rejects. */
export async function answerWithFaults(
  faults: RequestFaults,
  signal: AbortSignal,
  answer: () => Promise<Answer>,
): Promise<Answer> {
  try {
    await faults.arrive(signal)
    await faults.admit(signal)
  } catch (error) {
    if (signal.aborted) throw error
    return faults.alter(answerError(error, defaultSettings))
  }
  return faults.alter(await answer())
}

/** The cause that the log shows. */
class TriggeredFault extends Error {
  override readonly name = 'Fault'
}

const causedBy = ({ spec }: Rule): { readonly cause: Error } => ({ cause: new TriggeredFault(spec) })
