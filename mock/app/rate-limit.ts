import type { RateMode } from '../open-points/rate/mode.ts'
import { Limiter, tooManyRequests } from './faults/limiter.ts'

/** The limit of `rate.mode`: 50 requests per token, then a pause of 1 s. After a minute without a request it starts again. */
const preset = { requests: 50, windowMs: 60_000, pauseMs: 1000 }

/** The limiter of the setting `rate.mode`. */
export class RateLimit {
  readonly #limiter = new Limiter(preset)
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
  count(token: string, { status, headers }: RateMode): Readonly<Record<string, string>> {
    const { remaining, waitMs } = this.#limiter.take(this.#now(), token)
    const shown = headers?.({
      limit: preset.requests,
      windowSeconds: preset.pauseMs / 1000,
      remaining,
      resetSeconds: Math.ceil((waitMs || preset.pauseMs) / 1000),
    })
    if (waitMs > 0) throw tooManyRequests(status, waitMs, shown)
    return shown ?? {}
  }
}
