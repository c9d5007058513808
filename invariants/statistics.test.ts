import { describe, expect, test } from 'vitest'
import { populationDeviation, summarise } from './statistics.ts'

describe('summarise', () => {
  test('covers the points that have a value, with the deviation of a sample', () => {
    expect(summarise(Float64Array.of(2, Number.NaN, 4, 9))).toEqual({
      max: 9,
      min: 2,
      sum: 15,
      last: 9,
      count: 3,
      first: 2,
      arithmetic_mean: 5,
      standard_deviation: Math.sqrt(13),
    })
  })

  test('is null without any value, except for sum and count, and has no deviation of one value', () => {
    const nothing = {
      max: null,
      min: null,
      last: null,
      first: null,
      arithmetic_mean: null,
      standard_deviation: null,
    }
    expect(summarise(Float64Array.of())).toEqual({ ...nothing, sum: 0, count: 0 })
    expect(summarise(Float64Array.of(Number.NaN))).toEqual({ ...nothing, sum: 0, count: 0 })
    expect(summarise(Float64Array.of(3))).toMatchObject({ count: 1, sum: 3, standard_deviation: null })
  })
})

test('the deviation of a population follows from that of a sample', () => {
  expect(populationDeviation(summarise([2, 4, 9]))).toBeCloseTo(Math.sqrt(26 / 3), 12)
  expect(populationDeviation(summarise([3]))).toBeNull()
})
