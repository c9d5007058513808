import { unless, type Problems } from '../invariant.ts'
import { say } from '../message.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { isClose, statisticKeys } from '../statistics.ts'

/** The statistics of a row of v_timeseries or v_formula_results, under the keys of a statistics object. */
export function statisticsOf(row: Row): Row | undefined {
  if (isRecord(row['statistics'])) return row['statistics']
  if (!('timeseries_statistics_count' in row)) return undefined
  return Object.fromEntries(statisticKeys.map((key) => [key, row[`timeseries_statistics_${key}`]]))
}

/** P14: the mean times the number of values is their sum. */
export function meanProblems(row: Row): Problems | undefined {
  const { count, sum, arithmetic_mean: mean } = (statisticsOf(row) ?? {}) as Record<string, unknown>
  if (typeof count !== 'number' || typeof mean !== 'number' || typeof sum !== 'number') return undefined
  return unless(
    isClose(mean * count, sum),
    say`The mean ${mean} times the count ${count} is not the sum ${sum}.`,
  )
}

/** P16: minimum, mean and maximum are in order, and null exactly if the count is 0. */
export function rangeProblems(row: Row): Problems | undefined {
  const statistics = statisticsOf(row)
  const count = statistics?.['count']
  if (!statistics || typeof count !== 'number') return undefined
  const [min, mean, max] = ['min', 'arithmetic_mean', 'max'].map((key) => statistics[key] ?? null)
  if (count === 0) {
    const none = min === null && mean === null && max === null
    return unless(none, say`count is 0, but minimum, mean and maximum are ${min}, ${mean} and ${max}.`)
  }
  if (typeof min !== 'number' || typeof mean !== 'number' || typeof max !== 'number')
    return [say`count is ${count}, but minimum, mean and maximum are ${min}, ${mean} and ${max}.`]
  const ordered = (min <= mean || isClose(min, mean)) && (mean <= max || isClose(mean, max))
  return unless(ordered, say`The mean ${mean} is not between the minimum ${min} and the maximum ${max}.`)
}
