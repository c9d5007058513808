import { show } from '../connection/json.ts'

/** Statistics by their documented names. Other requirements are about values that are no numbers. */
export type Statistics = Readonly<Record<string, unknown>>

const VALUES = ['min', 'max', 'first', 'last', 'arithmetic_mean']
const TOLERANCE = 1e-9

const close = (one: number, other: number): boolean =>
  Math.abs(one - other) <= TOLERANCE * Math.max(1, Math.abs(one), Math.abs(other))

/**
 * How a summary contradicts itself; undefined if it does not. Whether points without a value count is not
 * documented (NS-59), so the mean may be that of any number of values up to the count.
 */
export function contradictionIn(statistics: Statistics): string | undefined {
  const { count, sum, min, max, arithmetic_mean: mean } = statistics
  const nulls = VALUES.filter((key) => statistics[key] === null)
  if (nulls.length > 0 && nulls.length < VALUES.length)
    return `${nulls.join(', ')} null, ${VALUES.filter((key) => !nulls.includes(key)).join(', ')} not`
  if (count === 0 && nulls.length === 0) return 'values although count is 0'
  if (typeof min !== 'number' || typeof max !== 'number' || typeof mean !== 'number') return undefined
  if ((mean < min && !close(mean, min)) || (mean > max && !close(mean, max)))
    return `arithmetic_mean ${show(mean)} outside of min ${show(min)} and max ${show(max)}`
  if (typeof sum !== 'number' || typeof count !== 'number' || addsUp(mean, sum, count)) return undefined
  return `sum ${show(sum)}, which is not arithmetic_mean ${show(mean)} times any number of values up to count ${show(count)}`
}

function addsUp(mean: number, sum: number, count: number): boolean {
  if (close(mean * count, sum)) return true
  const values = Math.round(sum / mean)
  return values >= 1 && values <= count && close(mean * values, sum)
}

/**
 * Which statistics are not those of the values; empty if all are. Either standard deviation will do (NS-58), and
 * any where there are too few values for one.
 */
export function disagreements(
  statistics: Statistics,
  values: readonly number[],
  deviation: 'sample' | 'population' | 'either' = 'either',
): string[] {
  if (values.length === 0) return []
  const sum = values.reduce((total, value) => total + value, 0)
  const mean = sum / values.length
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0)
  const divisors = { sample: [values.length - 1], population: [values.length] }
  const deviations = (
    deviation === 'either' ? [...divisors.population, ...divisors.sample] : divisors[deviation]
  ).map((n) => Math.sqrt(squares / n))
  const expected: Record<string, number[]> = {
    min: [values.reduce((a, b) => Math.min(a, b))],
    max: [values.reduce((a, b) => Math.max(a, b))],
    arithmetic_mean: [mean],
    sum: [sum],
    first: [values[0]!],
    last: [values.at(-1)!],
    count: [values.length],
    ...(values.length > 1 && { standard_deviation: deviations }),
  }
  return Object.entries(expected).flatMap(([key, allowed]) => {
    const value = statistics[key]
    if (typeof value !== 'number' || allowed.some((one) => close(value, one))) return []
    return [`${key} ${show(value)} in place of ${allowed.map((one) => show(one)).join(' or ')}`]
  })
}
