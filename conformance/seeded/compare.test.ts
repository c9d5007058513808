import { describe, expect, test } from 'vitest'
import { parseJson, type JsonObject } from '../connection/json.ts'
import type { Answers } from './answers.ts'
import { difference } from './compare.ts'

const rows = (...values: (number | string | null)[]): JsonObject[] =>
  parseJson(JSON.stringify(values.map((value) => ({ value })))) as JsonObject[]

const row = (json: string): JsonObject[] => [parseJson(json) as JsonObject]

const compare = (expected: JsonObject[], actual: JsonObject[], rest: Partial<Answers> = {}) =>
  difference({ columns: ['value'], expected, actual, ordered: false, exact: true, ...rest })

describe('rows without an order', () => {
  test('are the same in any order', () => {
    expect(compare(rows(1, 2, 2, null), rows(2, null, 1, 2))).toBeUndefined()
  })

  test('are counted: twice is not once', () => {
    expect(compare(rows(1, 2, 2), rows(1, 1, 2))).toEqual({
      message: '1 of 3 rows differ',
      expected: '{"value":2}',
      actual: '{"value":1}',
    })
  })

  test('that are missing are named, and so are those that are too many', () => {
    expect(compare(rows(1, 2), rows(2))).toEqual({
      message: '1 row instead of 2',
      expected: '2 rows, one of them {"value":1}',
      actual: '1 row',
    })
    expect(compare(rows(2), rows(1, 2))!.actual).toBe('2 rows, one of them {"value":1}')
  })

  test('may hold further columns', () => {
    expect(compare(rows(1), parseJson('[{"value": 1, "more": 2}]') as JsonObject[])).toBeUndefined()
  })
})

test('rows with an order have to keep it', () => {
  expect(compare(rows(1, 2), rows(1, 2), { ordered: true })).toBeUndefined()
  expect(compare(rows(1, 2), rows(2, 1), { ordered: true })!.message).toBe('row 1 of 2 is another one')
})

test('only computed numbers may be a little apart', () => {
  const [one, other] = [rows(0.3, 7), rows(7, 0.1 + 0.2)]
  expect(compare(one, other, { exact: false })).toBeUndefined()
  expect(compare(one, other)).toBeDefined()
})

test('of a wide row the columns that differ are shown, and the id', () => {
  const found = compare(row('{"id": "a", "b": 1, "c": 1}'), row('{"id": "a", "b": 1, "c": 2}'), {
    columns: ['id', 'b', 'c'],
  })
  expect(found).toMatchObject({ expected: '{"id":"a","c":1}', actual: '{"id":"a","c":2}' })
})

describe('a limit that may take any rows', () => {
  const all = rows(1, 2, 3, 3)

  test('is met by as many of them', () => {
    expect(compare(all, rows(3, 1), { chosen: 2 })).toBeUndefined()
    expect(compare(all, rows(3, 3), { chosen: 2 })).toBeUndefined()
  })

  test('is not met by fewer, more, strangers or one of them too often', () => {
    expect(compare(all, rows(3), { chosen: 2 })!.message).toBe('1 row instead of 2')
    expect(compare(all, rows(3, 1, 2), { chosen: 2 })!.message).toBe('3 rows instead of 2')
    for (const wrong of [rows(1, 9), rows(1, 1)])
      expect(compare(all, wrong, { chosen: 2 })!.message).toBe('1 of 2 rows are none of those to choose from')
  })

  test('shows beside a stranger the row that is most like it, to the last digit', () => {
    const points = row('{"id": "a", "b": 6.81}').concat(row('{"id": "b", "b": 7}'))
    const found = compare(points, row('{"id": "a", "b": 6.8100000000000005}'), {
      columns: ['id', 'b'],
      chosen: 1,
    })
    expect(found).toMatchObject({
      expected: '{"id":"a","b":6.81}',
      actual: '{"id":"a","b":6.8100000000000005}',
    })
  })
})
