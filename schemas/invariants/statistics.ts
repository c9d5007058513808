import { isRecord, shown, unless, type Problems } from './invariant.ts'

const always = ['sum', 'count']
const keys = [...always, 'max', 'min', 'last', 'first', 'arithmetic_mean', 'standard_deviation']

/** A statistics object has its eight keys: sum and count are numbers, the others numbers or null. */
export function statisticsProblems(statistics: unknown): Problems {
  if (!isRecord(statistics)) return [`statistics is ${shown(statistics)}, not an object.`]
  return keys.flatMap((key) => {
    const value = statistics[key]
    const allowed = typeof value === 'number' || (value === null && !always.includes(key))
    return unless(allowed, `statistics.${key} is ${shown(value)}.`)
  })
}

/** A value of a statistics object, calculated from the values of the points in time order. */
export type Statistic = (values: readonly number[]) => number | null

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
const edge = (values: readonly number[], better: (one: number, other: number) => number) =>
  values.length > 0 ? values.reduce((one, other) => better(one, other)) : null

/** How the points lead to the statistics. Points without a value do not count. */
export const statisticOf = {
  min: (values) => edge(values, Math.min),
  max: (values) => edge(values, Math.max),
  sum,
  first: (values) => values[0] ?? null,
  last: (values) => values.at(-1) ?? null,
  arithmetic_mean: (values) => (values.length > 0 ? sum(values) / values.length : null),
  count: (values) => values.length,
} satisfies Record<string, Statistic>

/** Whether two numbers are the same but for the order in which they were added up. */
export function isClose(one: unknown, other: unknown, tolerance = 1e-9): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other
  return Math.abs(one - other) <= tolerance * Math.max(1, Math.abs(one), Math.abs(other))
}

/**
 * A statistics object agrees with itself: min <= mean <= max, mean times count is the sum, and count is 0 exactly where
 * there is no minimum, maximum, first, last and mean.
 */
export function statisticsContradictions(statistics: Readonly<Record<string, unknown>>): Problems {
  const { count, min, max, sum: total, arithmetic_mean: mean } = statistics as Record<string, number>
  const values = ['min', 'max', 'first', 'last', 'arithmetic_mean'].filter((key) => statistics[key] !== null)
  if (count === 0) return values.map((key) => `${key} is there, although count is 0.`)
  if (values.length < 5) return ['A value is null, although count is not 0.']
  const ordered = (min! <= mean! || isClose(min, mean)) && (mean! <= max! || isClose(mean, max))
  return [
    ...unless(ordered, 'The mean is not between minimum and maximum.'),
    ...unless(isClose(mean! * count!, total), 'Mean times count is not the sum.'),
  ]
}
