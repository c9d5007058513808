import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { handmade, refuse, rowsReply } from '../../connection/handmade.test-helper.ts'
import { probe } from './mode.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const timeLimitMs = 1000

/** The variant of a service that ends long statements so long after the limit, in milliseconds, one after the other. */
async function observed(...late: number[]) {
  const answer = ({ sql }: { sql: string }) => {
    if (!sql.includes('pg_sleep') || sql.endsWith('(0)')) return rowsReply([])
    const ms = timeLimitMs + late.shift()!
    return new Promise<Response>((end) => void setTimeout(() => end(refuse(504)), ms))
  }
  const found = probe.observe(handmade({ answer, timeLimitMs }))
  await vi.advanceTimersByTimeAsync(10_000)
  return (await found)?.variant
}

test('an end that is late once, while the checks of a run load the service, counts as at the limit', async () => {
  expect(await observed(700, 100)).toBe('hard')
})

test('an end that is late twice is late', async () => {
  expect(await observed(800, 700)).toBe('second-late')
  expect(await observed(800, 3000)).toBe('second-late')
})

test('an end at the limit is not asked for again', async () => {
  expect(await observed(100)).toBe('hard')
})
