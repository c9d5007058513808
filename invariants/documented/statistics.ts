import { isClose, unless, type Problems } from '../invariant.ts'
import { isRecord, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'

const always = ['sum', 'count']
const keys = [...always, 'max', 'min', 'last', 'first', 'arithmetic_mean', 'standard_deviation']

/** A statistics object has its eight keys: sum and count are numbers, the others numbers or null. */
export function statisticsProblems({ statistics }: Row): Problems {
  if (!isRecord(statistics)) return [say`statistics is ${statistics}, not an object.`]
  return keys.flatMap((key) => {
    const value = statistics[key]
    const allowed = typeof value === 'number' || (value === null && !always.includes(key))
    return unless(allowed, say`${words(`statistics.${key}`)} is ${value}.`)
  })
}

/** The statistics of a row under the names of a statistics object: those of v_timeseries, or of v_formula_results. */
export function statisticsOf(row: Row): Row | undefined {
  if (isRecord(row['statistics'])) return row['statistics']
  if (!('timeseries_statistics_count' in row)) return undefined
  return Object.fromEntries(keys.map((key) => [key, row[`timeseries_statistics_${key}`]]))
}

/** The mean times the number of values is their sum. */
export function meanProblems(row: Row): Problems | undefined {
  const { count, sum, arithmetic_mean: mean } = (statisticsOf(row) ?? {}) as Record<string, unknown>
  if (typeof count !== 'number' || typeof mean !== 'number' || typeof sum !== 'number') return undefined
  return unless(
    isClose(mean * count, sum),
    say`The mean ${mean} times the count ${count} is not the sum ${sum}.`,
  )
}

/** Minimum, mean and maximum are in order, and there are none exactly where the count is 0. */
export function rangeProblems(row: Row): Problems | undefined {
  const statistics = statisticsOf(row)
  const count = statistics?.['count']
  if (!statistics || typeof count !== 'number') return undefined
  const [min, mean, max] = ['min', 'arithmetic_mean', 'max'].map((key) => statistics[key] ?? null)
  if (count === 0) {
    const none = min === null && mean === null && max === null
    return unless(none, say`count is 0, yet there are ${min}, ${mean} and ${max}.`)
  }
  if (typeof min !== 'number' || typeof mean !== 'number' || typeof max !== 'number')
    return [say`count is ${count}, yet minimum, mean and maximum are ${min}, ${mean} and ${max}.`]
  const ordered = (min <= mean || isClose(min, mean)) && (mean <= max || isClose(mean, max))
  return unless(ordered, say`The mean ${mean} is not between the minimum ${min} and the maximum ${max}.`)
}
