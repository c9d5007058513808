import { isClose, populationDeviation, summarise } from '../../invariants/statistics.ts'
import { show } from '../connection/json.ts'

/** Statistics by documented name. Other requirements cover values that are not numbers. */
export type Statistics = Readonly<Record<string, unknown>>

const VALUES = ['min', 'max', 'first', 'last', 'arithmetic_mean']

/**
 * A contradiction inside statistics, as text; undefined if there is none. It is an open point whether points without a
 * value count (statistics.count), so the mean may be that of any number of values up to the count.
 */
export function contradictionIn(statistics: Statistics): string | undefined {
  const { count, sum, min, max, arithmetic_mean: mean } = statistics
  const nulls = VALUES.filter((key) => statistics[key] === null)
  if (nulls.length > 0 && nulls.length < VALUES.length)
    return `${nulls.join(', ')} null, but not ${VALUES.filter((key) => !nulls.includes(key)).join(', ')}`
  if (count === 0 && nulls.length === 0) return 'has values, but count is 0'
  if (typeof min !== 'number' || typeof max !== 'number' || typeof mean !== 'number') return undefined
  if ((mean < min && !isClose(mean, min)) || (mean > max && !isClose(mean, max)))
    return `arithmetic_mean ${show(mean)} is outside min ${show(min)} and max ${show(max)}`
  if (typeof sum !== 'number' || typeof count !== 'number' || addsUp(mean, sum, count)) return undefined
  return `sum ${show(sum)} is not arithmetic_mean ${show(mean)} times a number of values up to count ${show(count)}`
}

function addsUp(mean: number, sum: number, count: number): boolean {
  if (isClose(mean * count, sum)) return true
  const values = Math.round(sum / mean)
  return values >= 1 && values <= count && isClose(mean * values, sum)
}

/**
 * The statistics that contradict the values, as texts. Both kinds of standard deviation are accepted
 * (statistics.standard-deviation), and any value if there are too few values for one.
 */
export function disagreements(
  statistics: Statistics,
  values: readonly number[],
  deviation: 'sample' | 'population' | 'either' = 'either',
): string[] {
  if (values.length === 0) return []
  const { standard_deviation: sample, min, max, arithmetic_mean, sum, first, last, count } = summarise(values)
  const population = populationDeviation({ count, standard_deviation: sample })
  const deviations = { sample: [sample], population: [population], either: [population, sample] }
  const expected = {
    min: [min],
    max: [max],
    arithmetic_mean: [arithmetic_mean],
    sum: [sum],
    first: [first],
    last: [last],
    count: [count],
    ...(sample !== null && { standard_deviation: deviations[deviation] }),
  }
  return Object.entries(expected).flatMap(([key, allowed]) => {
    const value = statistics[key]
    if (typeof value !== 'number' || allowed.some((one) => isClose(value, one))) return []
    return [`${key} ${show(value)} instead of ${allowed.map((one) => show(one)).join(' or ')}`]
  })
}
