import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Expiry } from './expiry.ts'
import { Limiter, retryAfter } from './limiter.ts'

test('so many pass in a window, whatever the times of the requests', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10 }),
      fc.integer({ min: 1, max: 5000 }),
      fc.array(fc.integer({ min: 0, max: 2000 }), { maxLength: 200 }),
      (requests, windowMs, gaps) => {
        const limiter = new Limiter({ requests, windowMs })
        let now = 1e12
        const passed: number[] = []
        for (const gap of gaps) {
          now += gap
          const wait = limiter.wait(now)
          if (wait === 0) passed.push(now)
          else {
            expect(wait > 0 && wait <= windowMs).toBe(true)
            // a limiter of one window can let two windows' worth through around their border, never more
            expect(passed.filter((at) => at > now - windowMs).length).toBeLessThanOrEqual(2 * requests)
          }
        }
      },
    ),
  )
})

test('whoever waits as long as it says passes', () => {
  const limiter = new Limiter({ requests: 2, windowMs: 1000 })
  expect([0, 10, 20, 999].map((at) => limiter.wait(at))).toEqual([0, 0, 980, 1])
  expect([1000, 1001, 1002].map((at) => limiter.wait(at))).toEqual([0, 0, 998])
  // a clock that was set back
  expect(limiter.wait(500)).toBe(0)
})

test('Retry-After is in whole seconds and never too short', () => {
  expect([0, 1, 1000, 1001].map((ms) => retryAfter(ms)['retry-after'])).toEqual(['0', '1', '1', '2'])
})

test('a token expires by its uses, its age or the time, another token by its own', () => {
  const byUse = new Expiry({ type: 'expire', after: 2 })
  const expected = [false, false, false, true, false, true]
  expect(['a', 'a', 'b', 'a', 'b', 'b'].map((token) => byUse.isExpired(token, 0))).toEqual(expected)
  const byAge = new Expiry({ type: 'expire', lifetimeMs: 100 })
  expect([0, 99, 100].map((now) => byAge.isExpired('a', now))).toEqual([false, false, true])
  expect(byAge.isExpired('b', 150)).toBe(false)
  const byTime = new Expiry({ type: 'expire', at: '1970-01-01T00:00:01Z' })
  expect([999, 1000].map((now) => byTime.isExpired('a', now))).toEqual([false, true])
})
