import { describe, expect, test } from 'vitest'
import { requirements, views, type ViewName } from '../../schemas/index.ts'
import { textOf } from '../message.ts'
import type { Row } from '../rows/row.ts'
import { wholeTables } from '../tables.test-helper.ts'
import { sentenceOf } from './judging.ts'
import { rowRules, violationsIn } from './row-rules.ts'

const sentences = (view: ViewName, rows: readonly Row[], columns?: readonly string[]) =>
  violationsIn(view, rows, columns).map((violation) => textOf(sentenceOf(violation)))

const correctRows = (view: ViewName) => wholeTables()[view] as unknown as readonly Row[]

describe('the violations in rows', () => {
  test('each name requirement, column, row, expected and actual value', () => {
    const rows = [{ status: 'Draft' }, { id: 'b', status: 'Running' }]
    const [violation, ...others] = violationsIn('v_bioprocesses', rows, ['id', 'status'])
    expect(violation).toMatchObject({ requirement: 'REQ-VIEW-ENUM-1', column: 'status', row: 1 })
    expect(textOf(violation!.expected)).toBe('Draft, Requested, Scheduled, In-progress, Completed')
    expect(textOf(violation!.actual)).toBe('"Running"')
    expect(others).toEqual([])
  })

  test('are none in correct rows, and none in rows with any single one of their columns', () => {
    for (const { name, columns } of views) {
      const rows = correctRows(name)
      expect(sentences(name, rows)).toEqual([])
      for (const { name: column } of columns) {
        const narrow = rows.map((row) => ({ [column]: row[column] }))
        expect(sentences(name, narrow, [column])).toEqual([])
      }
    }
  })

  test('are none in correct rows that leave out nulls', () => {
    for (const { name } of views) {
      const rows = correctRows(name).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)),
      )
      expect(sentences(name, rows)).toEqual([])
    }
  })

  test('are none in rows with null for a column that no table lists, as in rows without it', () => {
    const unlisted = views.flatMap(({ name, columns }) =>
      columns.filter(({ optional }) => optional).map((column) => [name, column.name] as const),
    )
    expect(unlisted.length).toBeGreaterThan(0)
    for (const [name, column] of unlisted)
      expect(sentences(name, [{ ...correctRows(name)[0], [column]: null }])).toEqual([])
  })

  test('name only requirements of the register', () => {
    const known = new Set(requirements.map(({ id }) => id))
    for (const { views: judged, requirement } of Object.values(rowRules))
      for (const view of judged) expect(known).toContain(requirement(view))
  })
})

test('a value of a wrong type breaks the rule of types and no other one', () => {
  const rows = [{ id: 5, status: 7, data: 'x', qc: [], events: {}, start_timestamp: 5 }]
  const broken = violationsIn('v_bioprocesses', rows).map(({ requirement }) => requirement)
  expect(new Set(broken)).toEqual(new Set(['REQ-VIEW-TYPES:v_bioprocesses']))
  expect(broken).toHaveLength(6)
})

test.each([
  ['v_bioprocesses', { duration_ms: 5 }, []],
  ['v_bioprocesses', { duration_ms: '5' }, ['duration_ms is string instead of number.']],
  ['v_bioprocesses', { duration_ms: null }, ['duration_ms is null instead of number.']],
  ['v_bioprocesses', {}, []],
  ['v_bioprocesses', { parent_id: null }, []],
  ['v_bioprocesses', { parent_id: 1 }, ['parent_id is number instead of string or null.']],
  ['v_bioprocess_quantity_data', { value: '5' }, []],
  ['v_bioprocess_quantity_data', { value: true }, ['value is boolean instead of string or number.']],
  ['v_quantities', { alternative_names: ['', 'a'] }, []],
  ['v_quantities', { alternative_names: [] }, []],
  [
    'v_quantities',
    { alternative_names: ['a', 1] },
    ['alternative_names is array of number instead of array of string.'],
  ],
  ['v_quantities', { alternative_names: '[]' }, ['alternative_names is string instead of array of string.']],
  ['v_formula_results', { timeseries_statistics_min: null, timeseries: null }, []],
  ['v_formula_results', { timeseries_statistics_min: null }, []],
  [
    'v_formula_results',
    { timeseries_statistics_min: null, timeseries: { data: [], times_ms: [] } },
    ['timeseries_statistics_min is null instead of number, or null where timeseries is null.'],
  ],
] as [ViewName, Row, string[]][])('the types of %s in %j', (view, row, expected) => {
  expect(sentences(view, [row], Object.keys(row))).toEqual(expected)
})

test.each([
  ['2025-03-01T08:12:00Z', []],
  ['20250301T081200,5-05', []],
  ['2025-03-01 08:12:00 +00:00', ['a T between']],
  ['2025-03-01T08:12:00', ['a timestamp with a zone']],
  ['2025-03-01', ['a timestamp with a zone']],
  ['2025-03-01 08:12:00', ['a T between', 'a timestamp with a zone']],
  ['1740816720', ['ISO 8601']],
  ['infinity', ['ISO 8601']],
])('the timestamp %s deviates in %j', (text, expected) => {
  const found = violationsIn('v_timeseries', [{ start_timestamp: text }])
  expect(found.map((violation) => textOf(violation.expected))).toEqual(
    expected.map((words) => expect.stringMatching(`^${words}`)),
  )
})

test('a key is repeated only where all of its values are', () => {
  const row = { bioprocess_id: 'a b', quantity_id: 'c' }
  const others = [
    { bioprocess_id: 'a', quantity_id: 'b c' },
    { bioprocess_id: 'a b' },
    { bioprocess_id: 'a b' },
  ]
  expect(sentences('v_bioprocess_quantity_data', [row, ...others])).toEqual([])
  expect(violationsIn('v_bioprocess_quantity_data', [row, ...others, row])).toMatchObject([
    { requirement: 'REQ-VIEW-QD-UNIQUE', row: 4 },
  ])
})

test.each([
  [5, 1],
  [2 ** 53, 0],
])('a repeated key with the number %d is reported %d times', (quantity_id, expected) => {
  const row = { bioprocess_id: 'a', quantity_id }
  const found = violationsIn('v_bioprocess_quantity_data', [row, row])
  expect(found.filter(({ requirement }) => requirement === 'REQ-VIEW-QD-UNIQUE')).toHaveLength(expected)
})

test('a missing form of a formula result is a violation only if both columns were read', () => {
  expect(sentences('v_formula_results', [{}], ['data'])).toEqual([])
  expect(sentences('v_formula_results', [{ data: null }], ['id', 'data'])).toEqual([])
  expect(sentences('v_formula_results', [{}], ['data', 'timeseries'])).toEqual([
    'data is null together with timeseries instead of filled exactly where timeseries is null.',
  ])
})

describe('the duration of a series', () => {
  const series = { start_timestamp: '2025-03-01T08:00:00.5Z', end_timestamp: '2025-03-01T10:00:01.7+01:00' }
  const rows = (more: Row) => sentences('v_timeseries', [{ ...series, ...more }])

  test.each([3_601_200, 3_601_100, 3_601_400])('may be %d ms if both times have one decimal', (duration) =>
    expect(rows({ duration_ms: duration })).toEqual([]),
  )

  test.each([3601.2, -3_601_200, 3_602_200])('is not %d ms', (duration) =>
    expect(rows({ duration_ms: duration })).toEqual([expect.stringContaining('duration_ms is')]),
  )

  test('is not judged without zones', () =>
    expect(sentences('v_timeseries', [{ start_timestamp: '2025-03-01T08:00:00', duration_ms: 1 }])).toEqual(
      expect.not.arrayContaining([expect.stringContaining('duration_ms')]),
    ))
})
