import type { Expire } from './fault.ts'

/** So many tokens are remembered, the latest ones: a server that runs for weeks must not grow. */
const remembered = 1000

/** Remembers how much each token was used. */
export class Expiry {
  readonly #fault: Expire
  readonly #uses = new Map<string, { since: number; count: number }>()

  constructor(fault: Expire) {
    this.#fault = fault
  }

  /** Counts a request with the token; whether it has expired by `now`. */
  isExpired(token: string, now: number): boolean {
    const { after, lifetimeMs, at } = this.#fault
    if (at !== undefined) return now >= Date.parse(at)
    const use = this.#uses.get(token) ?? { since: now, count: 0 }
    use.count += 1
    this.#uses.delete(token)
    this.#uses.set(token, use)
    if (this.#uses.size > remembered) this.#uses.delete(this.#uses.keys().next().value!)
    return after !== undefined ? use.count > after : now - use.since >= lifetimeMs!
  }
}
