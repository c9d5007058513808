import { requirementAnchor, type CheckResult, type ConformanceReport } from '../../schemas/index.ts'

/** A passed result, changed by `rest`. */
export const result = (id: string, requirement: string, rest: Partial<CheckResult> = {}): CheckResult => ({
  id,
  requirement,
  level: 'must',
  clause: 'What the service does, rule 5; Endpoints > Execute a statement, rule 3',
  sentence: `A server MUST meet ${requirement}.`,
  anchor: `docs/contract.md#${requirementAnchor(requirement)}`,
  title: 'MUST return only rows newer than the bound',
  outcome: 'pass',
  message: '7 views: nothing is newer',
  evidence: [],
  durationMs: 1,
  ...rest,
})

/** A report with these results, changed by `rest`. */
export const report = (checks: CheckResult[], rest: Partial<ConformanceReport> = {}): ConformanceReport => ({
  suite: { name: 'bioprocess-sql-contract', version: '1.2.3' },
  contract: { version: 'v1' },
  requirementSet: { version: 'v2' },
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

/** One result for each outcome, and a note. */
export const everyOutcome = (): CheckResult[] => [
  result('a.pass', 'REQ-HTTP-1', { notes: ['a note'] }),
  result('a.fail', 'REQ-SQL-3', {
    outcome: 'fail',
    message: 'one row too many',
    expected: '1 row',
    actual: '2 rows',
    curl: "curl -sS 'https://data.example.org/'",
    evidence: [
      { request: '{"statement":"SELECT 1"}', status: 200, bytes: 53, sha256: 'ab12', durationMs: 6 },
    ],
  }),
  result('a.warn', 'REQ-HTTP-7:should', { outcome: 'warn', level: 'should', message: 'empty message' }),
  result('b.observed', 'REQ-VIEW-KEYS', { outcome: 'observed', message: 'seen' }),
  result('b.absent', 'REQ-VIEW-QC', { outcome: 'not-exercised', message: 'no rows' }),
  result('b.changed', 'REQ-DELTA-2', { outcome: 'inconclusive', message: 'rows changed' }),
  Object.assign(result('c.waived', 'REQ-ERR-1', { outcome: 'waived', message: 'another text' }), {
    waiver: { reason: 'ticket 4711', expires: '2027-01-01' },
  }),
  result('c.broke', 'REQ-ERR-4', { outcome: 'error', message: 'TypeError\n    at x' }),
]

/** The observations of a service with these variants; `other` stands for none that is known. */
export const observed = (variants: Readonly<Record<string, string>>): ConformanceReport['observations'] =>
  Object.fromEntries(
    Object.entries(variants).map(([point, variant]) => [
      point,
      { knob: point, point, seen: variant, ...(variant !== 'other' && { variant }) },
    ]),
  )
