import fc from 'fast-check'
import { expect, test } from 'vitest'
import { narrowest, needOf, share, wide } from './widths.ts'

const needs = fc.array(fc.integer({ min: narrowest, max: 2300 }), { minLength: 1, maxLength: 40 })
const sum = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0)

test('columns share the room, and none is cut while another has more than it needs', () => {
  fc.assert(
    fc.property(needs, fc.integer({ min: 300, max: 8000 }), (needed, room) => {
      const widths = share(needed, room)
      const least = sum(needed.map((need) => Math.min(need, wide)))
      expect(sum(widths)).toBeCloseTo(Math.max(room, least), 3)
      for (const [index, width] of widths.entries())
        expect(width).toBeGreaterThanOrEqual(Math.min(needed[index]!, wide))
      if (sum(needed) <= room)
        for (const [index, width] of widths.entries()) expect(width).toBeGreaterThanOrEqual(needed[index]!)
      // a column that is cut has as much as any other, but for the last pixels
      const cut = widths.filter((width, index) => width < needed[index]! - 1)
      if (cut.length > 0) expect(Math.max(...widths) - Math.min(...cut)).toBeLessThan(2)
    }),
  )
})

test('shares nothing without columns', () => {
  expect(share([], 1000)).toEqual([])
})

test('a column needs room for its name and its longest value, and not for the whole of a long text', () => {
  const rows = [
    ['short', 'x'],
    ['a value of thirty letters, abc.', 'x'.repeat(5e6)],
  ] as const
  const [first, second] = [needOf('n', rows, 0), needOf('n', rows, 1)]
  expect(first).toBeGreaterThan(30 * 7)
  expect(second).toBeGreaterThan(first)
  expect(second).toBeLessThan(2400)
  expect(needOf('a name longer than each value', [[1]], 0)).toBeGreaterThan(29 * 7)
  expect(needOf('n', [['細胞培養細胞培養']], 0)).toBeGreaterThan(needOf('n', [['abcdefgh']], 0))
  expect(needOf('n', [], 0)).toBe(narrowest)
})
