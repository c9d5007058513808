import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../schemas/index.ts'
import { reportFormats } from './formats.ts'
import { report, result } from './report.test-helper.ts'

const { github, html, junit, markdown } = reportFormats

/** A report with this text in every place that can contain text of the target. */
const reportOf = (text: string): ConformanceReport =>
  report(
    (['fail', 'warn', 'not-exercised', 'error', 'pass'] as const).map((outcome) =>
      result(`a.${outcome}`, 'REQ-SQL-3', {
        outcome,
        message: text,
        expected: text,
        actual: text,
        curl: text,
        notes: [text],
        evidence: [{ request: text, status: 200, bytes: 1, sha256: 'x', durationMs: 1 }],
      }),
    ),
    {
      verdict: 'non-conformant',
      reasons: [text],
      observations: { 'NS-13': { knob: text, seen: text } },
    },
  )

const NASTY = [
  '</script><script>alert(1)</script>',
  '" onmouseover="alert(1)',
  "'><img src=x onerror=alert(1)>",
  ']]></failure><failure>',
  '&lt;&#60;&amp;',
  '\n::stop-commands::x\n::error::y\r::warning::z',
  '%0A::error::w',
  'x ##[add-mask]y',
  '```\n# out\n````\n~~~',
  '| a | b |\n|---|---|',
  '[x](javascript:alert(1)) ![y](https://evil.example/) @team #1 www.evil.example',
  `${String.fromCharCode(0, 1, 11, 27, 0xd800, 0xfffe)}`,
]
const anyText = fc.oneof(
  { arbitrary: fc.string({ unit: 'binary' }), weight: 1 },
  { arbitrary: fc.array(fc.constantFrom(...NASTY, 'text')).map((parts) => parts.join('')), weight: 3 },
)

/** Runs `check` on reports with hostile texts. */
const forHostileText = (check: (report: ConformanceReport) => void) =>
  fc.assert(
    fc.property(anyText, (text) => void check(reportOf(text))),
    { numRuns: 200, examples: NASTY.map((text) => [text]) },
  )

/** The paths of the elements of an XML text. Throws if the text is not well-formed. */
function elementsOf(xml: string): string[] {
  const illegal = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u
  if (illegal.test(xml)) throw new Error('a character that XML 1.0 forbids')
  const open: string[] = []
  const paths: string[] = []
  const token = /<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|<\?xml [^>]*\?>|[^<]+/gy
  let at = 0
  for (const match of xml.matchAll(token)) {
    if (match.index !== at) break
    at += match[0].length
    if (/&(?!(amp|lt|gt|quot|#\d+);)/.test(match[0])) throw new Error(`a bare & in ${match[0]}`)
    const [, closing, name, , empty] = match
    if (name === undefined) continue
    if (closing && open.pop() !== name) throw new Error(`</${name}> closes something else`)
    if (!closing) {
      paths.push([...open, name].join('/'))
      if (!empty) open.push(name)
    }
  }
  if (at !== xml.length || open.length > 0) throw new Error(`not well-formed at ${xml.slice(at, at + 60)}`)
  return paths
}

test('hostile text leaves the JUnit report well-formed, with the same elements', () => {
  const elements = elementsOf(junit(reportOf('harmless')))
  expect(elements).toContain('testsuites/testsuite/testcase/failure')
  forHostileText((report) => expect(elementsOf(junit(report))).toEqual(elements))
})

const tags = (page: string) => page.match(/<[^>]*>/g)

test('hostile text adds no tag to the HTML report', () => {
  const [line, lines] = ['harmless', 'harm\nless'].map((text) => tags(html(reportOf(text))))
  forHostileText((report) => {
    // a text of several lines is in an element of its own
    expect(tags(html(report))).toEqual(report.reasons[0]!.includes('\n') ? lines : line)
  })
})

test('hostile text adds no line to the annotations of the GitHub report', () => {
  const lines = github(reportOf('harmless')).split('\n')
  forHostileText((report) => {
    const text = github(report)
    expect(text.split('\n')).toHaveLength(lines.length)
    for (const line of text.trimEnd().split('\n'))
      expect(line).toMatch(/^::(error|warning|notice) title=[^:,]+::/)
    expect(text).not.toMatch(/\r|##\w*\[/)
  })
})

/** Headings and table heads outside fences. */
const structure = (text: string) => {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const [, ticks] = /^(`{3,})(?:\w*)$/.exec(line) ?? []
    if (fence === undefined && ticks) fence = ticks
    else if (fence !== undefined && line === fence) fence = undefined
    else if (fence === undefined) return /^(#|\| ---)/.test(line)
    return false
  })
}

test('hostile text adds no heading, table or link to the Markdown report', () => {
  const harmless = structure(markdown(reportOf('harmless')))
  expect(harmless).toContain('## Failures')
  forHostileText((report) => {
    const text = markdown(report)
    expect(structure(text)).toEqual(harmless)
    const outside = text.replaceAll(/^(`{3,})\w*\n[\s\S]*?\n\1$/gm, '')
    expect(outside).not.toMatch(/(?<!\\)<\w|(?<!\\)@|https:\/\/evil|www\.evil/)
  })
})
