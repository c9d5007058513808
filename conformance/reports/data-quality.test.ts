import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../schemas/index.ts'
import { reportFormats, terminalReport } from './formats.ts'
import { report } from './report.test-helper.ts'

const withoutNotes = report([])
const withNotes: ConformanceReport = report([], {
  dataQuality: [
    { id: 'P1', title: 'In order', rows: 40, violations: 0, examples: [] },
    { id: 'P4', title: 'Start before end', rows: 40, violations: 3, examples: ['a row', 'another'] },
    { id: 'P8', title: 'Gone', rows: 0, violations: 0, examples: [] },
  ],
})

test.each([
  ['terminal', terminalReport],
  ['markdown', reportFormats.markdown],
  ['html', reportFormats.html],
])(
  'the %s report lists violated invariants, and counts those that hold and those without rows',
  (_, write) => {
    const text = write(withNotes)
      .replaceAll(/<[^>]*>|[*\\]/g, '')
      .replaceAll('&quot;', '"')
      .replaceAll(/\s+/g, ' ')
    expect(text).toMatch(/data quality \(never fails\)/i)
    expect(text).toMatch(/P4:? 3 of 40 rows violate "Start before end", for example a row/)
    expect(text).toContain(
      '1 plausible invariants hold for the rows that the checks read; 1 could not be checked: P8',
    )
    expect(write(withoutNotes)).not.toMatch(/data quality/i)
  },
)

test('the JUnit report has no test case for data quality', () => {
  expect(reportFormats.junit(withNotes)).toBe(reportFormats.junit(withoutNotes))
})
