import { expect, test } from 'vitest'
import { everyOutcome, report, result } from '../report.test-helper.ts'
import { terminalReport } from '../formats.ts'

test('the terminal report starts and ends with the verdict', () => {
  const lines = terminalReport(report([result('delta.strictly-after', 'REQ-DELTA-2')]))
    .trimEnd()
    .split('\n')
  expect(lines[0]).toBe('conformant  https://data.example.org')
  expect(lines[1]).toBe('set v2 · 1 passed, 0 failed · 131 requests · 31.2 s')
  expect(lines.slice(-2)).toEqual(lines.slice(0, 2).toReversed())
})

test('the terminal report counts the observed open points', () => {
  const text = terminalReport(
    report([], {
      observations: {
        'NS-12': { knob: 'rows.shape', variant: 'object', seen: 'object' },
        'NS-22': { knob: 'events.discriminator', seen: '1 record, each with what' },
      },
      notObserved: { 'NS-10': 'The service is read-only: no statement moves a bioprocess.' },
    }),
  )
  expect(text).toMatch(/^2 of 3 open points of the contract observed, 1 with a known variant/m)
  expect(terminalReport(report([]))).not.toContain('open points')
})

test('a failure has a command for each answer it compares, and says how to show hidden values', () => {
  const failure = result('a', 'REQ-SQL-2', {
    outcome: 'fail',
    expected: '"Xxx" #2de0c8',
    actual: 'null',
    curl: 'curl two',
    curls: ['curl one', 'curl two'],
  })
  const text = terminalReport(report([failure]))
  expect(text).toMatch(/^ +reproduce 1 +curl one\n +reproduce 2 +curl two$/m)
  expect(text).toMatch(/^ +values +shown by their shape; --evidence full shows them$/m)
})

test('a requirement takes one row with the most severe outcome of its checks', () => {
  const text = terminalReport(
    report([
      result('a', 'REQ-ERR-1'),
      result('b', 'REQ-ERR-1', { outcome: 'fail', message: 'single quotes' }),
      result('c', 'REQ-ERR-4'),
    ]),
  )
  expect(text).toMatch(/^ ✗ REQ-ERR-1 +must +What the service does, rule 5 +single quotes$/m)
  expect(text).toMatch(/^ ✓ REQ-ERR-4 +must /m)
})

test('views with the same outcome share a row, others have one row each', () => {
  const one = result('t1', 'REQ-VIEW-TYPES:v_formulas')
  const two = result('t2', 'REQ-VIEW-TYPES:v_experiments')
  expect(terminalReport(report([one, two]))).toMatch(/^ ✓ REQ-VIEW-TYPES +must +every view.* 2 views$/m)
  const differing = terminalReport(report([one, { ...two, outcome: 'fail' }]))
  expect(differing).toMatch(/^ ✓ REQ-VIEW-TYPES:v_formulas /m)
  expect(differing).toMatch(/^ ✗ REQ-VIEW-TYPES:v_experiments /m)
})

test('a failure in the terminal report shows expected, actual, place in the contract and a curl command', () => {
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

test('the terminal report has colours only on a terminal', () => {
  const escape = String.fromCharCode(27)
  const checks = [result('a', 'REQ-ERR-1')]
  expect(terminalReport(report(checks))).not.toContain(escape)
  expect(terminalReport(report(checks), { isTTY: true, columns: 120 }).includes(escape)).toBe(
    !process.env['NO_COLOR'],
  )
})

test('the terminal report shows the reason of a waiver and escapes control characters of the target', () => {
  const escape = String.fromCharCode(27)
  const text = terminalReport(
    report([...everyOutcome(), result('a', 'REQ-SQL-1', { outcome: 'fail', message: `${escape}[2J` })]),
  )
  expect(text).toMatch(/^waived\n {2}c\.waived: ticket 4711 \(until 2027-01-01\); another text$/m)
  expect(text).toContain('\\u001b[2J')
  expect(text).not.toContain(escape)
})
