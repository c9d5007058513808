import { EngineBusy } from '../../statement.ts'
import type { EngineThread } from './engine-thread.ts'

interface Waiter {
  readonly resolve: (thread: EngineThread) => void
  readonly reject: (reason: unknown) => void
}

/** The longest wait for an engine in milliseconds, and the highest number of waiting statements (decisions/0023, ruling 12). */
const [maxWaitMs, maxWaiting] = [5_000, 512]

/** Statements that wait for an engine, in the order of their arrival. Their number and their wait are limited. */
export class EngineQueue {
  readonly #waiters = new Set<Waiter>()

  get length(): number {
    return this.#waiters.size
  }

  /**
   * Resolves with an engine.
   *
   * @throws EngineBusy when the queue is full or the wait takes too long; the signal's reason when it aborts
   */
  wait(signal: AbortSignal): Promise<EngineThread> {
    return new Promise((resolve, reject) => {
      if (this.#waiters.size >= maxWaiting) return reject(new EngineBusy())
      const settle = () => {
        clearTimeout(timer)
        signal.removeEventListener('abort', onAbort)
        this.#waiters.delete(waiter)
      }
      const waiter: Waiter = {
        resolve: (thread) => {
          settle()
          resolve(thread)
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

  /** Gives an engine to the statement that has waited longest; false if none waits. */
  offer(thread: EngineThread): boolean {
    const [next] = this.#waiters
    next?.resolve(thread)
    return next !== undefined
  }

  /** Refuses all waiting statements. */
  rejectAll(reason: unknown): void {
    for (const waiter of this.#waiters) waiter.reject(reason)
  }
}
