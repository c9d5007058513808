import { retryAfterMs } from '../../../base/time/retry-after.ts'
import { sleep } from '../../../base/until-aborted.ts'

/** The longest pause that the suite waits for, in milliseconds. With a longer one, the reply counts as it is. */
const LONGEST_MS = 60_000
/** Maximum sum of all pauses in a run, in milliseconds. */
const MOST_MS = 5 * 60_000
/** The shortest pause, in milliseconds, also for `Retry-After: 0`. */
const SHORTEST_MS = 250

/** Waits as a target asks with Retry-After. All requests of a run wait together. */
export class Pauses {
  #until = 0
  /** Sum of all pauses, in milliseconds. */
  totalMs = 0
  /** Number of replies that asked for a pause. */
  asked = 0

  /**
   * Whether to repeat a request because of its reply; then {@link over} waits for the pause. A 504 is never repeated,
   * because the contract forbids it. A 403 with Retry-After is repeated, because some services limit the rate with it.
   */
  ask({ status, headers }: { status: number; headers: Headers }, now = Date.now()): boolean {
    if (![403, 429, 503].includes(status)) return false
    const pause = retryAfterMs(headers, now)
    if (pause === undefined || pause > LONGEST_MS) return false
    const until = now + Math.max(pause, SHORTEST_MS)
    const longer = Math.max(0, until - Math.max(this.#until, now))
    if (this.totalMs + longer > MOST_MS) return false
    this.asked++
    this.totalMs += longer
    this.#until = Math.max(this.#until, until)
    return true
  }

  /** Waits for the end of the current pause. Rejects with the reason of `signal` when it aborts. */
  async over(signal: AbortSignal): Promise<void> {
    for (let left = this.#until - Date.now(); left > 0; left = this.#until - Date.now())
      await sleep(left, signal)
  }
}
