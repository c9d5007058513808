import { expect, test } from 'vitest'
import { dateSpellings } from '../../connection/values/date-literal.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { edges } from './edges.ts'
import { render } from './render.ts'

const updates = (count: number, month: number): JsonObject[] =>
  Array.from({ length: count }, (_, n) => ({
    id: `${n}`,
    notes: n % 2 ? 'text' : null,
    last_updated_at: `2025-0${month + (n % 2)}-01T12:00:00Z`,
  }))
const rows = new Map([
  ['v_timeseries', updates(300, 3)],
  ['v_bioprocesses', updates(20, 2)],
  ['v_quantities', updates(40, 8)],
  ['v_experiments', updates(5, 8)],
])
const edgesOf = (...views: string[]) =>
  edges(
    {
      views: views as never,
      rows: (view) => rows.get(view) ?? [],
      isShort: (_, { name }) => name !== 'events',
    },
    dateSpellings[0]!,
    ' ',
  ).map(render)

test('edges has a single column with nulls, all rows as a delta, and joins whole, bounded and without a partner', () => {
  const sql = edgesOf(...rows.keys())
  expect(sql).toContain('SELECT notes FROM v_quantities')
  expect(sql).toContain(
    "SELECT id, external_id, scheduled_start_timestamp, scheduled_end_timestamp, last_updated_at FROM v_experiments WHERE last_updated_at > '1972-02-29'",
  )
  const joins = sql.filter((text) => / JOIN v_bioprocesses b ON t.bioprocess_id = b.id/.test(text))
  expect(joins[0]).toMatch(/^SELECT t\.id, .*b\.name, .* = b\.id$/)
  expect(joins[0]).not.toMatch(/b\.(id|events|last_updated_at),/)
  expect(joins[2]).toMatch(
    / WHERE t.last_updated_at > \(SELECT MAX\(last_updated_at\) FROM v_bioprocesses\)$/,
  )
  expect(
    sql.filter((text) => text.includes(' FROM v_experiments t LEFT JOIN v_quantities b ON t.id = b.id')),
  ).toEqual([expect.stringMatching(/ WHERE t\.last_updated_at > '2025-08-03'$/)])
})

test('edges asks for as many rows as a batch has from a view with more rows, and for points if there is none', () => {
  const sql = edgesOf('v_timeseries')
  expect(
    sql.filter((text) => / FROM v_timeseries LIMIT/.test(text)).map((text) => text.split(' ').at(-1)),
  ).toEqual(['128', '129', '257'])
  expect(sql).toContain('SELECT id, timestamp, value FROM v_timeseries_data LIMIT 1025')
})

test('edges limits the documented join if its views are not known', () => {
  expect(edgesOf('v_quantities').find((text) => / FROM v_timeseries t /.test(text))).toMatch(/ LIMIT 1025$/)
})
