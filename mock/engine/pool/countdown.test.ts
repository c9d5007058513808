import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Countdown } from './stalled-readers.ts'

const onElapsed = vi.fn()
let countdown: Countdown

beforeEach(() => {
  vi.useFakeTimers()
  onElapsed.mockClear()
  countdown = new Countdown(1_000, onElapsed)
  countdown.start()
})
afterEach(() => vi.useRealTimers())

const expectToElapseAfter = (ms: number) => {
  vi.advanceTimersByTime(ms - 1)
  expect(onElapsed).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2)
  expect(onElapsed).toHaveBeenCalledOnce()
}

test('a countdown elapses once', () => {
  countdown.start()
  expectToElapseAfter(1_000)
  vi.advanceTimersByTime(5_000)
  expect(onElapsed).toHaveBeenCalledOnce()
})

test('a paused countdown does not run', () => {
  vi.advanceTimersByTime(600)
  countdown.pause()
  countdown.pause()
  vi.advanceTimersByTime(10_000)
  countdown.start()
  expectToElapseAfter(400)
})

test('a countdown starts again after a reset', () => {
  vi.advanceTimersByTime(600)
  countdown.reset()
  vi.advanceTimersByTime(10_000)
  countdown.start()
  expectToElapseAfter(1_000)
})
