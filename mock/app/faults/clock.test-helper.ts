import type { Clock } from './clock.ts'

/** A clock that moves when it is told to, and when somebody sleeps. */
export class TestClock implements Clock {
  time = 1e12
  /** How long was slept, each time, in milliseconds. */
  readonly slept: number[] = []

  now(): number {
    return this.time
  }

  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    this.slept.push(ms)
    this.time += ms
  }
}
