/** A timer that can be paused. It elapses once it has run for `ms` milliseconds in total. */
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

  /** Starts or resumes the timer. Does nothing while it runs. */
  start(): void {
    if (this.#timer) return
    this.#startedAt = performance.now()
    this.#timer = setTimeout(this.#onElapsed, this.#left)
  }

  /** Pauses the timer; the next start resumes it. */
  pause(): void {
    if (!this.#timer) return
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left -= performance.now() - this.#startedAt
  }

  /** Stops the timer; the next start runs it for the whole time. */
  reset(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#left = this.#ms
  }
}
