import { expect, test } from 'vitest'
import { reportFormats } from '../formats.ts'
import { capped, fence, inline, table } from './markdown-syntax.ts'
import { report, result } from '../report.test-helper.ts'

test('a table cell escapes pipes, backticks, line breaks and tags', () => {
  expect(table(['a', 'b'], [[inline('x | `y`\nz'), inline('<b>')]])).toBe(
    '| a | b |\n| --- | --- |\n| x \\| \\`y\\` z | \\<b\\> |',
  )
})

test('a fence is longer than any fence inside it, and counts the characters it cut', () => {
  expect(fence('a ```` b')).toBe('`````text\na ```` b\n`````')
  expect(fence('12345', 'sh', 3)).toBe('```sh\n123\n… (2 more characters)\n```')
})

test('a shortened page names the omitted blocks, and its lists have no gaps', () => {
  const blocks = [
    { name: 'failures', text: 'x'.repeat(500) },
    { name: 'failures', text: 'y'.repeat(5000) },
    { name: 'failures', text: 'z' },
    { name: 'the requirements', text: 'requirements' },
  ]
  const page = capped('first', blocks, 'last', 3000)
  expect(page).toMatch(
    /^first\n\nx+\n\nrequirements\n\n\*\*Shortened to stay below 3000 bytes\.\*\* Omitted: failures \(2\)\./,
  )
  expect(page.endsWith('\n\nlast\n')).toBe(true)
})

test('a job summary stays below the limit of GitHub and starts and ends with the verdict', () => {
  const long = 'µ'.repeat(7000)
  const checks = Array.from({ length: 100 }, (_, n) =>
    result(`a.${n}`, 'REQ-SQL-3', { outcome: 'fail', expected: long, actual: long, curl: long }),
  )
  const markdown = reportFormats.markdown(report(checks, { verdict: 'non-conformant' }))
  expect(Buffer.byteLength(markdown)).toBeLessThan(1024 * 1024)
  expect(Buffer.byteLength(markdown)).toBeGreaterThan(900 * 1024)
  expect(markdown).toMatch(/^# non-conformant: https\\:\/\/data\.example\.org\n/)
  expect(markdown).toMatch(
    /Omitted: failures \(\d+\)\. The JSON report is complete\.\n\n\*\*non-conformant\*\*[^\n]*\n$/,
  )
})
