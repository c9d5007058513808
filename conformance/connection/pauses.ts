import { retryAfterMs } from '../../schemas/formats/retry-after.ts'
import { sleep } from '../../schemas/until-aborted.ts'

/** The longest single pause that is kept, in milliseconds: whoever wants more is taken at its word. */
const LONGEST_MS = 60_000
/** The most time spent on pauses in a run, in milliseconds. */
const MOST_MS = 5 * 60_000
/** A server that says "at once" gets this much time all the same, in milliseconds. */
const SHORTEST_MS = 250

/** Keeps the pauses that a target asks for with Retry-After: all requests of a run wait together. */
export class Pauses {
  #until = 0
  /** Time spent on pauses, in milliseconds. */
  totalMs = 0
  /** Answers that asked for one. */
  asked = 0

  /**
   * Whether an answer asks to come again and it is worth it. From then on {@link over} waits that long.
   * A 504 never is: the contract asks for another statement then. A 403 is where it names a time: some services
   * limit the rate with it.
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

  /** Waits for the end of the pause, where there is one. Rejects with the reason of `signal` when it aborts. */
  async over(signal: AbortSignal): Promise<void> {
    for (let left = this.#until - Date.now(); left > 0; left = this.#until - Date.now())
      await sleep(left, signal)
  }
}
