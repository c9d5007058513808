import { expect, test } from 'vitest'
import { drawable, rangeIn, textOfRange, within } from './view.ts'

test.each([
  [
    [2, 4],
    [2, 4],
  ],
  [
    [-3, 1],
    [0, 4],
  ],
  [
    [8, 12],
    [6, 10],
  ],
  [[-5, 20], undefined],
  [[0, 10], undefined],
] as const)('the part %j of an axis from 0 to 10 is kept within it', (part, expected) => {
  expect(within(part, [0, 10])).toEqual(expected)
})

test.each([
  [12.5, 20.25],
  [1_767_225_600.125, 1_767_229_200.5],
  [1.5e-7, 2.5e-7],
  [-3, 0],
] as const)('the part from %d to %d comes back from the address', (from, to) => {
  expect(rangeIn(textOfRange([from, to]))).toEqual([from, to])
})

test.each([undefined, '', '3', '4,3', '4,4', 'a,b'])('%j in the address is all of the axis', (text) => {
  expect(rangeIn(text)).toBeUndefined()
})

test.each([
  [5, 5],
  [0, 0],
  [2 ** 53, 2 ** 53],
  [2 ** 53, 2 ** 53 + 2],
  [-(2 ** 63), -(2 ** 63) + 2048],
  [-1e300, -1e300],
])('the range from %d to %d gets room for marks', (from, to) => {
  const [start, end] = drawable([from, to])
  const step = (end - start) / 100
  expect(end).toBeGreaterThan(to)
  for (const mark of [start, end - step]) expect(mark + step).toBeGreaterThan(mark)
})

test.each([
  [2, 4],
  [1.7e9, 1.7e9 + 0.1],
  [0, 1e-9],
])('the range from %d to %d has room for marks as it is', (from, to) => {
  expect(drawable([from, to])).toEqual([from, to])
})
