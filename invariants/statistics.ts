import type { Statistics } from '../schemas/generated/types.ts'

/**
 * The statistics object of a series: minimum, maximum, sum, mean and so on of the points that have a value. The standard
 * deviation is that of a sample (n - 1), null for fewer than two values; without any value, sum and count are 0 and the
 * others null.
 *
 * Contract: v_timeseries, `statistics` object.
 *
 * @param values in time order; NaN where a point has no value
 */
export function summarise(values: ArrayLike<number>): Statistics {
  let count = 0
  let sum = 0
  let min = Infinity
  let max = -Infinity
  // NaN instead of null: V8 keeps a variable that may be null on the heap
  let first = Number.NaN
  let last = Number.NaN
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    count++
    sum += value
    if (value < min) min = value
    if (value > max) max = value
    if (count === 1) first = value
    last = value
  }
  if (count === 0) {
    return {
      max: null,
      min: null,
      sum: 0,
      last: null,
      count,
      first: null,
      arithmetic_mean: null,
      standard_deviation: null,
    }
  }
  const mean = sum / count
  const deviation = count < 2 ? null : Math.sqrt(squaredDistance(values, mean) / (count - 1))
  return { max, min, sum, last, count, first, arithmetic_mean: mean, standard_deviation: deviation }
}

function squaredDistance(values: ArrayLike<number>, mean: number): number {
  let sum = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (!Number.isNaN(value)) sum += (value - mean) ** 2
  }
  return sum
}

/** The standard deviation of a population (n) in place of a sample (n - 1); null where there is none of a sample. */
export const populationDeviation = ({
  count,
  standard_deviation: sample,
}: Pick<Statistics, 'count' | 'standard_deviation'>): number | null =>
  sample === null ? null : sample * Math.sqrt((count - 1) / count)

/** The keys of a statistics object. */
export const statisticKeys = Object.keys(summarise([])) as (keyof Statistics)[]

/** Whether two numbers are the same except for the order in which they were added up. */
export function isClose(one: unknown, other: unknown, tolerance = 1e-9): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other
  return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other))
}
