import { describe, expect, test } from 'vitest'
import { requirements, type CheckResult } from '../../schemas/index.ts'
import { exitCodeOf, verdictOf, type VerdictInput } from './verdict.ts'

const musts = requirements.filter(({ side, level }) => side === 'server' && level === 'must')

/** The verdict of a run in which every MUST passed, with changed results for some requirements. */
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
  test('the verdict is conformant if every MUST passed at the time limit of the contract', () => {
    expect(run()).toEqual({ verdict: 'conformant', reasons: [] })
  })
  test.each([
    ['a failed check', { 'REQ-SQL-3': { outcome: 'fail' } }, {}, 'non-conformant'],
    [
      'a failure and a check that threw an error',
      { 'REQ-SQL-3': { outcome: 'fail' }, 'REQ-SQL-1': { outcome: 'error' } },
      {},
      'non-conformant',
    ],
    ['a check that threw an error', { 'REQ-SQL-1': { outcome: 'error' } }, {}, 'suite-error'],
    ['a MUST that was not exercised', { 'REQ-SQL-3': { outcome: 'not-exercised' } }, {}, 'incomplete'],
    [
      'a conditional MUST that was not exercised',
      { 'REQ-VIEW-EVENTS': { outcome: 'not-exercised' } },
      {},
      'conformant',
    ],
    ['an inconclusive check', { 'REQ-SQL-3': { outcome: 'inconclusive' } }, {}, 'incomplete'],
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
    ['a check that was not selected', {}, { leftOut: new Set(['REQ-SQL-3']) }, 'incomplete'],
    ['another time limit', {}, { timeLimitMs: 2000 }, 'incomplete'],
    [
      'a target that became unreachable',
      { 'REQ-SQL-3': { outcome: 'inconclusive' } },
      { unreachable: 'gone' },
      'unreachable',
    ],
    [
      'a failure before the target became unreachable',
      { 'REQ-SQL-3': { outcome: 'fail' } },
      { unreachable: 'gone' },
      'non-conformant',
    ],
  ] as [string, Record<string, Partial<CheckResult>>, Partial<VerdictInput>, string][])(
    'the verdict of a run with %s',
    (_, changes, rest, verdict) => {
      const { reasons, ...found } = run(changes, rest)
      expect(found.verdict).toBe(verdict)
      expect(reasons.length > 0).toBe(verdict !== 'conformant')
    },
  )
  test.each([
    ['replies', 30_000, 'Replies never came, or proved nothing: 1; the time limit was that of the contract.'],
    ['replies and time', 2000, 'Replies never came, or proved nothing: 1; the time limit was short.'],
  ])('the first reason of an incomplete run says that %s lacked', (_, timeLimitMs, first) => {
    const changes = {
      'REQ-SQL-3': { outcome: 'inconclusive' },
      'REQ-SQL-4': { outcome: 'not-exercised' },
    } as const
    expect(run(changes, { timeLimitMs }).reasons[0]).toBe(first)
  })
  test('each MUST without a result is a reason for the verdict incomplete, after the summary', () => {
    expect(
      verdictOf({
        results: [],
        leftOut: new Set(),
        timeLimitMs: 30_000,
        strict: false,
        unreachable: undefined,
      }).reasons,
    ).toHaveLength(1 + musts.length)
  })
})

test('exit codes are 0 for conformant, 1 for non-conformant, 3 for incomplete and 4 without a verdict on the target', () => {
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
