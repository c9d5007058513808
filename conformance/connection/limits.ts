/** The run was ended early. What was not asked by then is not exercised. */
export class Stopped extends Error {
  override name = 'Stopped'
}

export interface RunLimits {
  /** Requests that may be sent. */
  maxStatements?: number
  /** Time the run may take, in milliseconds; Infinity for any. */
  maxDurationMs?: number
  /** Ends the run from outside. */
  signal?: AbortSignal
}

/**
 * Requests without a complete answer after which the run ends, since each takes as long as the wait for a late 504.
 * The checks of the time limit can cause three on a target that serves others.
 */
const MOST_SILENCES = 4

/** Longest run by default: a slow target must not block a CI job for hours. */
const DEFAULT_DURATION_MS = 30 * 60_000

/** The longest delay that setTimeout keeps; it fires at once for a longer one. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Ends a run early: by its length, its number of requests, from outside, or when the target fell silent. */
export class Limits {
  readonly #controller = new AbortController()
  readonly #most: number
  #silences = 0
  #stopped: Stopped | undefined
  /** Requests sent. */
  sent = 0
  readonly #release: () => void

  constructor({ maxStatements = Infinity, maxDurationMs = DEFAULT_DURATION_MS, signal }: RunLimits) {
    this.#most = maxStatements
    const late = () => this.stop(`its ${maxDurationMs / 1000} s were over (--max-duration)`)
    const abort = () => this.stop('it was aborted')
    const timer =
      maxDurationMs === Infinity ? undefined : setTimeout(late, Math.min(maxDurationMs, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    this.#release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Aborts when the run ends, with the Stopped that says why. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Completes the sentence "the run ended early because …"; undefined if it did not. */
  get reason(): string | undefined {
    return this.#stopped?.message
  }

  /** Whether it ended because the target fell silent. */
  get silent(): boolean {
    return this.#silences >= MOST_SILENCES
  }

  /**
   * Counts a request that is about to be sent.
   *
   * @throws Stopped when the run has ended, or ends because no further request is allowed.
   */
  count(): void {
    // Requests under way may finish.
    if (this.sent >= this.#most)
      this.#stopped ??= new Stopped(
        `${this.#most} requests were sent, which is all it was allowed (--max-statements)`,
      )
    if (this.#stopped) throw this.#stopped
    this.sent++
  }

  /** Counts a request that got no complete answer in all the time it was given. */
  countSilence(): void {
    this.#silences++
    if (this.silent) this.stop(`the target left ${this.#silences} requests without a complete answer`)
  }

  /** Ends the run and aborts the requests under way. The first reason counts. */
  stop(reason: string): void {
    this.#stopped ??= new Stopped(reason)
    this.#controller.abort(this.#stopped)
  }

  /** Clears the timer and the listener on the outer signal. */
  release(): void {
    this.#release()
  }
}
