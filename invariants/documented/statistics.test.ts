import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { textOf } from '../message.ts'
import { contradictionIn, differences } from './statistics.ts'

const summaryOf = (values: readonly number[]) => {
  const sum = values.reduce((total, value) => total + value, 0)
  const mean = sum / values.length
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0)
  return {
    min: Math.min(...values),
    max: Math.max(...values),
    first: values[0]!,
    last: values.at(-1)!,
    sum,
    arithmetic_mean: mean,
    standard_deviation: values.length > 1 ? Math.sqrt(squares / (values.length - 1)) : null,
    count: values.length,
  }
}
const nothing = {
  min: null,
  max: null,
  first: null,
  last: null,
  sum: 0,
  arithmetic_mean: null,
  standard_deviation: null,
  count: 0,
}
const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 50 })

test('statistics computed from values contradict neither themselves nor the values', () => {
  fc.assert(
    fc.property(values, (values) => {
      expect(contradictionIn(summaryOf(values))).toBeUndefined()
      expect(differences(summaryOf(values), values)).toEqual([])
    }),
  )
})

test('statistics may count points without a value and use the population standard deviation', () => {
  const some = summaryOf([1, 2, 6])
  expect(contradictionIn({ ...some, count: 5 })).toBeUndefined()
  expect(differences({ ...some, standard_deviation: Math.sqrt(14 / 3) }, [1, 2, 6])).toEqual([])
  expect(contradictionIn({ ...some, last: null })).toBeUndefined()
  expect(contradictionIn(nothing)).toBeUndefined()
  expect(contradictionIn({ ...nothing, count: 4 })).toBeUndefined()
  expect(differences(nothing, [])).toEqual([])
})

describe('a contradiction', () => {
  const some = summaryOf([1, 2, 6])
  test.each([
    ['a mean above max', { ...some, arithmetic_mean: 7 }, /outside/],
    ['a sum of other values', { ...some, sum: 10 }, /not arithmetic_mean/],
    ['more values than counted', { ...some, count: 2 }, /up to count 2/],
    ['a null among values', { ...some, min: null }, /null for min, but not for max/],
    ['values with a count of 0', { ...some, count: 0 }, /count is 0/],
  ])('contradictionIn finds %s', (_, statistics, words) => {
    expect(textOf(contradictionIn(statistics)!)).toMatch(words)
  })
})

test('differences names the statistics of other values', () => {
  const wrong = { ...summaryOf([1, 2, 6]), max: 5, standard_deviation: 1 }
  expect(differences(wrong, [1, 2, 6]).map(({ key }) => key)).toEqual(['max', 'standard_deviation'])
})
