import { expect, test } from 'vitest'
import type { JsonObject } from '../connection/json.ts'
import { joined, miscounted, ownJoin, tooFew } from './own-join.ts'

const runs = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
]
const series = [{ bioprocess_id: 'a' }, { bioprocess_id: 'a' }, { bioprocess_id: 'c' }]
const row = (bioprocess_id: string, id: string | null = bioprocess_id): JsonObject =>
  id === null ? { bioprocess_id } : { bioprocess_id, id, name: id.toUpperCase() }
const right = [row('a'), row('a'), row('c', null)]

test('a run that is known has its own row beside it, one that does not exist has nulls', () => {
  const own = ownJoin(runs, true)
  expect(own('a')).toEqual([joined(row('a'), row('a'))])
  expect(own('c')).toEqual(['["c",null,null]'])
  expect(own(null)).toEqual(['[null,null,null]'])
})

test('of runs that were not all read, the others are unknown', () => {
  expect(ownJoin(runs, false)('c')).toBeUndefined()
})

test('the right join has every key as often as the series', () => {
  expect(miscounted(series, right, ownJoin(runs, true))).toBeUndefined()
})

test.each([
  ['an inner join', [row('a'), row('a')], 'bioprocess_id "c"', 1, 0],
  ['a cross join', [...right, row('a', 'b'), row('a', 'b')], 'bioprocess_id "a"', 2, 4],
  ['a lost row', right.slice(1), 'bioprocess_id "a"', 2, 1],
  ['nothing', [], 'bioprocess_id "a"', 2, 0],
])('%s has not', (_, join, of, expected, found) => {
  expect(miscounted(series, join, ownJoin(runs, true))).toEqual({ of, expected, found })
})

test('a run that is not known may have several rows, but not none', () => {
  const own = ownJoin(runs, false)
  expect(miscounted(series, [...right, row('c')], own)).toBeUndefined()
  expect(miscounted(series, right.slice(0, 2), own)).toMatchObject({ expected: 1, found: 0 })
})

test('a join of some rows reaches its LIMIT', () => {
  expect(tooFew(series, right)).toBeUndefined()
  expect(tooFew(series, right.slice(1))).toEqual({ of: 'LIMIT 3', expected: 3, found: 2 })
})
