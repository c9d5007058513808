import { expect, test } from 'vitest'
import type { CheckResult, ConformanceReport } from '../../schemas/index.ts'
import { terminalReport } from './terminal.ts'

const result = (id: string, requirement: string, rest: Partial<CheckResult> = {}): CheckResult => ({
  id,
  requirement,
  level: 'must',
  clause: 'What the service does, rule 5; Endpoints > Execute a statement, rule 3 (lines 11,228)',
  title: 'MUST return only rows newer than the bound',
  outcome: 'pass',
  message: '7 views: nothing is newer',
  evidence: [],
  durationMs: 1,
  ...rest,
})

const report = (checks: CheckResult[], rest: Partial<ConformanceReport> = {}): ConformanceReport => ({
  suite: { name: 'bioprocess-sql-contract', version: '1.2.3' },
  contract: { version: 'v1' },
  target: { baseUrl: 'https://data.example.org' },
  verdict: 'conformant',
  reasons: [],
  startedAt: '2026-01-01T00:00:00.000Z',
  durationMs: 31_200,
  statements: 131,
  options: {
    timeLimitMs: 30_000,
    authenticated: true,
    destructiveProbes: false,
    strict: false,
    only: [],
    skip: [],
  },
  counts: { pass: 1, fail: 0, warn: 0, observed: 0, notExercised: 0, inconclusive: 0, waived: 0, error: 0 },
  checks,
  observations: {},
  ...rest,
})

test('the verdict stands first and last', () => {
  const lines = terminalReport(report([result('delta.strictly-after', 'REQ-DELTA-2')]))
    .trimEnd()
    .split('\n')
  expect(lines[0]).toBe('conformant  https://data.example.org')
  expect(lines[1]).toBe('contract v1 · 1 passed, 0 failed · 131 requests · 31.2 s')
  expect(lines.slice(-2)).toEqual(lines.slice(0, 2))
})

test('a line tells how much was observed where the contract is silent', () => {
  const text = terminalReport(
    report([], {
      observations: {
        'NS-12': { knob: 'rows.shape', variant: 'object', seen: 'object' },
        'NS-22': { knob: 'events.discriminator', seen: '1 record, each with what' },
      },
      notObserved: { 'NS-10': 'The service is read-only: no statement moves a bioprocess.' },
    }),
  )
  expect(text).toMatch(/^2 of 3 silences of the contract observed, 1 of them filled in a known way/m)
  expect(terminalReport(report([]))).not.toContain('silences')
})

test('a clause takes one row, its worst check decides', () => {
  const text = terminalReport(
    report([
      result('a', 'REQ-ERR-1'),
      result('b', 'REQ-ERR-1', { outcome: 'fail', message: 'single quotes' }),
      result('c', 'REQ-ERR-4'),
    ]),
  )
  expect(text).toMatch(/^ ✗ REQ-ERR-1 +must +What the service does, rule 5 \(lines 11,228\) +single quotes$/m)
  expect(text).toMatch(/^ ✓ REQ-ERR-4 +must /m)
})

test('views that agree share a row, views that differ have one each', () => {
  const one = result('t1', 'REQ-VIEW-TYPES:v_formulas')
  const two = result('t2', 'REQ-VIEW-TYPES:v_experiments')
  expect(terminalReport(report([one, two]))).toMatch(/^ ✓ REQ-VIEW-TYPES +must +every view.* 2 views$/m)
  const differing = terminalReport(report([one, { ...two, outcome: 'fail' }]))
  expect(differing).toMatch(/^ ✓ REQ-VIEW-TYPES:v_formulas /m)
  expect(differing).toMatch(/^ ✗ REQ-VIEW-TYPES:v_experiments /m)
})

test('a failure says what was expected, what came, where the contract says it and how to see it again', () => {
  const failed = result('delta.strictly-after', 'REQ-DELTA-2', {
    outcome: 'fail',
    message: '2 rows are newer than the newest',
    expected: 'no row',
    actual: 'data of 2 rows',
    curl: "curl -sS -i -X POST 'https://data.example.org/'",
  })
  const text = terminalReport(
    report([failed], { verdict: 'non-conformant', reasons: ['REQ-DELTA-2: 2 rows'] }),
  )
  for (const part of [
    '✗ fail  REQ-DELTA-2  delta.strictly-after',
    failed.clause,
    'no row',
    'data of 2 rows',
    failed.curl!,
  ])
    expect(text).toContain(part)
  expect(text).toMatch(/why non-conformant\n {2}REQ-DELTA-2: 2 rows/)
})

test('colours are for terminals only', () => {
  const escape = String.fromCharCode(27)
  const checks = [result('a', 'REQ-ERR-1')]
  expect(terminalReport(report(checks))).not.toContain(escape)
  expect(terminalReport(report(checks), { isTTY: true, columns: 120 }).includes(escape)).toBe(
    !process.env['NO_COLOR'],
  )
})
