/** Counts requests in windows of time that begin with the first request of each. */
export class Limiter {
  readonly #requests: number
  readonly #windowMs: number
  #endsAt = -Infinity
  #count = 0

  constructor({ requests, windowMs }: { readonly requests: number; readonly windowMs: number }) {
    this.#requests = requests
    this.#windowMs = windowMs
  }

  /** Counts a request that comes `now`; how long to wait, in milliseconds, where it is one too many, else 0. */
  wait(now: number): number {
    // a clock that was set back begins anew
    if (now >= this.#endsAt || now < this.#endsAt - this.#windowMs) {
      this.#endsAt = now + this.#windowMs
      this.#count = 0
    }
    this.#count += 1
    return this.#count > this.#requests ? this.#endsAt - now : 0
  }
}

/** Retry-After for so many milliseconds: whole seconds, never too few. */
export const retryAfter = (ms: number): Readonly<Record<string, string>> => ({
  'retry-after': String(Math.ceil(ms / 1000)),
})
