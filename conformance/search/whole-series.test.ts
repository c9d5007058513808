import { expect, test } from 'vitest'
import type { JsonObject } from '../connection/values/json.ts'
import { parseJson } from '../connection/values/parse-json.ts'
import { wholeSeries } from './whole-series.ts'

const rows = (values: unknown[]) => parseJson(JSON.stringify(values)) as unknown as JsonObject[]
const points = (id: string, ...values: (number | null)[]) =>
  rows(values.map((value, n) => ({ id, timestamp: `2025-01-01T00:0${n}:00Z`, value })))
const series = (count: number, ...ids: string[]) => rows(ids.map((id) => ({ id, statistics: { count } })))
const idsOf = (read: JsonObject[], all: JsonObject[]) => [
  ...new Set(wholeSeries(read, all).map(({ id }) => id)),
]

test('wholeSeries finds the series with as many points as their statistics count, but for the last one', () => {
  const read = [...points('a', 1, 2), ...points('b', 1, null), ...points('c', 1, 2)]
  expect(idsOf(read, series(2, 'a', 'b', 'c'))).toEqual(['a', 'b'])
})

test('wholeSeries accepts statistics that leave out points without a value', () => {
  const read = [...points('a', 1, 2), ...points('b', 1, null, 3), ...points('c', 1)]
  expect(idsOf(read, series(2, 'a', 'b', 'c'))).toEqual(['a', 'b'])
})

test('wholeSeries finds none if few series have as many points as their statistics count', () => {
  const read = ['a', 'b', 'c', 'd', 'e'].flatMap((id, n) => points(id, ...(n < 2 ? [1, 2] : [1])))
  expect(idsOf(read, series(2, 'a', 'b', 'c', 'd', 'e'))).toEqual([])
  expect(idsOf([...points('a', 1, 2), ...points('c', 1)], series(2, 'a', 'c'))).toEqual([])
  expect(wholeSeries([], series(2, 'a'))).toEqual([])
})
