import { expect, test } from 'vitest'
import { within } from './view.ts'

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
