import type { Settings } from '../settings.ts'
import { Refusal } from '../refusal.ts'

/** Where a variant limits them, so many requests are served to a token, then it has to pause for so long. */
const mostRequests = 50
const pauseMs = 1000

/** After this long without any request counting begins anew, in milliseconds. */
const forgetMs = 60_000

/** Tokens that are counted at once; beyond them counting begins anew. */
const mostTokens = 1000

type Mode = Exclude<Settings['rate.mode'], 'none'>

const statusOf: Readonly<Record<Mode, number>> = {
  '429-retry-after': 429,
  '429-ratelimit': 429,
  '429-x-ratelimit': 429,
  '503': 503,
  '403': 403,
}

/** Counts the requests of each token: a busy client meets the limit however slow it is. */
export class RateLimit {
  /** `freeAt` is when counting begins anew. */
  readonly #counts = new Map<string, { requests: number; freeAt: number }>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  /**
   * Counts a request.
   *
   * @returns headers of its answer
   * @throws Refusal where it came too soon
   */
  count(token: string, mode: Mode): Readonly<Record<string, string>> {
    const now = this.#now()
    if (this.#counts.size > mostTokens) this.#counts.clear()
    const before = this.#counts.get(token)
    const count = before === undefined || now >= before.freeAt ? { requests: 0, freeAt: 0 } : before
    this.#counts.set(token, count)
    count.requests += 1
    if (count.requests <= mostRequests) {
      count.freeAt = now + forgetMs
      return announced(mode, mostRequests - count.requests, pauseMs / 1000)
    }
    if (count.requests === mostRequests + 1) count.freeAt = now + pauseMs
    const seconds = Math.ceil((count.freeAt - now) / 1000)
    const headers = { ...announced(mode, 0, seconds), 'retry-after': String(seconds) }
    throw new Refusal(statusOf[mode], 'Too many requests. Send the statement again in a moment.', headers)
  }
}

/** What every answer says about the limit: `seconds` until the pause is over. */
function announced(mode: Mode, left: number, seconds: number): Record<string, string> {
  if (mode === '429-ratelimit')
    return {
      'ratelimit-policy': `"statements";q=${mostRequests};w=${pauseMs / 1000}`,
      ratelimit: `"statements";r=${left};t=${seconds}`,
    }
  if (mode === '429-x-ratelimit')
    return {
      'x-ratelimit-limit': String(mostRequests),
      'x-ratelimit-remaining': String(left),
      'x-ratelimit-reset': String(seconds),
    }
  return {}
}
