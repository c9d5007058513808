import { expect, test } from 'vitest'
import { areaOf, despiked, valueAt } from './curve.ts'
import { hour } from './instant.ts'

test('despiking a curve replaces a spike by the mean of its neighbours and keeps a step', () => {
  const times = [0, 1, 2, 3, 4, 5]
  expect(despiked({ times, values: [1, 1, 9, 1, 1, 1] }).values).toEqual([1, 1, 1, 1, 1, 1])
  expect(despiked({ times, values: [1, 1, 1, 2, 2, 2] }).values).toEqual([1, 1, 1, 2, 2, 2])
})

test('a curve is interpolated and integrated linearly', () => {
  const curve = { times: [0, 2 * hour, 4 * hour], values: [0, 10, 10] }
  expect([-1, 0, 1, 3, 9].map((time) => valueAt(curve, time * hour))).toEqual([0, 0, 5, 10, 10])
  expect(areaOf(curve)).toBe(30)
})
