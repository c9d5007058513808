import { EngineBusy } from '../../statement.ts'

/** A statement that waits for an engine. */
export interface Waiting {
  /** Who sent it. */
  readonly owner: string
  /** Whether it is known to be slow by now. */
  readonly isSlow: () => boolean
  /** How much longer it waits than others, in milliseconds. Default: 0. */
  readonly patienceMs?: number | undefined
}

interface Waiter<Place> extends Waiting {
  readonly resolve: (place: Place) => void
  readonly reject: (reason: unknown) => void
}

/** The longest wait for an engine in milliseconds (decisions/0023, ruling 12), and the highest number of short and of slow statements. */
const [maxWaitMs, maxWaiting] = [5_000, 512]

/** Statements that wait for an engine. Their number and their wait are limited. Slow ones do not take the places of short ones. */
export class EngineQueue<Place> {
  readonly #waiters = new Set<Waiter<Place>>()

  get length(): number {
    return this.#waiters.size
  }

  /** The number of waiting statements that are known to be slow. */
  get slow(): number {
    let slow = 0
    for (const { isSlow } of this.#waiters) if (isSlow()) slow++
    return slow
  }

  #isFull({ isSlow }: Waiting): boolean {
    if (this.length < maxWaiting) return false
    return (isSlow() ? this.slow : this.length - this.slow) >= maxWaiting
  }

  /**
   * Resolves with a place.
   *
   * @throws EngineBusy when the queue is full or the wait takes too long; the signal's reason when it aborts
   */
  wait(waiting: Waiting, signal: AbortSignal): Promise<Place> {
    return new Promise((resolve, reject) => {
      if (this.#isFull(waiting)) return reject(new EngineBusy())
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter<Place> = {
        owner: waiting.owner,
        isSlow: waiting.isSlow,
        resolve: (place) => {
          settle()
          resolve(place)
        },
        reject: (reason) => {
          settle()
          reject(reason)
        },
      }
      const onAbort = () => waiter.reject(signal.reason)
      const timer = setTimeout(() => waiter.reject(new EngineBusy()), maxWaitMs + (waiting.patienceMs ?? 0))
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiters.add(waiter)
    })
  }

  /**
   * Gives a place to a statement: short before slow, then the owner that used the engines least, then in the order of
   * their arrival.
   *
   * @param placeFor makes the place, called at most once
   * @param takesSlow whether slow statements may have a place
   * @param usedBy the time that an owner used the engines
   * @returns whether a statement got a place
   */
  serve(
    placeFor: (isSlow: boolean) => Place,
    takesSlow: boolean,
    usedBy: (owner: string) => number,
  ): boolean {
    let next: { waiter: Waiter<Place>; isSlow: boolean; used: number } | undefined
    for (const waiter of this.#waiters) {
      const isSlow = waiter.isSlow()
      if (isSlow && !takesSlow) continue
      const used = usedBy(waiter.owner)
      const isBefore = !next || (isSlow === next.isSlow ? used < next.used : next.isSlow)
      if (isBefore) next = { waiter, isSlow, used }
    }
    next?.waiter.resolve(placeFor(next.isSlow))
    return next !== undefined
  }

  /** Refuses all waiting statements. */
  rejectAll(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason)
  }
}

/** Used time counts half after this time, in milliseconds. */
const halfLifeMs = 5_000

/** Most owners that are remembered. */
const maxOwners = 1000

interface Used {
  ms: number
  at: number
}

/** The time for which each owner of statements used the engines lately. */
export class Usage {
  readonly #used = new Map<string, Used>()

  /** Milliseconds, of which older ones count less. */
  of(owner: string): number {
    const used = this.#used.get(owner)
    return used ? used.ms * 0.5 ** ((performance.now() - used.at) / halfLifeMs) : 0
  }

  add(owner: string, ms: number): void {
    const before = this.of(owner)
    // set anew, so that the first entry is the one that was not used for the longest time
    this.#used.delete(owner)
    this.#used.set(owner, { ms: before + ms, at: performance.now() })
    if (this.#used.size > maxOwners) this.#used.delete(this.#used.keys().next().value!)
  }
}
