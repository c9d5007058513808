import { expect, test } from 'vitest'
import { junitReport } from './junit.ts'
import { everyOutcome, report, result } from '../report.test-helper.ts'

const caseOf = (xml: string, name: string) =>
  new RegExp(`<testcase classname="([^"]*)" name="${name}"[^>]*>(.*?)</testcase>`, 's').exec(xml)!

test('each outcome becomes the JUnit element that a CI system expects', () => {
  const xml = junitReport(report(everyOutcome(), { verdict: 'non-conformant' }))
  const elements = [
    'a.pass',
    'a.fail',
    'a.warn',
    'b.observed',
    'b.absent',
    'b.changed',
    'c.waived',
    'c.broke',
  ].map((id) => [id, /^<([a-z-]+)/.exec(caseOf(xml, id)[2]!)![1]])
  expect(Object.fromEntries(elements)).toEqual({
    'a.pass': 'system-out',
    'a.fail': 'failure',
    'a.warn': 'system-out',
    'b.observed': 'system-out',
    'b.absent': 'skipped',
    'b.changed': 'skipped',
    'c.waived': 'skipped',
    'c.broke': 'error',
  })
  expect(xml).toMatch(/<testsuites name="[^"]*" tests="9" failures="2" errors="1" skipped="3" time="31.200">/)
  expect(xml).toMatch(/<testsuite name="a" tests="3" failures="1" errors="0" skipped="0" time="0.003"/)
})

test('a failed test case contains its requirement, a one-line message and the whole finding', () => {
  const [, classname, body] = caseOf(junitReport(report(everyOutcome())), 'a.fail')
  expect(classname).toBe('v1.REQ-SQL-3')
  expect(body).toContain('<failure type="fail" message="fail: one row too many">')
  for (const part of [
    'contract: What the service',
    'expected: 1 row',
    'actual: 2 rows',
    'reproduce: curl -sS',
  ])
    expect(body).toContain(part)
})

test('the test cases of a warning and a waiver contain the reason', () => {
  const xml = junitReport(report(everyOutcome()))
  expect(caseOf(xml, 'a.warn')[2]).toContain('empty message')
  expect(caseOf(xml, 'c.waived')[2]).toContain('<skipped message="waived: ticket 4711 (until 2027-01-01)"/>')
})

test.each([
  ['conformant', 'system-out'],
  ['conformant-with-waivers', 'system-out'],
  ['incomplete', 'failure'],
  ['non-conformant', 'failure'],
  ['unreachable', 'error'],
  ['suite-error', 'error'],
] as const)(
  'a run without checks and with the verdict %s has a test case with the element %s',
  (verdict, element) => {
    const xml = junitReport(report([], { verdict, reasons: ['no response'] }))
    expect(caseOf(xml, 'verdict')[2]).toMatch(new RegExp(`^<${element}\\b`))
    expect(xml).toMatch(/ tests="1" /)
  },
)

test('an incomplete run that is allowed fails no test case', () => {
  const xml = junitReport(report([], { verdict: 'incomplete', reasons: ['no response'] }), true)
  expect(caseOf(xml, 'verdict')[2]).toMatch(/^<skipped\b/)
  expect(xml).toContain(' failures="0" ')
})

test('JUnit attributes keep line breaks', () => {
  const xml = junitReport(report([result('a.x', 'REQ-SQL-3', { outcome: 'fail', message: 'two\nlines' })]))
  expect(xml).toContain('message="fail: two&#10;lines"')
})
