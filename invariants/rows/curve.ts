import { hour, type Micros } from './instant.ts'

/** The points of a series that have a value, in one known unit. */
export interface Curve {
  /** In increasing order. */
  times: Float64Array | readonly Micros[]
  values: Float64Array | readonly number[]
}

/** The last value; NaN where there is none. */
export const lastOf = ({ values }: Curve): number => values.at(-1) ?? Number.NaN

/** The value at a time, linearly interpolated; before the first and after the last point, the value of that point. */
export function valueAt({ times, values }: Curve, time: Micros): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[middle]! < time) low = middle + 1
    else high = middle
  }
  if (low === times.length) return values.at(-1) ?? Number.NaN
  if (low === 0) return values[0]!
  const way = (time - times[low - 1]!) / (times[low]! - times[low - 1]!)
  return values[low - 1]! + way * (values[low]! - values[low - 1]!)
}

/** The integral over time in hours, by the trapezoidal rule. */
export function areaOf({ times, values }: Curve): number {
  let area = 0
  for (let i = 1; i < times.length; i++)
    area += ((values[i]! + values[i - 1]!) / 2) * ((times[i]! - times[i - 1]!) / hour)
  return area
}

/** The values at every time that both curves share. */
export function* pairs(
  one: Curve,
  other: Curve,
): Generator<readonly [one: number, other: number, at: Micros]> {
  let j = 0
  for (let i = 0; i < one.times.length; i++) {
    const time = one.times[i]!
    while (j < other.times.length && other.times[j]! < time) j++
    if (other.times[j] === time) yield [one.values[i]!, other.values[j]!, time]
  }
}

/**
 * Removes spikes: a point more than 15 % above or below both of its neighbours becomes their mean, because no culture
 * changes that fast. At the ends, the next two points are the neighbours.
 */
export function despiked({ times, values }: Curve): Curve {
  const cleaned = Array.from(values, (value, i) => {
    const [before, after] = [values[i - 1] ?? values[i + 2], values[i + 1] ?? values[i - 2]]
    if (before === undefined || after === undefined) return value
    const spike = value > 1.15 * Math.max(before, after) || value < 0.85 * Math.min(before, after)
    return spike ? (before + after) / 2 : value
  })
  return { times, values: cleaned }
}
