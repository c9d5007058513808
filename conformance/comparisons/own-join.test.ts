import { expect, test } from 'vitest'
import type { JsonObject } from '../connection/values/json.ts'
import { joined, miscounted, ownJoin, tooFew, unchangedIds } from './own-join.ts'

const runs = [
  { id: 'a', name: 'A' },
  { id: 'b', name: 'B' },
]
const series = [{ bioprocess_id: 'a' }, { bioprocess_id: 'a' }, { bioprocess_id: 'c' }]
const row = (bioprocess_id: string, id: string | null = bioprocess_id): JsonObject =>
  id === null ? { bioprocess_id } : { bioprocess_id, id, name: id.toUpperCase() }
const right = [row('a'), row('a'), row('c', null)]

test('ownJoin pairs a known run with its row and a nonexistent run with nulls', () => {
  const own = ownJoin(runs, true)
  expect(own('a')).toEqual([joined(row('a'), row('a'))])
  expect(own('c')).toEqual(['["c",null,null]'])
  expect(own(null)).toEqual(['[null,null,null]'])
})

test('ownJoin returns undefined for an unknown run if not all runs were read', () => {
  expect(ownJoin(runs, false)('c')).toBeUndefined()
})

test('miscounted accepts a join with each key as often as in the series', () => {
  expect(miscounted(series, right, ownJoin(runs, true), true)).toBeUndefined()
})

test.each([
  ['an inner join', [row('a'), row('a')], 'bioprocess_id "c"', 1, 0],
  ['a cross join', [...right, row('a', 'b'), row('a', 'b')], 'bioprocess_id "a"', 2, 4],
  ['a lost row', right.slice(1), 'bioprocess_id "a"', 2, 1],
  ['an empty join', [], 'bioprocess_id "a"', 2, 0],
])('miscounted rejects %s', (_, join, of, expected, found) => {
  expect(miscounted(series, join, ownJoin(runs, true), true)).toEqual({ of, expected, found })
})

test('miscounted accepts several rows for an unknown run, but not none', () => {
  const own = ownJoin(runs, false)
  expect(miscounted(series, [...right, row('c')], own, true)).toBeUndefined()
  expect(miscounted(series, right.slice(0, 2), own, true)).toMatchObject({ expected: 1, found: 0 })
})

test('miscounted finds too many rows, but no missing ones in an incomplete join', () => {
  const own = ownJoin(runs, true)
  expect(miscounted(series, right.slice(1), own, false)).toBeUndefined()
  expect(miscounted(series, [...right, row('a')], own, false)).toMatchObject({ expected: 2, found: 3 })
})

test('tooFew rejects a join with fewer rows than its LIMIT', () => {
  expect(tooFew(series, right)).toBeUndefined()
  expect(tooFew(series, right.slice(1))).toEqual({ of: 'LIMIT 3', expected: 3, found: 2 })
})

test('unchangedIds tells the bioprocesses whose rows are the same, in any order', () => {
  const rows = [
    { bioprocess_id: 'a', unit: 'g' },
    { bioprocess_id: 'a', unit: 'L' },
    { bioprocess_id: 'b', unit: 'g' },
    { bioprocess_id: 'c', unit: 'g' },
  ]
  const later = [rows[1]!, rows[0]!, { ...rows[2]!, unit: 'kg' }, rows[3]!, rows[3]!]
  const isUnchanged = unchangedIds(rows, later, 'bioprocess_id')
  expect(['a', 'b', 'c', 'd'].filter((id) => isUnchanged(id))).toEqual(['a', 'd'])
})
