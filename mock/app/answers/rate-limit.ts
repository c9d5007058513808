import { Limiter, tooManyRequests } from '../faults/limiter.ts'
import type { Settings } from '../settings.ts'

/** The limit of `rate.mode`: 50 requests of a token, then a pause of 1 s. A minute without a request resets the count. */
const preset = { requests: 50, windowMs: 60_000, pauseMs: 1000 }

type Mode = Exclude<Settings['rate.mode'], 'none'>

const statusOf: Readonly<Record<Mode, number>> = {
  '429-retry-after': 429,
  '429-ratelimit': 429,
  '429-x-ratelimit': 429,
  '503': 503,
  '403': 403,
}

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
  count(token: string, mode: Mode): Readonly<Record<string, string>> {
    const { remaining, waitMs } = this.#limiter.take(this.#now(), token)
    const headers = quotaHeaders(mode, remaining, Math.ceil((waitMs || preset.pauseMs) / 1000))
    if (waitMs > 0) throw tooManyRequests(statusOf[mode], waitMs, headers)
    return headers
  }
}

/** The quota in every answer: `seconds` until it is full again. */
function quotaHeaders(mode: Mode, remaining: number, seconds: number): Record<string, string> {
  const { requests, pauseMs } = preset
  if (mode === '429-ratelimit')
    return {
      'ratelimit-policy': `"statements";q=${requests};w=${pauseMs / 1000}`,
      ratelimit: `"statements";r=${remaining};t=${seconds}`,
    }
  if (mode === '429-x-ratelimit')
    return {
      'x-ratelimit-limit': String(requests),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(seconds),
    }
  return {}
}
