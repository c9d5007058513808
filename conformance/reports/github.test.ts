import { expect, test } from 'vitest'
import { githubReport } from './github.ts'
import { everyOutcome, report, result } from './report.test-helper.ts'

test('the verdict first, then errors, warnings and what was not judged', () => {
  const lines = githubReport(report(everyOutcome(), { verdict: 'non-conformant' }))
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => /^::(\w+) title=(.*?)::/.exec(line)!.slice(1))).toEqual([
    ['error', 'non-conformant%3A https%3A//data.example.org'],
    ['error', 'fail REQ-SQL-3 a.fail'],
    ['error', 'error REQ-ERR-4 c.broke'],
    ['warning', 'warn REQ-HTTP-7%3Ashould a.warn'],
    ['warning', 'waived REQ-ERR-1 c.waived'],
    ['notice', '2 not judged'],
  ])
  expect(lines[1]).toContain('expected: 1 row%0Aactual: 2 rows%0Aagain: curl')
})

test.each([
  ['conformant', 'notice'],
  ['conformant-with-waivers', 'warning'],
  ['incomplete', 'warning'],
  ['unreachable', 'error'],
  ['suite-error', 'error'],
] as const)('%s is a matter of %s', (verdict, level) => {
  expect(githubReport(report([], { verdict }))).toMatch(
    new RegExp(`^::${level} title=${verdict}%3A [^\n]*\n$`),
  )
})

test('a percent sign is text, not the beginning of an escape', () => {
  const text = githubReport(
    report([result('a.x', 'REQ-SQL-3', { outcome: 'fail', message: '5%0A::error::x' })]),
  )
  expect(text).toContain('found: 5%250A::error::x\n')
})
