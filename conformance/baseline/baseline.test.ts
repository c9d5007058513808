import { describe, expect, test } from 'vitest'
import type { Baseline, CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { closeIds } from './close-ids.ts'
import { nextBaseline } from './next-baseline.ts'
import { checkAcceptedGaps, checkBaseline, parseBaseline, UNEXPLAINED } from './parse-baseline.ts'
import { acceptGap, staleEntries, waive } from './waivers.ts'

const result = (
  id: string,
  outcome: CheckResult['outcome'],
  rest: Partial<CheckResult> = {},
): CheckResult => ({
  id,
  requirement: 'REQ-SQL-3',
  level: 'must',
  clause: '',
  title: '',
  outcome,
  message: 'm',
  evidence: [],
  durationMs: 0,
  ...rest,
})
const baseline = (waivers: Baseline['waivers']): Baseline => ({ contract: 'v1', waivers })
const known = baseline({ 'sql.limit': { reason: 'fixed in May', expires: '2026-05-31' } })
const rules = { baseline: known, strict: false, today: '2026-05-31' }

describe('a failure', () => {
  test('a listed failure is waived until its last day and keeps the reason', () => {
    expect(waive(result('sql.limit', 'fail'), rules)).toMatchObject({
      outcome: 'waived',
      waiver: { reason: 'fixed in May', expires: '2026-05-31' },
    })
  })
  test('an expired waiver does not waive the failure and adds a note', () => {
    const after = waive(result('sql.limit', 'fail', { notes: ['n'] }), { ...rules, today: '2026-06-01' })
    expect(after).toMatchObject({ outcome: 'fail' })
    expect(after.notes).toEqual(['n', 'its waiver expired on 2026-05-31: fixed in May'])
  })
  test('a failure without a waiver still fails', () => {
    expect(waive(result('sql.other', 'fail'), rules)).toMatchObject({ outcome: 'fail' })
  })
})

test.each<[outcome: CheckResult['outcome'], notes: string[], strict: boolean, waived: boolean]>([
  ['warn', [], true, true],
  ['warn', [], false, false],
  ['pass', ['n'], true, true],
  ['pass', ['n'], false, false],
  ['inconclusive', [], true, false],
  ['error', [], true, false],
])('the outcome %s with notes %j in a run with strict %s is waived: %s', (outcome, notes, strict, waived) => {
  const after = waive(result('sql.limit', outcome, { notes }), { ...rules, strict })
  expect(after.outcome).toBe(waived ? 'waived' : outcome)
})

test('acceptGap waives a check that was not exercised, and no other outcome', () => {
  const reasons = { 'time.limit': 'no slow statement' }
  expect(acceptGap(result('time.limit', 'not-exercised'), reasons)).toMatchObject({
    outcome: 'waived',
    waiver: { reason: 'no slow statement' },
  })
  for (const outcome of ['pass', 'fail', 'warn', 'inconclusive'] as const)
    expect(acceptGap(result('time.limit', outcome), reasons).outcome).toBe(outcome)
  expect(acceptGap(result('sql.limit', 'not-exercised'), reasons).outcome).toBe('not-exercised')
})

test('checkAcceptedGaps rejects unknown checks and missing reasons', () => {
  expect(() => checkAcceptedGaps({ 'sql.limits': 'r' }, ['sql.limit'])).toThrow('Did you mean sql.limit?')
  expect(() => checkAcceptedGaps({ 'sql.limit': ' ' }, ['sql.limit'])).toThrow(
    '--accept-not-exercised sql.limit has no reason. Write --accept-not-exercised "sql.limit=reason".',
  )
})

test('an entry is stale only when its check passes without a note', () => {
  const stale = (outcome: CheckResult['outcome'], notes?: string[]) =>
    staleEntries([result('sql.limit', outcome, { notes })], known)
  expect(stale('pass')).toEqual(['REQ-SQL-3 (sql.limit) passes: remove its entry from the baseline.'])
  for (const outcome of [
    'warn',
    'waived',
    'not-exercised',
    'inconclusive',
    'observed',
    'fail',
    'error',
  ] as const)
    expect(stale(outcome)).toEqual([])
  expect(stale('pass', ['n'])).toEqual([])
  expect(staleEntries([result('sql.other', 'pass')], known)).toEqual([])
})

const next = (checks: CheckResult[], before?: Baseline, strict = false) =>
  nextBaseline(
    { contract: { version: 'v1' }, options: { strict }, checks } as unknown as ConformanceReport,
    before,
  ).waivers

describe('the next baseline', () => {
  test('the next baseline adds failures, keeps reasons and unseen entries, and removes passed checks', () => {
    const before = baseline({
      'sql.limit': { reason: 'fixed in May', expires: '2026-05-31' },
      'sql.gone': { reason: 'no longer' },
      'sql.unseen': { reason: 'needs rows' },
      'sql.unselected': { reason: 'slow' },
    })
    const checks = [
      result('sql.new', 'fail'),
      result('sql.limit', 'waived'),
      result('sql.gone', 'pass'),
      result('sql.unseen', 'not-exercised'),
      result('sql.warning', 'warn'),
    ]
    expect(next(checks, before)).toEqual({
      'sql.limit': before.waivers['sql.limit'],
      'sql.new': { reason: UNEXPLAINED },
      'sql.unseen': { reason: 'needs rows' },
      'sql.unselected': { reason: 'slow' },
    })
  })
  test('lists warnings too in a strict run', () => {
    expect(next([result('sql.warning', 'warn')], undefined, true)).toHaveProperty(['sql.warning'])
    expect(next([result('sql.warning', 'warn')])).toEqual({})
  })
})

describe('an invalid baseline', () => {
  const ids = ['sql.limit', 'sql.quotes', 'delta.strictly-after']
  const refused = (waivers: Baseline['waivers']) => () => checkBaseline(baseline(waivers), ids)
  test('checkBaseline rejects unknown checks, missing reasons and invalid dates, each with a remedy', () => {
    expect(refused({ 'sql.limits': { reason: 'r' } })).toThrow(
      'which is not a check. Did you mean sql.limit?',
    )
    expect(refused({ 'entirely-else': { reason: 'r' } })).toThrow('List the ids with --list.')
    expect(refused({ 'sql.limit': { reason: UNEXPLAINED } })).toThrow('waives sql.limit without a reason')
    expect(refused({ 'sql.limit': { reason: ' ' } })).toThrow('waives sql.limit without a reason')
    expect(refused({ 'sql.limit': { reason: 'r', expires: '2026-02-30' } })).toThrow('which is not a date')
    expect(refused({ 'sql.limit': { reason: 'r', expires: '2026-02-28' } })).not.toThrow()
  })
  test.each([
    ['', 'not a baseline'],
    [
      '{\n"password" = "x"}',
      /^known\.json is not a baseline: expected ':' after the property name at line 2, column 12\./,
    ],
    ['[]', 'not a baseline: its top level must be object'],
    [
      '{"contract":"v9","waivers":{}}',
      'known.json is not a baseline: it is for the contract v9, and the contract here is v1. Write a new one with',
    ],
    ['{"contract":"v1","waivers":{"a":{}}}', "/waivers/a must have required property 'reason'"],
    ['{"contract":"v1","waivers":{"a":{"reason":"r","expires":"soon"}}}', '/waivers/a/expires must match'],
    [
      '{"contract":"v1","waivers":{"a":{"reason":"r","expired":"2026-01-01"}}}',
      'not a baseline: /waivers/a has the key "expired"; the keys are reason, expires. Write',
    ],
    [
      '{"contract":"v1","waiver":{}}',
      `its top level must have required property 'waivers', and its top level has the key "waiver"; the keys are $schema, contract, waivers.`,
    ],
  ])('parseBaseline rejects "%s"', (text, sentence) => {
    expect(() => parseBaseline(text, 'known.json')).toThrow(sentence)
  })
})

test('closeIds returns similar ids, closest first', () => {
  expect(closeIds('delta.strictly-afte', ['delta.since', 'delta.strictly-after', 'sql.x'])).toEqual([
    'delta.strictly-after',
  ])
  expect(closeIds('x', ['sql.limit'])).toEqual([])
})

test('the next baseline keeps the $schema of the baseline', () => {
  const before = parseBaseline(JSON.stringify({ $schema: './baseline.schema.json', ...known }), 'b.json')
  const report = {
    contract: { version: 'v1' },
    options: { strict: false },
    checks: [result('sql.limit', 'fail')],
  }
  expect(nextBaseline(report as unknown as ConformanceReport, before)).toEqual(before)
})
