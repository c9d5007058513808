import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readFault } from './read-fault.ts'
import { Rule } from './rule.ts'

const ruleOf = (spec: string, seed = 1, index = 0) => new Rule(readFault(spec), seed, index)
const triggered = (rule: Rule, requests: number) => Array.from({ length: requests }, () => rule.triggers())
/** One character per request: `x` if it triggers the fault. */
const picture = (spec: string, requests: number) =>
  triggered(ruleOf(spec), requests)
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
])('%s is triggered among %i requests as %s shows', (spec, requests, expected) => {
  expect(picture(spec, requests)).toBe(expected)
})

const half = (seed: number, index = 0) => triggered(ruleOf('reset,rate=0.5', seed, index), 200)

describe('a probability', () => {
  const rate = fc.integer({ min: 1, max: 99 }).map((percent) => percent / 100)

  test('selects the same requests for the same seed, and others for another seed', () => {
    fc.assert(
      fc.property(fc.integer(), rate, fc.integer({ min: 1, max: 5 }), (seed, rate, burst) => {
        const spec = `status:503,rate=${rate},burst=${burst}`
        expect(triggered(ruleOf(spec, seed), 200)).toEqual(triggered(ruleOf(spec, seed), 200))
      }),
    )
    expect(half(1)).not.toEqual(half(2))
    expect(half(1)).not.toEqual(half(1, 1))
  })

  test('is met within five standard deviations', () => {
    fc.assert(
      fc.property(fc.integer(), rate, (seed, rate) => {
        const rule = ruleOf(`reset,rate=${rate}`, seed)
        triggered(rule, 2000)
        expect(rule.matched).toBe(2000)
        expect(Math.abs(rule.triggered - 2000 * rate)).toBeLessThanOrEqual(
          5 * Math.sqrt(2000 * rate * (1 - rate)),
        )
      }),
    )
  })

  test('is triggered in whole bursts, and never more often than `times`', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        rate,
        fc.integer({ min: 2, max: 6 }),
        fc.integer({ min: 1, max: 50 }),
        (seed, rate, burst, times) => {
          const bursts = triggered(ruleOf(`reset,rate=${rate},burst=${burst}`, seed), 300)
            .map((hit) => (hit ? 'x' : '.'))
            .join('')
          // the last burst may go on
          for (const run of bursts.match(/x+(?=\.)/g) ?? []) expect(run.length % burst).toBe(0)
          const rule = ruleOf(`reset,rate=${rate},burst=${burst},times=${times}`, seed)
          triggered(rule, 300)
          expect(rule.triggered).toBeLessThanOrEqual(times)
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
  ['left join', 'SELECT * FROM a LEFT\n JOIN b', true],
  ['left join', 'SELECT * FROM a LEFT OUTER JOIN b', false],
  ['select * from', 'SELECT*FROM a', true],
  ['limit 5', 'SELECT 1 LIMIT 50', false],
])('on=%s matches %j: %s', (on, statement, isFor) => {
  const rule = new Rule({ type: 'reset', on }, 1, 0)
  for (let n = 0; n < 3; n++) expect(rule.isForStatement(statement)).toBe(isFor)
})

const is = (spec: string, path: string, isEndpoint = false) => ruleOf(spec).isForPath(path, isEndpoint)

test('a route is a path or its beginning; the default is the endpoint', () => {
  expect([is('reset', '/x'), is('reset', '/x', true)]).toEqual([false, true])
  expect([is('reset,route=/x', '/x'), is('reset,route=/x', '/x/y')]).toEqual([true, false])
  expect([is('reset,route=/x/*', '/x/y'), is('reset,route=/x/*', '/y')]).toEqual([true, false])
})

test('words are searched in the first 100,000 characters of a statement', () => {
  const rule = ruleOf('reset,on=limit')
  expect(rule.isForStatement(`${' '.repeat(99_995)}limit`)).toBe(true)
  expect(rule.isForStatement(`${' '.repeat(99_996)}limit`)).toBe(false)
})

test.each([
  ['equal words', 'a '.repeat(499) + 'b', 'a '.repeat(500_000)],
  ['equal words behind another', 'b' + ' a'.repeat(499), 'a '.repeat(500_000)],
  ['a regular expression that backtracks', '(a+)+$', 'a'.repeat(1_000_000)],
  ['two words far apart', 'a b', `a${' '.repeat(1_000_000)}`],
])('a statement is searched for %s in less than three seconds', (_, on, statement) => {
  const rule = new Rule({ type: 'reset', on }, 1, 0)
  const started = performance.now()
  expect(rule.isForStatement(statement)).toBe(false)
  expect(performance.now() - started).toBeLessThan(3000)
})
