import { describe, expect, test } from 'vitest'
import { requirements, type CheckResult } from '../../schemas/index.ts'
import { exitCodeOf, verdictOf, type VerdictInput } from './verdict.ts'

const musts = requirements.filter(({ side, level }) => side === 'server' && level === 'must')

/** A run in which every must passed, changed for one requirement. */
function run(changes: Record<string, Partial<CheckResult>> = {}, rest: Partial<VerdictInput> = {}) {
  const results = musts.map(({ id, level }): CheckResult => {
    const base: CheckResult = {
      id: id.toLowerCase(),
      requirement: id,
      level,
      clause: '',
      title: '',
      outcome: 'pass',
      message: 'm',
      evidence: [],
      durationMs: 0,
    }
    return { ...base, ...changes[id] }
  })
  return verdictOf({
    results,
    leftOut: new Set(),
    timeLimitMs: 30_000,
    strict: false,
    unreachable: undefined,
    ...rest,
  })
}

describe('the verdict', () => {
  test('is conformant when every must passed at the contract limit', () => {
    expect(run()).toEqual({ verdict: 'conformant', reasons: [] })
  })
  test.each([
    ['a failed check', { 'REQ-SQL-3': { outcome: 'fail' } }, {}, 'non-conformant'],
    [
      'a failure and a broken check',
      { 'REQ-SQL-3': { outcome: 'fail' }, 'REQ-SQL-1': { outcome: 'error' } },
      {},
      'non-conformant',
    ],
    ['a broken check', { 'REQ-SQL-1': { outcome: 'error' } }, {}, 'suite-error'],
    ['a must without rows', { 'REQ-SQL-3': { outcome: 'not-exercised' } }, {}, 'incomplete'],
    [
      'a conditional must whose subject never occurred',
      { 'REQ-VIEW-EVENTS': { outcome: 'not-exercised' } },
      {},
      'conformant',
    ],
    ['moved data', { 'REQ-SQL-3': { outcome: 'inconclusive' } }, {}, 'incomplete'],
    ['a waived check', { 'REQ-SQL-3': { outcome: 'waived' } }, {}, 'conformant-with-waivers'],
    [
      'a stale entry of the baseline',
      {},
      { stale: ['REQ-SQL-3 (x) passes: remove its entry from the baseline.'] },
      'non-conformant',
    ],
    ['a run that ended early', {}, { endedEarly: 'it was aborted' }, 'incomplete'],
    [
      'a waived check in a run that ended early',
      { 'REQ-SQL-3': { outcome: 'waived' } },
      { endedEarly: 'it was aborted' },
      'incomplete',
    ],
    ['a warning', { 'REQ-SQL-3': { outcome: 'warn' } }, {}, 'conformant'],
    ['a warning under --strict', { 'REQ-SQL-3': { outcome: 'warn' } }, { strict: true }, 'non-conformant'],
    ['a note under --strict', { 'REQ-SQL-3': { notes: ['n'] } }, { strict: true }, 'non-conformant'],
    ['a check left out', {}, { leftOut: new Set(['REQ-SQL-3']) }, 'incomplete'],
    ['another time limit', {}, { timeLimitMs: 2000 }, 'incomplete'],
    [
      'a target that went away',
      { 'REQ-SQL-3': { outcome: 'inconclusive' } },
      { unreachable: 'gone' },
      'unreachable',
    ],
    [
      'a failure before it went away',
      { 'REQ-SQL-3': { outcome: 'fail' } },
      { unreachable: 'gone' },
      'non-conformant',
    ],
  ] as [string, Record<string, Partial<CheckResult>>, Partial<VerdictInput>, string][])(
    'with %s',
    (_, changes, rest, verdict) => {
      const judged = run(changes, rest)
      expect(judged.verdict).toBe(verdict)
      expect(judged.reasons.length > 0).toBe(verdict !== 'conformant')
    },
  )
  test('a must without any result is a gap, never good', () => {
    expect(
      verdictOf({
        results: [],
        leftOut: new Set(),
        timeLimitMs: 30_000,
        strict: false,
        unreachable: undefined,
      }).reasons,
    ).toHaveLength(musts.length)
  })
})

test('exit codes', () => {
  const codes = (
    [
      'conformant',
      'conformant-with-waivers',
      'non-conformant',
      'incomplete',
      'unreachable',
      'suite-error',
    ] as const
  ).map((verdict) => [exitCodeOf(verdict, false), exitCodeOf(verdict, true)])
  expect(codes).toEqual([
    [0, 0],
    [0, 0],
    [1, 1],
    [3, 0],
    [4, 4],
    [4, 4],
  ])
})
