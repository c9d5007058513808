import type { Statistics } from '../../schemas/generated/types.ts'
import { say, words, type Message } from '../message.ts'
import type { Row } from '../rows/row.ts'
import { isClose, populationDeviation, summarise } from '../statistics.ts'

/** The first and the last point may have no value where others do. */
const [sharedKeys, valueKeys] = [
  ['min', 'max', 'arithmetic_mean'],
  ['min', 'max', 'first', 'last', 'arithmetic_mean'],
]

/**
 * How a statistics object contradicts itself; undefined if it does not. Whether points without a value count is not
 * documented (statistics.count), so the mean may be that of any number of values up to the count. A missing member counts as null.
 */
export function contradictionIn(statistics: Row): Message | undefined {
  const { count, sum, min, max, arithmetic_mean: mean } = statistics
  const isNull = (key: string) => (statistics[key] ?? null) === null
  const nulls = sharedKeys.filter(isNull)
  const others = valueKeys.filter((key) => !isNull(key))
  if (nulls.length > 0 && others.length > 0)
    return words(`an object with null for ${nulls.join(', ')}, but not for ${others.join(', ')}`)
  if (count === 0 && nulls.length === 0) return words('an object with values, although count is 0')
  if (typeof min !== 'number' || typeof max !== 'number' || typeof mean !== 'number') return undefined
  if ((mean < min && !isClose(mean, min)) || (mean > max && !isClose(mean, max)))
    return say`an object with arithmetic_mean ${mean} outside of min ${min} and max ${max}`
  if (typeof sum !== 'number' || typeof count !== 'number' || addsUp(mean, sum, count)) return undefined
  return say`an object with sum ${sum}, which is not arithmetic_mean ${mean} times any number of values up to count ${count}`
}

function addsUp(mean: number, sum: number, count: number): boolean {
  if (isClose(mean * count, sum)) return true
  const values = Math.round(sum / mean)
  return values >= 1 && values <= count && isClose(mean * values, sum)
}

/** A statistic that does not follow from the values. */
export interface Difference {
  key: keyof Statistics
  actual: number
  /** The values that are allowed. */
  expected: readonly number[]
}

/**
 * The statistics that differ from those of the values. Statistics that are not numbers are not compared. Either standard
 * deviation will do (statistics.standard-deviation), and any where there are too few values for one.
 */
export function differences(
  statistics: Row,
  values: readonly number[],
  deviation: 'sample' | 'population' | 'either' = 'either',
): Difference[] {
  if (values.length === 0) return []
  const summary = summarise(values)
  const { standard_deviation: sample } = summary
  const deviations = { sample: [sample], population: [populationDeviation(summary)] }
  return (Object.keys(summary) as (keyof Statistics)[]).flatMap((key) => {
    const actual = statistics[key]
    const allowed =
      key !== 'standard_deviation'
        ? [summary[key]]
        : deviation === 'either'
          ? [...deviations.population, ...deviations.sample]
          : deviations[deviation]
    const expected = allowed.filter((value) => value !== null)
    if (
      typeof actual !== 'number' ||
      expected.length === 0 ||
      expected.some((value) => isClose(actual, value))
    )
      return []
    return [{ key, actual, expected }]
  })
}

/** The expected values of a difference, as a choice. */
export const choiceOf = ({ expected: [first, second] }: Difference): Message =>
  second === undefined ? say`${first}` : say`${first} or ${second}`
