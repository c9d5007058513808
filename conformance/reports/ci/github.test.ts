import { expect, test } from 'vitest'
import { githubReport } from './github.ts'
import { everyOutcome, report, result } from '../report.test-helper.ts'

test('annotations are the verdict, then errors, warnings and the checks without a result', () => {
  const lines = githubReport(report(everyOutcome(), { verdict: 'non-conformant' }))
    .trimEnd()
    .split('\n')
  expect(lines.map((line) => /^::(\w+) title=(.*?)::/.exec(line)!.slice(1))).toEqual([
    ['error', 'non-conformant%3A https%3A//data.example.org'],
    ['error', 'fail REQ-SQL-3 a.fail'],
    ['error', 'error REQ-ERR-4 c.broke'],
    ['warning', 'warn REQ-HTTP-7%3Ashould a.warn'],
    ['warning', 'waived REQ-ERR-1 c.waived'],
    ['notice', 'judged%3A https%3A//data.example.org'],
  ])
  expect(lines.at(-1)).toContain('::2 checks without a result%0Ab.absent, not-exercised: no rows')
  expect(lines[1]).toContain('expected: 1 row%0Aactual: 2 rows%0Areproduce: curl')
})

test.each([
  ['conformant', 'notice'],
  ['conformant-with-waivers', 'warning'],
  ['incomplete', 'warning'],
  ['unreachable', 'error'],
  ['suite-error', 'error'],
] as const)('the annotation of the verdict %s has the level %s', (verdict, level) => {
  expect(githubReport(report([], { verdict }))).toMatch(
    new RegExp(`^::${level} title=${verdict}%3A [^\n]*\n::notice title=judged[^\n]*\n$`),
  )
})

test('annotations escape percent signs', () => {
  const text = githubReport(
    report([result('a.x', 'REQ-SQL-3', { outcome: 'fail', message: '5%0A::error::x' })]),
  )
  expect(text).toContain('found: 5%250A::error::x\n')
})
