import { hour, type Micros } from './instant.ts'

/** The points of a series that have a value, in one known unit. */
export interface Curve {
  /** In order. */
  times: Float64Array | readonly Micros[]
  values: Float64Array | readonly number[]
}

/** The last value; NaN where there is none. */
export const lastOf = ({ values }: Curve): number => values.at(-1) ?? Number.NaN

/** The value at a time, by straight lines; before the first and after the last point theirs. */
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

/** The integral over hours, by trapezoids. */
export function areaOf({ times, values }: Curve): number {
  let area = 0
  for (let i = 1; i < times.length; i++)
    area += ((values[i]! + values[i - 1]!) / 2) * ((times[i]! - times[i - 1]!) / hour)
  return area
}

/** The values at every time that both curves have. */
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
 * Takes out spikes: a point that lies beyond both of its neighbours by more than a seventh becomes their mean. No
 * culture changes that fast, however coarse the interval. The ends have both neighbours on one side.
 */
export function despiked({ times, values }: Curve): Curve {
  const cleaned = Array.from(values, (value, i) => {
    const [before, behind] = [values[i - 1] ?? values[i + 2], values[i + 1] ?? values[i - 2]]
    if (before === undefined || behind === undefined) return value
    const spike = value > 1.15 * Math.max(before, behind) || value < 0.85 * Math.min(before, behind)
    return spike ? (before + behind) / 2 : value
  })
  return { times, values: cleaned }
}
