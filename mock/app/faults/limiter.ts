import type { RateMode } from '../../open-points/rate/mode.ts'
import { Refusal } from '../answer/refusal.ts'
import { remember } from './remember.ts'

export interface LimiterOptions {
  /** Requests that pass in a window. */
  readonly requests: number
  /** The length of a window in milliseconds. It begins with a request. */
  readonly windowMs: number
  /**
   * If set, every request that passes prolongs the window, and the first one over the limit ends it after this time:
   * a busy client reaches the limit however slow it is.
   */
  readonly pauseMs?: number
}

/** Limits the number of requests: the fault `limit`, and the setting `rate.mode`. */
export class Limiter {
  readonly #options: LimiterOptions
  readonly #windows = new Map<string, { count: number; endsAt: number }>()

  constructor(options: LimiterOptions) {
    this.#options = options
  }

  /**
   * Counts a request.
   *
   * @param now the time in milliseconds
   * @param client whose requests are counted separately
   * @returns how many more may pass, and for a request over the limit how long to wait in milliseconds, else 0
   */
  take(now: number, client = ''): { readonly remaining: number; readonly waitMs: number } {
    const { requests, windowMs, pauseMs } = this.#options
    const before = this.#windows.get(client)
    // a clock that was set back begins a new window
    const isOpen = before && now < before.endsAt && now >= before.endsAt - windowMs
    const window = isOpen ? before : { count: 0, endsAt: now + windowMs }
    window.count += 1
    const excess = window.count - requests
    if (pauseMs !== undefined && excess <= 1) window.endsAt = now + (excess === 1 ? pauseMs : windowMs)
    remember(this.#windows, client, window)
    return { remaining: Math.max(0, -excess), waitMs: excess > 0 ? window.endsAt - now : 0 }
  }
}

/** A request over the limit. */
export const tooManyRequests = (
  status: number,
  waitMs: number,
  headers: Readonly<Record<string, string>> = {},
  options?: ErrorOptions,
): Refusal =>
  new Refusal(
    status,
    'Too many requests. Send the statement again in a moment.',
    { ...headers, ...retryAfter(waitMs) },
    options,
  )

/** Retry-After in whole seconds, rounded up. */
export const retryAfter = (ms: number): Readonly<Record<string, string>> => ({
  'retry-after': String(Math.ceil(ms / 1000)),
})

/** The limit of `rate.mode`: 50 requests per token, then a pause of 1 s. After a minute without a request it starts again. */
const preset = { requests: 50, windowMs: 60_000, pauseMs: 1000 }

/** The limiter of the setting `rate.mode`. */
export const createRateLimiter = (): Limiter => new Limiter(preset)

/**
 * Counts a request of a token at `now`, in milliseconds.
 *
 * @returns headers of its answer
 * @throws Refusal if it is over the limit
 */
export function limitRate(limiter: Limiter, now: number, token: string, { status, headers }: RateMode) {
  const { remaining, waitMs } = limiter.take(now, token)
  const [windowSeconds, resetSeconds] = [preset.pauseMs / 1000, Math.ceil((waitMs || preset.pauseMs) / 1000)]
  const shown = headers?.({ limit: preset.requests, windowSeconds, remaining, resetSeconds }) ?? {}
  if (waitMs > 0) throw tooManyRequests(status, waitMs, shown)
  return shown
}
