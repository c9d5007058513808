import { expect, test } from 'vitest'
import type { HabitReport, HabitResult } from '../habits/types.ts'
import { habitFormats } from './formats.ts'
import { terminalReport } from './formats.ts'

const HOSTILE = `</text><script>alert(1)</script> \u001b[31m ]]> "quoted" & \u202e`

const result = (id: string, further: Partial<HabitResult>): HabitResult => ({
  id,
  title: `What about ${id}?`,
  standing: 'neutral',
  outcome: 'survived',
  findings: [],
  requests: 3,
  durationMs: 12,
  ...further,
})

const report: HabitReport = {
  verdict: 'stopped',
  contract: 'v1',
  startedAt: '2026-11-23T00:00:00.000Z',
  durationMs: 12_000,
  runs: 9,
  plain: {
    durationMs: 10,
    requests: 3,
    findings: [
      {
        requirement: 'REQ-HTTP-2',
        level: 'must',
        outcome: 'fail',
        sentence: 'No type.',
        basis: 1,
        shownBy: [0],
      },
    ],
  },
  results: [
    result('rows.shape=array', {
      outcome: 'stopped',
      stoppedBy: 'tests',
      failure: { message: HOSTILE, output: HOSTILE, error: new Error('x') },
      request: { statement: HOSTILE, answer: 'HTTP 200' },
    }),
    result('rows.shape=wrapped', {}),
    result('rows.case=upper', {
      standing: 'warns',
      outcome: 'stopped',
      stoppedBy: 'tests',
      failure: { message: 'no key' },
    }),
    result('http.success=201', { outcome: 'not met' }),
    result('fault.504', { standing: 'fault', outcome: 'stopped', stoppedBy: 'requirement' }),
    result('fault.503', { standing: 'fault', outcome: 'stopped', stoppedBy: 'tests' }),
    result('fault.drip', { outcome: 'waived', stoppedBy: 'tests', reason: 'known' }),
  ],
  notes: ['A note.'],
}

const { json: _, ...habitTexts } = habitFormats

test.each(Object.entries({ ...habitTexts, terminal: terminalReport }))(
  'the %s report has the verdict and no text of others that controls a terminal or a page',
  (name, format) => {
    const text = format(report)
    expect(text).toContain('stopped')
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/\u001b|\u202e/)
    if (['html', 'junit'].includes(name)) expect(text).not.toContain('<script>')
  },
)

test('the terminal report shows what counts in full and the rest in one line each', () => {
  const text = terminalReport(report)
  expect(text).toMatch(/✗ stopped {2}rows\.shape=array\n.*\n {2}standing +neutral: the contract permits it/)
  expect(text).toMatch(/✗ stopped {2}fault\.504/)
  expect(text).toMatch(/worth knowing\n {2}rows\.case=upper \(warns\): no key\n {2}fault\.503 \(fault\)/)
  expect(text).toMatch(/fail REQ-HTTP-2: No type\./)
  expect(text).toMatch(/waived\n {2}fault\.drip: known/)
  expect(text).toContain('7 habits: 1 survived, 4 stopped, 1 waived, 1 not met; 9 runs in 12 s')
  expect(terminalReport({ ...report, results: report.results.slice(0, 1), runs: 1 })).toMatch(
    /^\w+ {2}1 habit: 1 \w+; 1 run in/,
  )
})

test('the JUnit report fails what counts and skips what is worth knowing', () => {
  const text = habitFormats.junit(report)
  expect(text).toMatch(/<testsuites [^>]*tests="8" failures="3" errors="0" skipped="3"/)
  const kinds = [...text.matchAll(/name="([\w.=-]+)" time="[^"]*"><(failure|skipped|system-out)/g)].map(
    ([, name, kind]) => [name, kind],
  )
  expect(kinds).toEqual([
    ['requirements', 'failure'],
    ['rows.shape=array', 'failure'],
    ['rows.shape=wrapped', 'system-out'],
    ['rows.case=upper', 'skipped'],
    ['http.success=201', 'system-out'],
    ['fault.504', 'failure'],
    ['fault.503', 'skipped'],
    ['fault.drip', 'skipped'],
  ])
})

test('the JUnit report of an incomplete run has a failure', () => {
  const results = [result('rows.case=upper', { outcome: 'not run' })]
  const incomplete = {
    ...report,
    verdict: 'incomplete' as const,
    results,
    plain: { ...report.plain, findings: [] },
  }
  expect(habitFormats.junit(incomplete)).toMatch(
    / failures="1" .*name="requirements" [^>]*><failure type="incomplete"/s,
  )
})

test('the JSON report holds the whole report without thrown values', () => {
  const parsed = JSON.parse(habitFormats.json(report)) as HabitReport
  expect(parsed.results).toHaveLength(7)
  expect(parsed.results[0]!.failure).toEqual({ message: HOSTILE, output: HOSTILE })
})
