import { EngineBusy } from '../../statement.ts'
import type { EngineThread } from './engine-thread.ts'

/** A statement that waits for an engine. */
export interface Waiting {
  /** Who sent it. */
  readonly owner: string
  /** Whether it is known to be slow by now. */
  readonly isSlow: () => boolean
}

/** An engine for a statement. */
export interface Grant {
  readonly thread: EngineThread
  /** Whether the statement got it as a slow one. */
  readonly isSlow: boolean
}

interface Waiter extends Waiting {
  readonly resolve: (grant: Grant) => void
  readonly reject: (reason: unknown) => void
}

/** The longest wait for an engine in milliseconds, and the highest number of waiting statements (decisions/0023, ruling 12). */
const [maxWaitMs, maxWaiting] = [5_000, 512]

/** Statements that wait for an engine. Their number and their wait are limited. */
export class EngineQueue {
  readonly #waiters = new Set<Waiter>()

  get length(): number {
    return this.#waiters.size
  }

  /** The number of waiting statements that are known to be slow. */
  get slow(): number {
    let slow = 0
    for (const { isSlow } of this.#waiters) if (isSlow()) slow++
    return slow
  }

  /**
   * Resolves with an engine.
   *
   * @throws EngineBusy when the queue is full or the wait takes too long; the signal's reason when it aborts
   */
  wait(waiting: Waiting, signal: AbortSignal): Promise<Grant> {
    return new Promise((resolve, reject) => {
      if (this.#waiters.size >= maxWaiting) return reject(new EngineBusy())
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        ...waiting,
        resolve: (grant) => {
          settle()
          resolve(grant)
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
    })
  }

  /**
   * Gives an engine to a statement: short before slow, then the owner that used the engines least, then in the order of
   * their arrival. Undefined if none waits that may have it.
   *
   * @param takesSlow whether slow statements may have the engine
   * @param usedBy the time that an owner used the engines
   */
  offer(thread: EngineThread, takesSlow: boolean, usedBy: (owner: string) => number): Grant | undefined {
    let next: { waiter: Waiter; isSlow: boolean; used: number } | undefined
    for (const waiter of this.#waiters) {
      const isSlow = waiter.isSlow()
      if (isSlow && !takesSlow) continue
      const used = usedBy(waiter.owner)
      const isBefore = !next || (isSlow === next.isSlow ? used < next.used : next.isSlow)
      if (isBefore) next = { waiter, isSlow, used }
    }
    const grant = next && { thread, isSlow: next.isSlow }
    if (grant) next!.waiter.resolve(grant)
    return grant
  }

  /** Refuses all waiting statements. */
  rejectAll(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason)
  }
}
