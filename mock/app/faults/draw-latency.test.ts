import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomOf } from '../../../base/random/random.ts'
import type { LatencyFault } from '../../../schemas/generated/types.ts'
import { drawLatency } from './rule.ts'
import { readFault } from './read-fault.ts'

const draws = (spec: string, seed: number, count: number) => {
  const random = randomOf(seed, 'test')
  const latency = readFault(spec) as LatencyFault
  return Array.from({ length: count }, () => drawLatency(latency, random))
}

test('a fixed latency is used as it is', () => {
  expect(draws('latency:200ms', 1, 2)).toEqual([200, 200])
})

test('a range of latencies is used up to its bounds', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const delays = draws('latency:50ms-400ms', seed, 500)
      for (const delay of delays) expect(delay >= 50 && delay < 400).toBe(true)
      expect(Math.min(...delays)).toBeLessThan(80)
      expect(Math.max(...delays)).toBeGreaterThan(370)
    }),
  )
})

test('a log-normal latency has its median, and 1 in 100 requests exceeds its p99', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const delays = draws('latency:median=100ms,p99=900ms', seed, 5000)
      const share = (bound: number) => delays.filter((delay) => delay > bound).length / delays.length
      // five standard deviations of a share
      expect(Math.abs(share(100) - 0.5)).toBeLessThan(5 * Math.sqrt(0.25 / 5000))
      expect(Math.abs(share(900) - 0.01)).toBeLessThan(5 * Math.sqrt(0.0099 / 5000))
      expect(Math.min(...delays)).toBeGreaterThan(0)
    }),
    { numRuns: 30 },
  )
  expect(new Set(draws('latency:median=100ms,p99=100ms', 1, 5))).toEqual(new Set([100]))
})
