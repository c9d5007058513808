import type { Behaviour } from '../behaviour.ts'
import { Refusal } from '../refusal.ts'

/** Requests that a token has without a pause, where a variant limits them, and how long the pause is. */
const mostRequests = 50
const pauseMs = 1000

/** Tokens that are counted at once; beyond them counting begins anew. */
const mostTokens = 1000

type Mode = Exclude<Behaviour['rate.mode'], 'none'>

const statusOf: Readonly<Record<Mode, number>> = {
  '429-retry-after': 429,
  '429-ratelimit': 429,
  '429-x-ratelimit': 429,
  '503': 503,
  '403': 403,
}

/** Counts the requests of a token that come without a pause of a second; so a burst meets the limit however slow it is. */
export class RateLimit {
  readonly #bursts = new Map<string, { readonly endsAt: number; readonly requests: number }>()
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
    if (this.#bursts.size > mostTokens) this.#bursts.clear()
    const before = this.#bursts.get(token)
    const burst = before === undefined || now >= before.endsAt ? { endsAt: 0, requests: 0 } : before
    if (burst.requests >= mostRequests) {
      const seconds = Math.max(Math.ceil((burst.endsAt - now) / 1000), 1)
      const headers = { ...announced(mode, 0, seconds), 'retry-after': String(seconds) }
      throw new Refusal(statusOf[mode], 'Too many requests. Send the statement again in a moment.', headers)
    }
    const requests = burst.requests + 1
    this.#bursts.set(token, { endsAt: now + pauseMs, requests })
    return announced(mode, mostRequests - requests, pauseMs / 1000)
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
