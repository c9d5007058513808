/** The reader took no rows for too long, so its answer is truncated. */
export class ReaderStalled extends Error {
  override readonly name = 'ReaderStalled'
}

/** A reader that took nothing for this time loses its engine if statements wait for one. */
const stalledAfterMs = 3_000

/** What the reader of a statement does. */
export interface ReaderWatch {
  /** Rows wait for the reader. */
  waits(): void
  /** The reader took rows, or its statement has ended. */
  reads(): void
}

/** Ends the statements of readers that take no rows: at a limit, and sooner if statements wait (docs/decisions/0010). */
export class StalledReaders {
  readonly #limitMs: number
  readonly #wanted: () => number
  /** Functions that end the statements of stalled readers, the longest stalled first. */
  readonly #stalled = new Set<() => void>()

  /**
   * @param limitMs longest time in milliseconds that rows wait for their reader
   * @param wanted the number of waiting statements that nothing else will serve
   */
  constructor(limitMs: number, wanted: () => number) {
    this.#limitMs = limitMs
    this.#wanted = wanted
  }

  /** @param end ends the statement */
  watch(end: (reason: ReaderStalled) => void): ReaderWatch {
    const truncate = () => end(new ReaderStalled('The client stopped reading the rows.'))
    const limit = new Countdown(this.#limitMs, truncate)
    const stalled = new Countdown(stalledAfterMs, () => {
      this.#stalled.add(truncate)
      this.makeRoom()
    })
    return {
      waits: () => {
        limit.start()
        stalled.start()
      },
      reads: () => {
        limit.reset()
        stalled.reset()
        this.#stalled.delete(truncate)
      },
    }
  }

  /** Ends the statements of stalled readers, one for each wanted place. */
  makeRoom(): void {
    let wanted = this.#wanted()
    for (const truncate of this.#stalled) {
      if (wanted-- <= 0) return
      this.#stalled.delete(truncate)
      truncate()
    }
  }
}

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
