import { expect, test } from 'vitest'
import { readPointStatistics, type Point } from './point-statistics.ts'

const points: Point[] = [
  { at: 30n, value: 3 },
  { at: 10n, value: 1 },
  { at: 20n, value: null },
]
const statistics = {
  min: 1,
  max: 3,
  first: 1,
  last: 3,
  sum: 4,
  count: 2,
  arithmetic_mean: 2,
  standard_deviation: Math.SQRT2,
}

test('readPointStatistics sorts the points by time', () => {
  expect(readPointStatistics(statistics, points)).toEqual({
    differences: [],
    countsNulls: false,
    deviation: 'sample',
  })
})

test('readPointStatistics accepts a count with nulls and the population standard deviation', () => {
  expect(readPointStatistics({ ...statistics, count: 3, standard_deviation: 1 }, points)).toEqual({
    differences: [],
    countsNulls: true,
    deviation: 'population',
  })
})

test('readPointStatistics does not decide whether nulls count if there are none', () => {
  expect(readPointStatistics(statistics, [points[0]!, points[1]!]).countsNulls).toBeUndefined()
})

test('readPointStatistics names the statistics that contradict the points', () => {
  const { differences, deviation } = readPointStatistics(
    { ...statistics, first: 3, count: 5, standard_deviation: 9 },
    points,
  )
  expect(differences.map(({ key }) => key)).toEqual(['count', 'first', 'standard_deviation'])
  expect(deviation).toBeUndefined()
})
