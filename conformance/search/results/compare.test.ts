import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isSameValue } from '../../comparisons/same-value.ts'
import type { JsonObject } from '../../connection/values/json.ts'
import { parseJson } from '../../connection/values/parse-json.ts'
import type { Results } from './results.ts'
import { difference } from './compare.ts'

const rows = (...values: (number | string | null)[]): JsonObject[] =>
  parseJson(JSON.stringify(values.map((value) => ({ value })))) as JsonObject[]

const row = (json: string): JsonObject[] => [parseJson(json) as JsonObject]

const many = (text: (n: number) => string): JsonObject[] =>
  Array.from({ length: 2500 }, (_, n) => row(text(n))).flat()

const compare = (expected: JsonObject[], actual: JsonObject[], rest: Partial<Results> = {}) =>
  difference({ columns: ['value'], expected, actual, ...rest })

describe('rows without an order', () => {
  test('difference ignores the order of rows without ORDER BY', () => {
    expect(compare(rows(1, 2, 2, null), rows(2, null, 1, 2))).toBeUndefined()
  })

  test('difference counts equal rows', () => {
    expect(compare(rows(1, 2, 2), rows(1, 1, 2))).toEqual({
      message: '1 of 3 rows differ',
      expected: '{"value":2}',
      actual: '{"value":1}',
      cause: 'other values of value',
    })
  })

  test('difference names a missing row and a surplus row', () => {
    expect(compare(rows(1, 2), rows(2))).toEqual({
      message: '1 row instead of 2',
      expected: '2 rows, such as {"value":1}',
      actual: '1 row',
    })
    expect(compare(rows(2), rows(1, 2))!.actual).toBe('2 rows, such as {"value":1}')
  })

  test('difference ignores additional columns', () => {
    expect(compare(rows(1), parseJson('[{"value": 1, "more": 2}]') as JsonObject[])).toBeUndefined()
  })
})

test('difference tolerates what counts as near, in any order', () => {
  const [one, other] = [
    rows('2025-03-01T08:00:00', '2025-03-02T08:00:00'),
    rows('2025-03-02T10:00:00Z', '2025-03-01T10:00:00Z'),
  ]
  expect(compare(one, other, { near: isSameValue })).toBeUndefined()
  expect(compare(one, other)).toBeDefined()
  expect(
    compare(one, rows('2025-03-02T10:00:00Z', '2025-03-02T10:00:00Z'), { near: isSameValue }),
  ).toBeDefined()
})

test('difference shows only the id and the columns that differ', () => {
  const found = compare(row('{"id": "a", "b": 1, "c": 1}'), row('{"id": "a", "b": 1, "c": 2}'), {
    columns: ['id', 'b', 'c'],
  })
  expect(found).toMatchObject({ expected: '{"id":"a","c":1}', actual: '{"id":"a","c":2}' })
})

/** Whether each value of one list has a partner in the other. */
const isPartOf = (some: readonly number[], all: readonly number[]): boolean =>
  some.every(
    (value) => all.filter((one) => one === value).length >= some.filter((one) => one === value).length,
  )

test('difference compares rows as multisets, with rows replaced, moved, added and removed', () => {
  const list = fc.array(fc.nat(60), { maxLength: 60 })
  const edit = fc.record({ at: fc.nat(60), remove: fc.nat(15), add: fc.array(fc.nat(60), { maxLength: 12 }) })
  fc.assert(
    fc.property(list, fc.array(edit, { maxLength: 3 }), fc.boolean(), (expected, edits, returns) => {
      const actual = [...expected]
      for (const { at, remove, add } of edits) {
        const removed = actual.splice(at, remove, ...(returns ? [] : add))
        if (returns) actual.push(...removed)
      }
      const isPart = isPartOf(actual, expected)
      expect(compare(rows(...expected), rows(...actual)) === undefined).toBe(
        isPart && actual.length === expected.length,
      )
      expect(compare(rows(...expected), rows(...actual), { chosen: actual.length }) === undefined).toBe(
        isPart,
      )
    }),
    { numRuns: 2000 },
  )
})

describe('a LIMIT without ORDER BY', () => {
  const all = rows(1, 2, 3, 3)

  test('difference accepts any rows of the view up to LIMIT', () => {
    expect(compare(all, rows(3, 1), { chosen: 2 })).toBeUndefined()
    expect(compare(all, rows(3, 3), { chosen: 2 })).toBeUndefined()
  })

  test('difference rejects fewer, more, unknown and repeated rows with LIMIT', () => {
    expect(compare(all, rows(3), { chosen: 2 })!.message).toBe('1 row instead of 2')
    expect(compare(all, rows(3, 1, 2), { chosen: 2 })!.message).toBe('3 rows instead of 2')
    for (const wrong of [rows(1, 9), rows(1, 1)])
      expect(compare(all, wrong, { chosen: 2 })!.message).toBe('1 of 2 rows are not in the view')
  })

  test('difference shows the row that is most similar to an unknown row, with all digits', () => {
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

  test('difference pairs some of many rows that are spelled differently', () => {
    const plain = many((n) => `{"id": "r${n}", "value": {"a": ${n}, "b": null}}`)
    const near = { near: isSameValue }
    expect(
      difference({
        columns: ['id', 'value'],
        expected: plain,
        actual: many((n) => `{"id": "r${n}", "value": {"a": ${n}}}`),
        ...near,
      }),
    ).toBeUndefined()
    expect(
      difference({
        columns: ['id', 'value'],
        expected: plain,
        actual: many((n) => `{"id": "r${n}", "value": {"a": -1}}`),
        ...near,
      }),
    ).toBeDefined()
  })
})
