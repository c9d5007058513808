import { expect, test } from 'vitest'
import { markdownReport } from './markdown.ts'
import { capped, fence, inline, table } from './markdown-syntax.ts'
import { report, result } from './report.test-helper.ts'

test('a cell stays a cell', () => {
  expect(table(['a', 'b'], [[inline('x | `y`\nz'), inline('<b>')]])).toBe(
    '| a | b |\n| --- | --- |\n| x \\| \\`y\\` z | \\<b\\> |',
  )
})

test('a fence is longer than those within it, and says what it cut', () => {
  expect(fence('a ```` b')).toBe('`````text\na ```` b\n`````')
  expect(fence('12345', 'sh', 3)).toBe('```sh\n123\n… (2 more characters)\n```')
})

test('blocks that do not fit are named, and a list has no hole', () => {
  const blocks = [
    { name: 'failures', text: 'x'.repeat(500) },
    { name: 'failures', text: 'y'.repeat(5000) },
    { name: 'failures', text: 'z' },
    { name: 'the clauses', text: 'clauses' },
  ]
  const page = capped('first', blocks, 'last', 3000)
  expect(page).toMatch(
    /^first\n\nx+\n\nclauses\n\n\*\*Cut to stay below 3000 bytes\.\*\* Left out: failures \(2 of them\)\./,
  )
  expect(page.endsWith('\n\nlast\n')).toBe(true)
})

test('a job summary stays below what GitHub takes, verdict first and last', () => {
  const long = 'µ'.repeat(7000)
  const checks = Array.from({ length: 100 }, (_, n) =>
    result(`a.${n}`, 'REQ-SQL-3', { outcome: 'fail', expected: long, actual: long, curl: long }),
  )
  const markdown = markdownReport(report(checks, { verdict: 'non-conformant' }))
  expect(Buffer.byteLength(markdown)).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(markdown)).toBeGreaterThan(900 * 1024)
  expect(markdown).toMatch(/^# non-conformant: https\\:\/\/data\.example\.org\n/)
  expect(markdown).toMatch(
    /Left out: failures \(\d+ of them\)\. The JSON report has all of it\.\n\n\*\*non-conformant\*\*[^\n]*\n$/,
  )
})
