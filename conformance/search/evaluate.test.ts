import { expect, test } from 'vitest'
import type { ViewName } from '../../schemas/index.ts'
import type { JsonObject } from '../connection/values/json.ts'
import { parseJson } from '../connection/values/parse-json.ts'
import { columnsOf, type ColumnUse, type Query, type Source } from './statements/syntax.ts'
import { evaluate, rowsBetween } from './evaluate.ts'

const data: Partial<Record<ViewName, unknown[]>> = {
  v_bioprocesses: [
    { id: 'b1', name: 'Run 1', last_updated_at: '2025-03-01T12:00:00Z' },
    { id: 'b2', name: 'Run 2', last_updated_at: '2025-03-05T12:00:00Z' },
  ],
  v_timeseries: [
    { id: 't1', bioprocess_id: 'b1', last_updated_at: '2025-03-01T12:00:00Z' },
    { id: 't2', bioprocess_id: 'b1', last_updated_at: '2025-03-07T12:00:00Z' },
    { id: 't3', bioprocess_id: null, last_updated_at: '2025-03-08T12:00:00Z' },
  ],
}
const rowsOf = (view: ViewName) => parseJson(JSON.stringify(data[view] ?? [])) as unknown as JsonObject[]

const source = (view: ViewName, alias: string = view): Source => ({ view, alias })
const column = (from: Source, name: string): ColumnUse => columnsOf(from).find((each) => each.name === name)!

const series = source('v_timeseries', 'l')
const runs = source('v_bioprocesses', 'r')
const ids = (query: Omit<Query, 'items'>) =>
  evaluate({ items: [column(query.from, 'id')], ...query }, rowsOf)?.map(({ id }) => id)

test('evaluate joins rows by equal keys, repeats rows with several partners, and keeps rows with a null key', () => {
  const items = [column(series, 'id'), column(runs, 'name')]
  const on = { left: 'bioprocess_id', right: 'id' }
  expect(evaluate({ items, from: series, join: { source: runs, on } }, rowsOf)).toEqual([
    { id: 't1', name: 'Run 1' },
    { id: 't2', name: 'Run 1' },
    { id: 't3', name: null },
  ])
  const reversed = { source: series, on: { left: 'id', right: 'bioprocess_id' } }
  expect(
    evaluate({ items: [column(runs, 'name'), column(series, 'id')], from: runs, join: reversed }, rowsOf),
  ).toEqual([
    { name: 'Run 1', id: 't1' },
    { name: 'Run 1', id: 't2' },
    { name: 'Run 2', id: null },
  ])
})

test('evaluate applies the bound of a delta, and knows nothing of rows near the midnight of a date', () => {
  const from = source('v_timeseries')
  const since = (date: string) => ids({ from, after: { date, sql: `DATE '${date}'` } })
  expect(since('2025-03-04')).toEqual(['t2', 't3'])
  expect(since('2025-03-08')).toBeUndefined()
})

test('evaluate compares with the newest row of another view, and finds nothing newer than the own newest row', () => {
  const from = source('v_timeseries')
  const above = (view: ViewName) => ids({ from, after: { newestOf: view } })
  expect(above('v_bioprocesses')).toEqual(['t2', 't3'])
  expect(above('v_timeseries')).toEqual([])
  expect(above('v_formulas')).toBeUndefined()
})

const idsAfter = (date: string) => {
  const { least, most } = rowsBetween(
    { items: [column(series, 'id')], from: series, after: { date, sql: '' } },
    rowsOf,
  )
  return [least, most].map((rows) => rows.map(({ id }) => id))
}

test('rowsBetween tells the rows that a statement must return from those that it may return', () => {
  expect(idsAfter('1972-02-29')).toEqual([
    ['t1', 't2', 't3'],
    ['t1', 't2', 't3'],
  ])
  // the second series changed on the date itself
  expect(idsAfter('2025-03-07')).toEqual([[], ['t2', 't3']])
  expect(idsAfter('2025-03-05')).toEqual([
    ['t2', 't3'],
    ['t2', 't3'],
  ])
})
