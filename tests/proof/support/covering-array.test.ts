import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { coveringArray } from './covering-array.ts'

/** The pairs of values of different factors in some rows. */
function pairsIn(rows: readonly (readonly number[])[]): Set<string> {
  return new Set(
    rows.flatMap((row) =>
      row.flatMap((value, factor) =>
        row.slice(factor + 1).map((other, n) => `${factor}=${value} ${factor + 1 + n}=${other}`),
      ),
    ),
  )
}

test('a covering array has every pair of values and no superfluous row', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 2, maxLength: 9 }), (sizes) => {
      const rows = coveringArray(sizes)
      for (const row of rows)
        expect(row.every((value, factor) => value >= 0 && value < sizes[factor]!)).toBe(true)
      const pairs = sizes.flatMap((size, factor) => sizes.slice(factor + 1).map((other) => size * other))
      expect(pairsIn(rows).size).toBe(pairs.reduce((sum, count) => sum + count, 0))
      rows.forEach((_, at) =>
        expect(pairsIn(rows.slice(0, at)).size).toBeLessThan(pairsIn(rows.slice(0, at + 1)).size),
      )
    }),
  )
})

test('a covering array of one factor has each of its values', () => {
  expect(coveringArray([3])).toEqual([[0], [1], [2]])
})

test('a covering array of many factors has few more rows than its two largest factors need', () => {
  const sizes = [10, 8, ...Array.from({ length: 40 }, (_, n) => 2 + (n % 4))]
  expect(coveringArray(sizes).length).toBeLessThan(100)
  expect(coveringArray(sizes)).toEqual(coveringArray(sizes))
})
