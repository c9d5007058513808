/** A timer that can be held: it goes off once it has run for `ms` milliseconds in all. */
export class Countdown {
  readonly #ms: number
  readonly #onElapsed: () => void
  #left: number
  #startedAt = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(ms: number, onElapsed: () => void) {
    this.#ms = ms
    this.#left = ms
    this.#onElapsed = onElapsed
  }

  /** Lets it run; no effect while it does. */
  start(): void {
    if (this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onElapsed, this.#left)
  }

  /** Holds it; the next start goes on from here. */
  pause(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left -= performance.now() - this.#startedAt
  }

  /** Stops it; the next start begins anew. */
  reset(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left = this.#ms
  }
}
