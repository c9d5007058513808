import { expect, test } from 'vitest'
import type { ConformanceReport } from '../../../schemas/index.ts'
import { jsonReport } from '../json.ts'
import { ndjsonStream } from '../ndjson.ts'
import { everyOutcome, report, result } from '../report.test-helper.ts'
import { ReportError } from './parse-report.ts'
import { readReport } from './read-report.ts'

const whole = report(everyOutcome(), { verdict: 'non-conformant' })

/** The NDJSON of a run whose checks end in the order of `results`. */
function streamed(report: ConformanceReport, results = report.checks): string {
  let text = ''
  const stream = ndjsonStream(report, (line) => (text += line))
  results.forEach(stream.result)
  stream.end(report)
  return text
}

const errorOf = (text: string): ReportError => {
  try {
    readReport(text, 'a.json')
  } catch (error) {
    return error as ReportError
  }
  throw new Error('readReport did not throw')
}

test('readReport reads the same report from JSON and from NDJSON', () => {
  expect(readReport(jsonReport(whole), 'a.json')).toEqual(whole)
  expect(readReport(streamed(whole), 'a.ndjson')).toEqual(whole)
})

const byId = (report: ConformanceReport) => new Map(report.checks.map((check) => [check.id, check]))

test('readReport uses the last line of a check in a stream', () => {
  const before = [result('c.waived', 'REQ-ERR-1', { outcome: 'fail' }), ...whole.checks.slice(0, 3)]
  const text = streamed(whole, before)
  expect(text).toContain('"outcome":"fail"')
  expect(byId(readReport(text, 'a.ndjson'))).toEqual(byId(whole))
})

test('readReport rejects a truncated stream and marks it as a failed run', () => {
  const text = streamed(whole)
  for (let length = 0; length < text.length - 1; length += 7)
    expect(errorOf(text.slice(0, length))).toMatchObject({ name: 'ReportError' })
  const lines = text.trimEnd().split('\n')
  for (let kept = 0; kept < lines.length; kept++) {
    const error = errorOf(
      lines
        .slice(0, kept)
        .map((line) => `${line}\n`)
        .join(''),
    )
    expect(error.cut).toBe(true)
    expect(error.message).toMatch(/Run it again\.$/)
  }
})

test('readReport rejects a stream that lacks a line in the middle', () => {
  const lines = streamed(whole).split('\n')
  for (let lost = 1; lost < whole.checks.length; lost++)
    expect(errorOf(lines.toSpliced(lost, 1).join('\n')).message).toMatch(
      /^a\.json is damaged: its footer counts 9 lines/,
    )
})

test('readReport rejects a file with two streams', () => {
  expect(errorOf(streamed(whole) + streamed(whole)).cut).toBe(true)
})

test.each([
  ['text', 'hello', /^a\.json is not a conformance report: it is neither JSON nor NDJSON\. Pass a file/],
  [
    'another document',
    '{"verdict":"conformant"}',
    /^a\.json is not a conformance report: .*required property/,
  ],
  ['an array', '[]', /not a conformance report: its top level must be object/],
  ['an unknown verdict', jsonReport(whole).replace('non-conformant', 'great'), /\/verdict must be equal/],
])('readReport rejects %s', (_, text, sentence) => {
  const error = errorOf(text)
  expect(error.message).toMatch(sentence)
  expect(error.cut).toBe(false)
})
