import { expect, test } from 'vitest'
import type { CheckResult, Verdict } from '../../../schemas/index.ts'
import { report, result } from '../report.test-helper.ts'
import { regressions } from './regressions.ts'

type Outcome = CheckResult['outcome']

const OUTCOMES: Outcome[] = [
  'pass',
  'observed',
  'warn',
  'waived',
  'not-exercised',
  'inconclusive',
  'fail',
  'error',
]

const of = (outcome: Outcome | undefined) =>
  report(outcome === undefined ? [] : [result('a.x', 'REQ-SQL-3', { outcome, message: 'm' })])

test.each([
  ['pass', ['warn', 'waived', 'not-exercised', 'inconclusive', 'fail', 'error']],
  ['observed', ['fail', 'error']],
  ['warn', ['fail', 'error']],
  ['waived', ['fail', 'error']],
  ['not-exercised', ['fail', 'error']],
  ['inconclusive', ['fail', 'error']],
  ['fail', []],
  ['error', []],
  [undefined, ['fail', 'error']],
] as [Outcome | undefined, Outcome[]][])('after %s, these outcomes are a regression: %j', (before, worse) => {
  expect(OUTCOMES.filter((after) => regressions(of(before), of(after)).length > 0)).toEqual(worse)
})

test('a missing check is a regression after any outcome', () => {
  expect(regressions(of('pass'), of(undefined))).toEqual(['a.x: was pass and is now missing.'])
  expect(regressions(of('fail'), of(undefined))).toHaveLength(1)
})

test('regressions starts with a worse verdict', () => {
  const before = { ...of('pass'), verdict: 'conformant' as const }
  const after = { ...of('fail'), verdict: 'non-conformant' as const }
  expect(regressions(before, after)).toEqual([
    'The verdict was conformant and is now non-conformant.',
    'a.x: was pass and is now fail: m',
  ])
  expect(regressions(after, before)).toEqual([])
})

test('regressions ranks the verdicts from conformant to unreachable', () => {
  const order: Verdict[] = [
    'conformant',
    'conformant-with-waivers',
    'incomplete',
    'non-conformant',
    'unreachable',
  ]
  for (const [was, before] of order.entries())
    for (const [is, after] of order.entries())
      expect(regressions({ ...of('pass'), verdict: before }, { ...of('pass'), verdict: after })).toHaveLength(
        is > was ? 1 : 0,
      )
})
