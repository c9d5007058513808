import type { RateMode } from '../../open-points/rate/mode.ts'
import { Limiter, tooManyRequests } from '../faults/limiter.ts'

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
