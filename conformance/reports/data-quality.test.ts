import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../schemas/index.ts'
import { htmlReport } from './html/report.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { report } from './report.test-helper.ts'
import { terminalReport } from './terminal.ts'

const quiet = report([])
const noted: ConformanceReport = report([], {
  dataQuality: [
    { id: 'P1', title: 'In order', rows: 40, violations: 0, examples: [] },
    { id: 'P4', title: 'Start before end', rows: 40, violations: 3, examples: ['a row', 'another'] },
    { id: 'P8', title: 'Gone', rows: 0, violations: 0, examples: [] },
  ],
})

test.each([
  ['terminal', terminalReport],
  ['markdown', markdownReport],
  ['html', htmlReport],
])('%s says what rows do not meet, what holds, and what nothing is known of', (_, write) => {
  const text = write(noted).replaceAll(/<[^>]*>|[*\\]/g, '')
  expect(text).toMatch(/data quality \(never fails\)/i)
  expect(text).toMatch(/P4:? Start before end: not so in 3 of 40 rows, for instance a row/)
  expect(text).toContain(
    'Of the expectations, 1 hold in the rows that the checks have read; 1 had nothing to judge there: P8',
  )
  expect(write(quiet)).not.toMatch(/data quality/i)
})

test('no test case of JUnit comes of it', () => {
  expect(junitReport(noted)).toBe(junitReport(quiet))
})
