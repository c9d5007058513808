import { implement } from '../implement.ts'

/** The quota of a token at a moment. */
export interface Quota {
  /** Requests in a window. */
  readonly limit: number
  readonly windowSeconds: number
  readonly remaining: number
  /** Seconds until the quota is full again. */
  readonly resetSeconds: number
}

/** How a limit on the number of requests shows. */
export interface RateMode {
  /** The HTTP status of a request over the limit. */
  readonly status: number
  /** Headers of every answer. */
  readonly headers?: (quota: Quota) => Readonly<Record<string, string>>
}

/** undefined: the number of requests is not limited. */
export const rateMode = implement<'rate.mode', RateMode | undefined>('rate.mode', {
  none: undefined,
  '429-retry-after': { status: 429 },
  '429-ratelimit': {
    status: 429,
    headers: ({ limit, windowSeconds, remaining, resetSeconds }) => ({
      'ratelimit-policy': `"statements";q=${limit};w=${windowSeconds}`,
      ratelimit: `"statements";r=${remaining};t=${resetSeconds}`,
    }),
  },
  '429-x-ratelimit': {
    status: 429,
    headers: ({ limit, remaining, resetSeconds }) => ({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetSeconds),
    }),
  },
  503: { status: 503 },
  403: { status: 403 },
})
