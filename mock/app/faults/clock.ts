import { delay } from '../delay.ts'

/** What time it is, and how to wait: replaced in tests. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Rejects with the signal's reason when it aborts meanwhile. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** Looks the global functions up at each call, so that fake timers which replace them are obeyed. */
export const systemClock: Clock = { now: () => Date.now(), sleep: (ms, signal) => delay(ms, signal) }
