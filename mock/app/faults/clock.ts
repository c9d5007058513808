/** The time, and how to wait: replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Waits. Rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Calls the global functions, so that fake timers can replace them. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = () => {
        clearTimeout(timer)
        reject(signal.reason)
      }
      const timer = setTimeout(() => {
        signal.removeEventListener('abort', leave)
        resolve()
      }, ms)
      signal.addEventListener('abort', leave, { once: true })
    }),
}
