import { type Random, randomOf } from '../../../base/random/random.ts'
import type { FaultFrequency, FaultSelection, LatencyFault } from '../../../schemas/generated/types.ts'
import { Expiry } from './expiry.ts'
import type { Fault } from './fault.ts'
import { Limiter } from './limiter.ts'
import { writeFault } from './text.ts'
import { type Matches, statementsWith } from './words.ts'

/**
 * When a fault applies: to every request; to one whose token is valid, because a stranger must not use up `times`; or to one
 * whose statement is known.
 */
export type Stage = 'arrival' | 'admission' | 'statement'

/** A fault of a server: the requests it is for, those that trigger it, and their counts. */
export class Rule {
  readonly fault: Fault
  /** The fault as text. */
  readonly spec: string
  readonly stage: Stage
  /** Whether it changes the body of any answer. */
  readonly isForBody: boolean
  /** The state of a `limit`. */
  readonly limiter: Limiter | undefined
  /** The state of an `expire`. */
  readonly expiry: Expiry | undefined
  /** Requests it was for. */
  matched = 0
  /** Requests that triggered it. */
  triggered = 0
  /** Its own stream of random numbers: adding a fault changes nothing for the others. */
  readonly #random: Random
  readonly #frequency: FaultFrequency
  readonly #matches: Matches
  readonly #route: string | undefined
  #burst = 0

  /** @param index the position in the list, which tells equal faults apart */
  constructor(fault: Fault, seed: number, index: number) {
    this.fault = fault
    this.spec = writeFault(fault)
    this.#random = randomOf(seed, 'fault', index, this.spec)
    this.isForBody =
      fault.type === 'truncate' ||
      fault.type === 'drip' ||
      (fault.type === 'reset' && fault.afterBytes !== undefined)
    this.limiter = fault.type === 'limit' ? new Limiter(fault) : undefined
    this.expiry = fault.type === 'expire' ? new Expiry(fault) : undefined
    const { on, route, ...frequency } = fault as FaultSelection & FaultFrequency
    this.stage =
      on !== undefined || fault.type === 'timeout'
        ? 'statement'
        : frequency.times === undefined
          ? 'arrival'
          : 'admission'
    this.#matches = statementsWith(on ?? '*')
    this.#route = route
    this.#frequency = frequency
  }

  isForPath(path: string, isEndpoint: boolean): boolean {
    const route = this.#route
    if (route === undefined) return isEndpoint
    return route.endsWith('*') ? path.startsWith(route.slice(0, -1)) : path === route
  }

  /** Whether it is for a statement; without `on` it is for all. */
  isForStatement(statement: string): boolean {
    return this.#matches(statement)
  }

  /** The delay of a latency for this request, in milliseconds. */
  latencyMs(): number {
    return this.fault.type === 'latency' ? drawLatency(this.fault, this.#random) : 0
  }

  /** Counts a request that the fault is for; the limiter or the expiry decides whether it triggers the fault. */
  count(isTriggered: boolean): boolean {
    this.matched += 1
    if (isTriggered) this.triggered += 1
    return isTriggered
  }

  /** Counts a request that the fault is for, and decides whether it triggers the fault. */
  triggers(): boolean {
    const { rate, every, burst = 1, times = Infinity, skip = 0 } = this.#frequency
    this.matched += 1
    if (this.triggered >= times) return false
    const nth = this.matched - skip
    if (nth <= 0) return false
    if (this.#burst > 0) this.#burst -= 1
    else {
      const isDue = every === undefined ? rate === undefined || this.#random.chance(rate) : nth % every === 0
      if (!isDue) return false
      this.#burst = burst - 1
    }
    this.triggered += 1
    return true
  }
}

/** The 99th percentile of the standard normal distribution. */
const z99 = 2.326_347_874

/** The longest delay of a log-normal distribution, in milliseconds: its tail is endless. */
const longestMs = 10 * 60_000

/** A delay in milliseconds. */
export function drawLatency({ delayMs, medianMs, p99Ms }: LatencyFault, random: Random): number {
  if (typeof delayMs === 'number') return delayMs
  if (delayMs !== undefined) return random.between(...delayMs)
  const sigma = Math.log(p99Ms! / medianMs!) / z99
  return Math.min(medianMs! * Math.exp(sigma * random.normal()), longestMs)
}
