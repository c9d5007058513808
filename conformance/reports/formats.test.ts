import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../schemas/index.ts'
import { runConformance } from '../run/conformance.ts'
import { reportFormats, terminalReport } from './formats.ts'
import { everyOutcome, report } from './report.test-helper.ts'

const unreachable = runConformance({
  baseUrl: 'http://vendor.example',
  token: 't',
  fetch: () => Promise.reject(new TypeError('fetch failed')),
  retries: 0,
})
const refusing = runConformance({
  baseUrl: 'http://vendor.example',
  token: 't',
  fetch: async () => new Response('{"data":[],"status":{"state":"error","message":"no"}}', { status: 403 }),
})

/** The sentence of a requirement may contain the word null, so the test replaces it. */
const withoutSentences = (found: ConformanceReport): ConformanceReport => ({
  ...found,
  checks: found.checks.map((check) => ({ ...check, sentence: 'A server MUST answer.' })),
})

const formats = Object.entries({ ...reportFormats, terminal: terminalReport })

test.each(formats)(
  'the %s report of a run without optional options contains neither undefined nor null',
  async (_, format) => {
    for (const found of [await unreachable, await refusing])
      expect(format(withoutSentences(found))).not.toMatch(/\b(undefined|null|NaN|\[object Object\])\b/)
  },
)

test.each([
  ['a service', { baseUrl: 'https://data.example.org' }, 'https://data.example.org'],
  [
    'the reference server',
    { baseUrl: 'http://127.0.0.1:4', isReference: true },
    'the reference server of this package (http://127.0.0.1:4)',
  ],
])('every report for people names %s at its start and at its end', (_, target, name) => {
  for (const [format, write] of formats.filter(([format]) => format !== 'json')) {
    const text = write(report(everyOutcome(), { target })).replaceAll('\\', '').replaceAll('%3A', ':')
    // the first and the last element that can name something: XML and HTML begin and end with others
    expect(text.slice(0, text.search(/\bv[12]\b/)), `start of ${format}`).toContain(name)
    expect(text.trimEnd().split('\n').slice(-12).join('\n'), `end of ${format}`).toContain(name)
  }
})

test.each(['terminal', 'markdown', 'html'])('the %s report says in its facts which set judged', (name) => {
  const format = formats.find(([each]) => each === name)![1]
  const { requirementSet: _, ...older } = report([])
  expect(format(report([]))).toContain('set v2 · 1 passed, 0 failed')
  expect(format(older)).not.toContain('set v2')
  expect(format(older)).toContain('1 passed, 0 failed')
})

test.each(formats)('the %s report shows the sentence of a failed requirement and its anchor', (_, format) => {
  const text = format(report(everyOutcome())).replaceAll('\\', '')
  expect(text).toContain('A server MUST meet REQ-SQL-3.')
  expect(text).toContain('docs/contract.md#req-sql-3')
})
