import type { Clock } from './clock.ts'

/** A clock that moves only by assignment and by sleeping. */
export class TestClock implements Clock {
  time = 1e12
  /** Every sleep in milliseconds. */
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
