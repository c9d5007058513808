/** How many requests are waited for, and how long at most. */
export interface Awaited {
  readonly count: number
  readonly withinMs: number
  readonly signal?: AbortSignal
}

/** Wakes those who wait for requests. */
export class Arrivals {
  readonly #wake = new Set<() => void>()

  /** Says that a request arrived, or has its answer. */
  tell(): void {
    for (const wake of this.#wake) wake()
  }

  /**
   * Waits until there are enough requests, the time is over or the signal aborts.
   *
   * @param find the requests that count
   * @returns those of the last call of `find`
   */
  async until<T>(find: () => T[], { count, withinMs, signal }: Awaited): Promise<T[]> {
    const end = performance.now() + withinMs
    for (;;) {
      const [found, left] = [find(), end - performance.now()]
      if (found.length >= count || left <= 0 || signal?.aborted) return found
      await this.next(signal, left)
    }
  }

  /** Resolves with the next request or answer, when the time is over, or when the signal aborts. */
  next(signal?: AbortSignal, ms?: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer)
        this.#wake.delete(wake)
        signal?.removeEventListener('abort', wake)
        resolve()
      }
      // keeps the process alive, which AbortSignal.timeout does not
      const timer = ms === undefined ? undefined : setTimeout(wake, ms)
      this.#wake.add(wake)
      signal?.addEventListener('abort', wake)
    })
  }
}
