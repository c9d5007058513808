import type { ExpireFault } from '../../../schemas/generated/types.ts'
import { microsecondsOf, readTimestamp } from '../../../base/time/timestamp.ts'
import { remember } from './remember.ts'

/** When tokens expire: after a number of requests, after a lifetime, or all at a time. */
export type ExpiryOptions = Omit<ExpireFault, 'type'>

/** Expires tokens: the fault `expire`, and the setting `auth.permission=401-mid-run`. */
export class Expiry {
  readonly #options: ExpiryOptions
  readonly #uses = new Map<string, { since: number; count: number }>()

  constructor(options: ExpiryOptions) {
    this.#options = options
  }

  /** Counts a request with the token; whether the token has expired at `now`, in milliseconds since 1970. */
  isExpired(token: string, now: number): boolean {
    const { after, lifetimeMs, at } = this.#options
    if (at !== undefined) return now >= microsecondsOf(readTimestamp(at)!) / 1000
    const use = this.#uses.get(token) ?? { since: now, count: 0 }
    use.count += 1
    remember(this.#uses, token, use)
    return after !== undefined ? use.count > after : now - use.since >= lifetimeMs!
  }
}
