import { randomOf, type Random } from '../../../fixtures/random/random.ts'
import { drawLatency } from './draw-latency.ts'
import { Expiry } from './expiry.ts'
import type { Fault, Strikes } from './fault.ts'
import { Limiter } from './limiter.ts'
import { readPattern, type Matches } from './pattern.ts'
import { writeFault } from './read-fault.ts'

/** A fault that is set: which requests it is for, which of them it strikes, and how often it did. */
export class Rule {
  readonly fault: Fault
  /** The fault as text. */
  readonly spec: string
  /** Whether it looks at the statement. */
  readonly isForStatements: boolean
  /** Whether it changes the body of whatever is answered. */
  readonly isForBody: boolean
  /** What a limit of requests remembers. */
  readonly limiter: Limiter | undefined
  /** What an expiry of tokens remembers. */
  readonly expiry: Expiry | undefined
  /** Requests it was for. */
  matched = 0
  /** Requests it struck. */
  struck = 0
  /** Its own stream of draws: one more fault beside it shifts nothing. */
  readonly #random: Random
  readonly #strikes: Strikes
  readonly #matches: Matches
  readonly #route: string | undefined
  #burst = 0

  /** @param index where it stands in the list of all, which tells two alike apart */
  constructor(fault: Fault, seed: number, index: number) {
    this.fault = fault
    this.spec = writeFault(fault)
    this.#random = randomOf(seed, 'fault', index, this.spec)
    this.#strikes = fault as Strikes
    this.isForBody =
      fault.type === 'truncate' ||
      fault.type === 'drip' ||
      (fault.type === 'reset' && fault.afterBytes !== undefined)
    this.limiter = fault.type === 'limit' ? new Limiter(fault) : undefined
    this.expiry = fault.type === 'expire' ? new Expiry(fault) : undefined
    const { on, route } = this.#strikes
    this.isForStatements = on !== undefined || fault.type === 'timeout'
    this.#matches = readPattern((on as string | undefined) ?? '*')!
    this.#route = route
  }

  isForPath(path: string, isEndpoint: boolean): boolean {
    const route = this.#route
    if (route === undefined) return isEndpoint
    return route.endsWith('*') ? path.startsWith(route.slice(0, -1)) : path === route
  }

  isForStatement(statement: string): boolean {
    return this.#matches(statement)
  }

  /** How late a latency that strikes is this time, in milliseconds. */
  latencyMs(): number {
    return this.fault.type === 'latency' ? drawLatency(this.fault, this.#random) : 0
  }

  /** Counts a request that the fault is for, of which something else decides whether it is struck. */
  count(isStruck: boolean): boolean {
    this.matched += 1
    if (isStruck) this.struck += 1
    return isStruck
  }

  /** Counts a request that the fault is for, and decides whether it is struck. */
  strikes(): boolean {
    const { rate, every, burst = 1, times = Infinity, skip = 0 } = this.#strikes
    this.matched += 1
    if (this.struck >= times) return false
    const nth = this.matched - skip
    if (nth <= 0) return false
    if (this.#burst > 0) this.#burst -= 1
    else {
      const isDue = every === undefined ? rate === undefined || this.#random.chance(rate) : nth % every === 0
      if (!isDue) return false
      this.#burst = burst - 1
    }
    this.struck += 1
    return true
  }
}
