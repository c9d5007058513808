/** The run ended early. The remaining checks are not exercised. */
export class Stopped extends Error {
  override name = 'Stopped'
}

export interface RunLimits {
  /** Maximum number of requests. */
  maxStatements?: number
  /** Maximum duration of the run, in milliseconds; may be Infinity. */
  maxDurationMs?: number
  /** Maximum memory of large replies, in bytes. Default: a part of 512 MiB. */
  maxMemory?: number
  /** Ends the run when it aborts. */
  signal?: AbortSignal
}

/**
 * The run ends after this many timeouts, because each takes as long as the wait for a late 504. The checks of the time
 * limit can cause three on a responsive target.
 */
const MOST_TIMEOUTS = 4

/** Default memory for the large replies of a run: the rest of 512 MiB is for their rows and for the suite. */
const DEFAULT_MEMORY = 160 * 1024 * 1024

/** Default maximum duration: a slow target must not block a CI job for hours. */
const DEFAULT_DURATION_MS = 30 * 60_000

/** The longest delay of setTimeout, which fires at once for a longer one. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Ends a run early: after a duration, a number of requests or timeouts, or by a signal. */
export class Limits {
  readonly #controller: AbortController
  readonly #most: number
  readonly #mostMemory: number
  #timeouts = 0
  #memory = 0
  #stopped: Stopped | undefined
  /** Requests sent. */
  sent = 0
  readonly #release: () => void

  /** @param controller aborts when the run ends */
  constructor(
    { maxStatements, maxDurationMs = DEFAULT_DURATION_MS, maxMemory, signal }: RunLimits,
    controller = new AbortController(),
  ) {
    this.#controller = controller
    this.#most = maxStatements ?? Infinity
    this.#mostMemory = maxMemory ?? DEFAULT_MEMORY
    const late = () => this.stop(`it took longer than ${maxDurationMs / 1000} s (--max-duration)`)
    const abort = () =>
      this.stop(signal?.reason instanceof Stopped ? signal.reason.message : 'it was aborted')
    const timer =
      maxDurationMs === Infinity ? undefined : setTimeout(late, Math.min(maxDurationMs, LONGEST_TIMER_MS))
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
    this.#release = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }

  /** Aborts when the run ends; its reason is a Stopped. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Completes the sentence "the run ended early because …"; undefined if it did not end early. */
  get reason(): string | undefined {
    return this.#stopped?.message
  }

  /** Whether the run ended because the target stopped responding. */
  get unresponsive(): boolean {
    return this.#timeouts >= MOST_TIMEOUTS
  }

  /**
   * Counts a request before it is sent.
   *
   * @throws Stopped when the run has ended or is over, or the maximum number of requests is reached
   */
  count(): void {
    // Pending requests may finish.
    if (this.sent >= this.#most)
      this.#stopped ??= new Stopped(`${this.#most} requests were sent, the maximum number (--max-statements)`)
    if (this.#stopped) throw this.#stopped
    this.signal.throwIfAborted()
    this.sent++
  }

  /** Counts a request that timed out. */
  countTimeout(): void {
    this.#timeouts++
    if (this.unresponsive) this.stop(`the target did not complete ${this.#timeouts} replies`)
  }

  /**
   * Counts memory of a large reply, in bytes.
   *
   * @throws Stopped when the replies of the run take too much
   */
  countMemory(bytes: number): void {
    this.#memory += bytes
    if (this.#memory > this.#mostMemory) {
      const mib = Math.round(this.#mostMemory / 1024 / 1024)
      this.stop(
        `the target sent more than ${mib} MiB in large replies; lower --max-rows, or select checks with --only`,
      )
    }
    if (this.#stopped) throw this.#stopped
  }

  /** Ends the run and aborts pending requests. The first reason is kept. */
  stop(reason: string): void {
    this.#stopped ??= new Stopped(reason)
    this.#controller.abort(this.#stopped)
  }

  /** Ends what is left of a run that is over, such as pending requests: nothing of it may outlive its report. */
  end(): void {
    this.#release()
    this.#controller.abort(new Stopped('it is over'))
  }
}
