import type { RateMode } from '../open-points/rate/mode.ts'
import { Refusal } from './refusal.ts'

/** Requests per token, and the pause after them in milliseconds. */
const [limit, pauseMs] = [50, 1000]

/** Counting starts again after this time without a request, in milliseconds. */
const forgetMs = 60_000

/** Most tokens that are counted; above, counting starts again. */
const mostTokens = 1000

/** Counts the requests of each token, not per time: a busy client reaches the limit however slow it is. */
export class RateLimit {
  /** `freeAt` is the time at which counting starts again. */
  readonly #counts = new Map<string, { requests: number; freeAt: number }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Counts a request.
   *
   * @returns headers of its answer
   * @throws Refusal if it is over the limit
   */
  count(token: string, { status, headers = () => ({}) }: RateMode): Readonly<Record<string, string>> {
    const now = this.#now()
    if (this.#counts.size > mostTokens) this.#counts.clear()
    const before = this.#counts.get(token)
    const count = before === undefined || now >= before.freeAt ? { requests: 0, freeAt: 0 } : before
    this.#counts.set(token, count)
    count.requests += 1
    const windowSeconds = pauseMs / 1000
    if (count.requests <= limit) {
      count.freeAt = now + forgetMs
      return headers({
        limit,
        windowSeconds,
        remaining: limit - count.requests,
        resetSeconds: windowSeconds,
      })
    }
    if (count.requests === limit + 1) count.freeAt = now + pauseMs
    const resetSeconds = Math.ceil((count.freeAt - now) / 1000)
    throw new Refusal(status, 'Too many requests. Send the statement again in a moment.', {
      ...headers({ limit, windowSeconds, remaining: 0, resetSeconds }),
      'retry-after': String(resetSeconds),
    })
  }
}
