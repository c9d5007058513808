import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Expiry } from './expiry.ts'
import { Limiter, retryAfter } from './limiter.ts'

test('a limiter lets its number of requests pass in each window, whenever they arrive', () => {
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
          const wait = limiter.take(now).waitMs
          if (wait === 0) passed.push(now)
          else {
            expect(wait > 0 && wait <= windowMs).toBe(true)
            // two windows that meet let twice the number pass, never more
            expect(passed.filter((at) => at > now - windowMs).length).toBeLessThanOrEqual(2 * requests)
          }
        }
      },
    ),
  )
})

test('a client that waits as long as the limiter asks passes', () => {
  const limiter = new Limiter({ requests: 2, windowMs: 1000 })
  expect([0, 10, 20, 999].map((at) => limiter.take(at).waitMs)).toEqual([0, 0, 980, 1])
  expect([1000, 1001, 1002].map((at) => limiter.take(at).waitMs)).toEqual([0, 0, 998])
  // the clock was set back
  expect(limiter.take(500).waitMs).toBe(0)
})

test('Retry-After is rounded up to whole seconds', () => {
  expect([0, 1, 1000, 1001].map((ms) => retryAfter(ms)['retry-after'])).toEqual(['0', '1', '1', '2'])
})

test('each token expires by its own requests or age, and all tokens at a given time', () => {
  const byUse = new Expiry({ after: 2 })
  const expected = [false, false, false, true, false, true]
  expect(['a', 'a', 'b', 'a', 'b', 'b'].map((token) => byUse.isExpired(token, 0))).toEqual(expected)
  const byAge = new Expiry({ lifetimeMs: 100 })
  expect([0, 99, 100].map((now) => byAge.isExpired('a', now))).toEqual([false, false, true])
  expect(byAge.isExpired('b', 150)).toBe(false)
  const byTime = new Expiry({ at: '1970-01-01T00:00:01Z' })
  expect([999, 1000].map((now) => byTime.isExpired('a', now))).toEqual([false, true])
})

test('a limiter counts each client separately', () => {
  const limiter = new Limiter({ requests: 1, windowMs: 1000 })
  expect(['a', 'b', 'a'].map((client) => limiter.take(0, client).waitMs)).toEqual([0, 0, 1000])
})

test('a limiter with a pause counts slow requests too, and starts again after the pause', () => {
  const limiter = new Limiter({ requests: 3, windowMs: 1000, pauseMs: 100 })
  expect([0, 900, 1800].map((at) => limiter.take(at))).toEqual([
    { remaining: 2, waitMs: 0 },
    { remaining: 1, waitMs: 0 },
    { remaining: 0, waitMs: 0 },
  ])
  expect([2700, 2750, 2800].map((at) => limiter.take(at).waitMs)).toEqual([100, 50, 0])
})
