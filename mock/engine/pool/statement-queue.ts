import { EngineBusy } from '../../statement.ts'

/** A statement that asks for a place. */
export interface Waiting {
  /** Who sent it. */
  readonly owner: string
  /** The longest wait in milliseconds. */
  readonly maxWaitMs: number
  readonly signal: AbortSignal
}

interface Waiter<Place> {
  readonly owner: string
  readonly resolve: (place: Place) => void
  readonly reject: (reason: unknown) => void
}

/** Highest number of waiting statements of one owner, and of all. */
const [maxOfOwner, maxWaiting] = [512, 4096]
/** An owner is alone if the last statement of another is older, in milliseconds. */
const aloneAfterMs = 60_000

/**
 * Gives places to statements, first come first served. While others wait, one owner has at most half of the places. An owner who is not
 * alone leaves one place free.
 */
export class StatementQueue<Place> {
  readonly #places: number
  readonly #free: () => Place | undefined
  readonly #waiters = new Set<Waiter<Place>>()
  /** The number of places that each owner has. */
  readonly #held = new Map<string, number>()
  /** The number of waiting statements of each owner. */
  readonly #waiting = new Map<string, number>()
  /** The newest statement, and the newest one of another owner. */
  #newest = { owner: '', at: -Infinity }
  #newestOfOther = this.#newest

  /**
   * @param places the highest number of places
   * @param free takes a place that is free now
   */
  constructor(places: number, free: () => Place | undefined) {
    this.#places = places
    this.#free = free
  }

  /** The number of waiting statements. */
  get length(): number {
    return this.#waiters.size
  }

  /** Whether an owner has more than half of the places while another, who has none, waits. */
  hasTooMany(owner: string): boolean {
    if ((this.#held.get(owner) ?? 0) <= this.#half) return false
    for (const other of this.#waiting.keys()) if (!this.#held.has(other)) return true
    return false
  }

  /**
   * Resolves with a place, which the owner has until {@link release}.
   *
   * @throws EngineBusy when the owner has too many statements that wait, or the wait takes too long; the signal's reason when it aborts
   */
  take({ owner, maxWaitMs, signal }: Waiting): Promise<Place> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      this.#see(owner)
      const place = this.length === 0 && this.#mayHaveAnother(owner) ? this.#free() : undefined
      if (place !== undefined) {
        add(this.#held, owner, 1)
        return resolve(place)
      }
      if ((this.#waiting.get(owner) ?? 0) >= maxOfOwner || this.length >= maxWaiting) throw new EngineBusy()
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiters.delete(waiter)
        add(this.#waiting, owner, -1)
      }
      const waiter: Waiter<Place> = {
        owner,
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
      const timer = setTimeout(() => waiter.reject(new EngineBusy()), maxWaitMs)
      signal.addEventListener('abort', onAbort, { once: true })
      this.#waiters.add(waiter)
      add(this.#waiting, owner, 1)
      this.serve()
    })
  }

  /** Gives back a place of an owner. */
  release(owner: string): void {
    add(this.#held, owner, -1)
  }

  /** Gives the free places to the first statements that may have them. */
  serve(): void {
    for (const { owner, resolve } of this.#waiters) {
      if (!this.#mayHaveAnother(owner)) continue
      const place = this.#free()
      if (place === undefined) return
      add(this.#held, owner, 1)
      resolve(place)
    }
  }

  /** Refuses all waiting statements. */
  rejectAll(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason)
  }

  get #half(): number {
    return Math.max(Math.floor(this.#places / 2), 1)
  }

  #mayHaveAnother(owner: string): boolean {
    const held = this.#held.get(owner) ?? 0
    if (held < this.#half) return true
    for (const other of this.#waiting.keys()) if (other !== owner) return false
    return held < (this.#isAlone(owner) ? this.#places : this.#places - 1)
  }

  #see(owner: string): void {
    if (owner !== this.#newest.owner) this.#newestOfOther = this.#newest
    this.#newest = { owner, at: performance.now() }
  }

  #isAlone(owner: string): boolean {
    const { at } = this.#newest.owner === owner ? this.#newestOfOther : this.#newest
    return performance.now() - at > aloneAfterMs
  }
}

function add(counts: Map<string, number>, owner: string, change: 1 | -1): void {
  const count = (counts.get(owner) ?? 0) + change
  if (count > 0) counts.set(owner, count)
  else counts.delete(owner)
}
