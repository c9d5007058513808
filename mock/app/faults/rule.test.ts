import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fault } from './fault.ts'
import { readFault } from './read-fault.ts'
import { Rule } from './rule.ts'

const ruleOf = (spec: string, seed = 1, index = 0) => new Rule(readFault(spec), seed, index)
const struck = (rule: Rule, requests: number) => Array.from({ length: requests }, () => rule.strikes())
/** `x` where a request is struck. */
const picture = (spec: string, requests: number) =>
  struck(ruleOf(spec), requests)
    .map((hit) => (hit ? 'x' : '.'))
    .join('')

test.each([
  ['reset', 4, 'xxxx'],
  ['reset,times=2', 4, 'xx..'],
  ['reset,skip=2', 4, '..xx'],
  ['reset,every=3', 9, '..x..x..x'],
  ['reset,every=3,burst=2', 12, '..xx.xx.xx.x'],
  ['reset,every=2,skip=3,times=2', 10, '....x.x...'],
  ['status:503,every=5,burst=3,times=4', 14, '....xxx..x....'],
])('%s strikes of %i requests %s', (spec, requests, expected) => {
  expect(picture(spec, requests)).toBe(expected)
})

const half = (seed: number, index = 0) => struck(ruleOf('reset,rate=0.5', seed, index), 200)

describe('a probability', () => {
  const rate = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100)

  test('strikes the same requests again for the same seed, and others for another', () => {
    fc.assert(
      fc.property(fc.integer(), rate, fc.integer({ min: 1, max: 5 }), (seed, rate, burst) => {
        const spec = `status:503,rate=${rate},burst=${burst}`
        expect(struck(ruleOf(spec, seed), 200)).toEqual(struck(ruleOf(spec, seed), 200))
      }),
    )
    expect(half(1)).not.toEqual(half(2))
    expect(half(1)).not.toEqual(half(1, 1))
  })

  test('is that of the strikes: within five standard deviations', () => {
    fc.assert(
      fc.property(fc.integer(), rate, (seed, rate) => {
        const rule = ruleOf(`reset,rate=${rate}`, seed)
        struck(rule, 2000)
        expect(rule.matched).toBe(2000)
        expect(Math.abs(rule.struck - 2000 * rate)).toBeLessThanOrEqual(
          5 * Math.sqrt(2000 * rate * (1 - rate)),
        )
      }),
    )
  })

  test('strikes whole bursts and never more often than `times`', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        rate,
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 50 }),
        (seed, rate, burst, times) => {
          const bursts = struck(ruleOf(`reset,rate=${rate},burst=${burst}`, seed), 300)
            .map((hit) => (hit ? 'x' : '.'))
            .join('')
          // the last one may go on
          for (const run of bursts.match(/x+(?=\.)/g) ?? []) expect(run.length % burst).toBe(0)
          const rule = ruleOf(`reset,rate=${rate},burst=${burst},times=${times}`, seed)
          struck(rule, 300)
          expect(rule.struck).toBeLessThanOrEqual(times)
        },
      ),
    )
  })
})

test.each([
  ['*', 'SELECT 1', true],
  ['v_timeseries', 'SELECT * FROM v_timeseries LIMIT 1', true],
  ['v_timeseries', 'SELECT * FROM V_TIMESERIES', true],
  ['v_timeseries', 'SELECT * FROM v_timeseries_data', false],
  ['/join/i', 'SELECT * FROM a LEFT JOIN b', true],
  ['/join/', 'SELECT * FROM a LEFT JOIN b', false],
])('on=%s is for %j: %s', (on, statement, isFor) => {
  const rule = new Rule({ type: 'reset', on } as Fault, 1, 0)
  for (let n = 0; n < 3; n++) expect(rule.isForStatement(statement)).toBe(isFor)
})

const is = (spec: string, path: string, isEndpoint = false) => ruleOf(spec).isForPath(path, isEndpoint)

test('a route is a path or how it begins; without one it is the endpoint', () => {
  expect([is('reset', '/x'), is('reset', '/x', true)]).toEqual([false, true])
  expect([is('reset,route=/x', '/x'), is('reset,route=/x', '/x/y')]).toEqual([true, false])
  expect([is('reset,route=/x/*', '/x/y'), is('reset,route=/x/*', '/y')]).toEqual([true, false])
})
