import { expect, test } from 'vitest'
import { report, result } from '../report.test-helper.ts'
import { comparisonHtml, comparisonMarkdown } from './document.ts'
import { compareReports } from './matrix.ts'

const fails = { outcome: 'fail', message: 'one | too many <b>' } as const
const quotedDate = { knob: 'sql.dateLiteral', seen: 'quoted-date' }
const reports = [
  {
    name: 'a.json',
    report: report(
      [result('sql.limit', 'REQ-SQL-3'), result('http.x', 'REQ-HTTP-1'), result('old.x', 'REQ-GONE-1')],
      {
        observations: { 'NS-13': { knob: 'rows.duplicates', seen: 'last' }, 'NS-56': quotedDate },
      },
    ),
  },
  {
    name: 'b.json',
    report: report([result('sql.limit', 'REQ-SQL-3', fails), result('http.x', 'REQ-HTTP-1')], {
      verdict: 'non-conformant',
      observations: { 'NS-13': { knob: 'rows.duplicates', seen: 'first' }, 'NS-56': quotedDate },
      options: { ...report([]).options, timeLimitMs: 2000 },
      requirementSet: { version: 'v2', hash: 'sha256:0123456789ab' },
    }),
  },
]

test('a comparison separates checks that differ from checks that agree, unknown requirements last', () => {
  const { differing, agreeing, openPoints, facts } = compareReports(reports)
  expect(differing.map(({ id, cells }) => [id, ...cells.map((cell) => cell?.outcome)])).toEqual([
    ['sql.limit', 'pass', 'fail'],
    ['old.x', 'pass', undefined],
  ])
  expect(agreeing.map(({ id }) => id)).toEqual(['http.x'])
  expect(openPoints.map(({ name, cells }) => [name.split(':')[0], ...cells])).toEqual([
    ['rows.duplicates', 'last', 'first'],
  ])
  expect(facts).toContainEqual({ name: 'verdict', cells: ['conformant', 'non-conformant'] })
  expect(facts).toContainEqual({ name: 'requirement set', cells: ['v2', 'v2 01234567'] })
  expect(facts).toContainEqual({ name: 'time limit', cells: ['30 s', '2 s'] })
  expect(facts.map(({ name }) => name)).not.toContain('strict')
})

test('a comparison ignores the tags of concealed values and durations, which differ in each run', () => {
  const [one, other] = ['#5e817f after 0.1 s', '#b6534a after 0.2 s'].map((tag) => ({
    name: tag,
    report: report([], { observations: { 'NS-13': { knob: 'rows.duplicates', seen: `"xxx" ${tag}` } } }),
  }))
  expect(compareReports([one!, other!]).openPoints).toEqual([])
})

const withVariants = (...variants: [number: string, variant: string | undefined, seen: string][]) => ({
  name: variants.join(),
  report: report([], {
    observations: Object.fromEntries(
      variants.map(([number, variant, seen]) => [
        number,
        { knob: number, ...(variant && { variant }), seen },
      ]),
    ),
  }),
})

test('a comparison lists an open point only if its variants differ, whatever the example and the count', () => {
  const [one, other] = [
    withVariants(['NS-12', 'object', '20 rows'], ['NS-13', 'last', 'b'], ['NS-14', undefined, 'Id, id']),
    withVariants(['NS-12', 'object', '7 rows'], ['NS-13', 'first', 'b'], ['NS-14', 'upper', 'ID']),
  ]
  const { openPoints } = compareReports([one, other])
  expect(openPoints.map(({ cells }) => cells)).toEqual([
    ['last: b', 'first: b'],
    ['Id, id', 'upper: ID'],
  ])
})

test('the Markdown comparison lists checks that differ before checks that agree', () => {
  const markdown = comparisonMarkdown(reports)
  expect(markdown).toMatch(/^\| REQ-SQL-3 \| sql\.limit \| ✓ pass \| ✗ fail \|$/m)
  expect(markdown).toMatch(/^\| REQ-GONE-1 \| old\.x \| ✓ pass \| absent \|$/m)
  expect(markdown.indexOf('sql.limit')).toBeLessThan(markdown.indexOf('http.x'))
})

test('the HTML comparison lists checks that differ first and escapes messages', () => {
  const page = comparisonHtml(reports)
  expect(page).toContain('one | too many &lt;b&gt;')
  expect(page.indexOf('Checks that differ (2)')).toBeGreaterThan(0)
  expect(page.indexOf('Checks that differ (2)')).toBeLessThan(page.indexOf('Checks that agree (1)'))
})
