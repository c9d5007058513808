import { retryAfterMs } from '../../../base/time/retry-after.ts'
import { sleep } from '../../../base/until-aborted.ts'

/** The longest pause that the suite waits for because of Retry-After, in milliseconds. */
const LONGEST_MS = 60_000
/** Maximum sum of all waits for the target in a run, in milliseconds. */
const MOST_MS = 5 * 60_000
/** The longest time between the starts of two requests, in pauses. */
const SLOWEST = 4
/** How much slower the suite sends after a refusal, and how much faster after a reply: a ninth of the requests may be refused. */
const [SLOWER, FASTER] = [1.5, 0.95]
/** How long a request is repeated, in pauses, whatever Retry-After asks: a service that has answered none may be starting. */
const PATIENCE = { starting: 240, served: 60 }
/** The longest pause before a request is repeated, in pauses. */
const LONGEST_PAUSE = 32
/** Requests in a row that were refused to the end: then none is repeated until one is served. */
const MOST_IN_VAIN = 3

/** The pace of one request. */
export interface RequestPace {
  /** Waits for its start. */
  turn(): Promise<void>
  /**
   * Waits after it was refused because of load: as Retry-After asks, or longer each time.
   *
   * @returns whether to repeat it
   */
  mayRepeat(headers?: Headers): Promise<boolean>
}

/**
 * How fast the suite sends: as fast as the checks ask, until the target refuses requests because of their number. Then it sends
 * more slowly, and again faster while none is refused. All requests of a run wait together.
 */
export class Pace {
  readonly #pauseMs: number
  readonly #leastMs: number
  /** Time between the starts of two requests, in milliseconds. */
  #intervalMs: number
  #nextStart = 0
  #pausedUntil = 0
  #slowedAt = 0
  #hasServed = false
  /** Requests that were repeated and never served: in a row, and in all. */
  #inVain = { inARow: 0, total: 0 }
  #waiting = 0
  #waitingSince = 0
  #waitedMs = 0
  /** Replies that refused a request because of load. */
  refused = 0

  /**
   * @param rate most requests per second
   * @param pauseMs the first pause before a request is repeated, in milliseconds
   */
  constructor(rate = Infinity, pauseMs = 250) {
    this.#pauseMs = pauseMs
    this.#leastMs = 1000 / rate
    this.#intervalMs = this.#leastMs
  }

  /** The time in which at least one request waited because of a refusal, in milliseconds. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waiting > 0 ? performance.now() - this.#waitingSince : 0)
  }

  /** The pace for one request. Its waits reject with the reason of `signal` when it aborts. */
  forRequest(signal: AbortSignal): RequestPace {
    let [times, pausedMs] = [0, 0]
    return {
      turn: () => this.#turn(signal),
      mayRepeat: (headers) => {
        const pauseMs = this.#pauseMs * Math.min(2 ** times++, LONGEST_PAUSE)
        const isOver = pausedMs >= this.#patienceMs
        pausedMs += pauseMs
        return this.#mayRepeat(headers, pauseMs, isOver, signal)
      },
    }
  }

  /** Notes that a request was answered. */
  served(): void {
    this.#hasServed = true
    this.#inVain.inARow = 0
    const faster = this.#intervalMs * FASTER
    this.#intervalMs = faster < this.#pauseMs / 16 ? this.#leastMs : Math.max(faster, this.#leastMs)
  }

  async #turn(signal: AbortSignal): Promise<void> {
    const start = Math.max(performance.now(), this.#nextStart)
    this.#nextStart = start + this.#intervalMs
    if (this.#intervalMs <= this.#leastMs) await sleepUntil(start, signal)
    else await this.#wait(start, signal)
    while (this.#pausedUntil > performance.now()) await this.#wait(this.#pausedUntil, signal)
  }

  async #mayRepeat(
    headers: Headers | undefined,
    pauseMs: number,
    isOver: boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    const asked = headers && retryAfterMs(headers)
    const pause = Math.max(asked ?? 0, pauseMs)
    if (isOver || this.waitedMs + pause > MOST_MS || (asked ?? 0) > LONGEST_MS) {
      this.#inVain = { inARow: this.#inVain.inARow + 1, total: this.#inVain.total + 1 }
      // no pace helps
      if (this.#inVain.inARow >= MOST_IN_VAIN) this.#intervalMs = this.#leastMs
      return false
    }
    const until = performance.now() + pause
    if (asked === undefined) this.#slowDown()
    else this.#pausedUntil = Math.max(this.#pausedUntil, until)
    await this.#wait(until, signal)
    return true
  }

  /** Some requests are refused however slowly they come: the more of them, the sooner they are given up. */
  get #patienceMs(): number {
    const { inARow, total } = this.#inVain
    if (inARow >= (this.#hasServed ? MOST_IN_VAIN : 1)) return 0
    return (this.#hasServed ? PATIENCE.served / 2 ** total : PATIENCE.starting) * this.#pauseMs
  }

  /** Sends more slowly. Requests that were in flight together count once. */
  #slowDown(): void {
    const now = performance.now()
    if (now - this.#slowedAt < Math.max(this.#pauseMs, this.#intervalMs)) return
    this.#slowedAt = now
    const slower = Math.max(this.#intervalMs, this.#pauseMs / 8) * SLOWER
    this.#intervalMs = Math.max(Math.min(slower, this.#pauseMs * SLOWEST), this.#leastMs)
  }

  async #wait(until: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting++ === 0) this.#waitingSince = performance.now()
    try {
      await sleepUntil(until, signal)
    } finally {
      if (--this.#waiting === 0) this.#waitedMs += performance.now() - this.#waitingSince
    }
  }
}

async function sleepUntil(time: number, signal: AbortSignal): Promise<void> {
  const left = time - performance.now()
  if (left > 0) await sleep(left, signal)
}
