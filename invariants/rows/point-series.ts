import type { Micros } from './instant.ts'

/** The points of one series, in time order whatever their order in the view. */
export class PointSeries {
  #times: Float64Array = new Float64Array(32)
  #values: Float64Array = new Float64Array(32)
  #items: (string | null)[] | undefined
  #length = 0
  #sorted = true
  #summary: Summary | undefined
  /** When the newest of the points came in: their last_updated_at or, as none comes in before it was measured, their time. */
  ingested: Micros = Number.NaN

  /** @param value null where the point has none */
  push(time: Micros, value: unknown, item: unknown, updated: Micros): void {
    const at = this.#length++
    if (at === this.#times.length) this.#grow()
    if (at > 0 && !(time >= this.#times[at - 1]!)) this.#sorted = false
    this.#times[at] = time
    this.#values[at] = typeof value === 'number' ? value : Number.NaN
    if (typeof item === 'string') {
      this.#items ??= []
      this.#items[at] = item
    }
    const ingested = Number.isNaN(updated) ? time : updated
    if (!(this.ingested >= ingested)) this.ingested = ingested
  }

  get length(): number {
    return this.#length
  }

  get times(): Float64Array {
    this.#sort()
    return this.#times.subarray(0, this.#length)
  }

  /** NaN where a point has no value. */
  get values(): Float64Array {
    this.#sort()
    return this.#values.subarray(0, this.#length)
  }

  /** The data_item_id of every point; undefined where none has one. */
  get items(): readonly (string | null | undefined)[] | undefined {
    this.#sort()
    return this.#items
  }

  /** What the statistics of the series follow from. */
  get summary(): Summary {
    return (this.#summary ??= summaryOf(this.values))
  }

  #grow(): void {
    this.#times = enlarged(this.#times)
    this.#values = enlarged(this.#values)
  }

  #sort(): void {
    if (this.#sorted) return
    const [times, values, items] = [this.#times, this.#values, this.#items]
    const order = Uint32Array.from({ length: this.#length }, (_, index) => index)
    order.sort((one, other) => times[one]! - times[other]! || one - other)
    this.#times = Float64Array.from(order, (index) => times[index]!)
    this.#values = Float64Array.from(order, (index) => values[index]!)
    if (items) this.#items = Array.from(order, (index) => items[index] ?? null)
    this.#sorted = true
  }
}

function enlarged(numbers: Float64Array): Float64Array {
  const larger = new Float64Array(2 * numbers.length)
  larger.set(numbers)
  return larger
}

/** A statistics object, calculated from values. */
export interface Summary {
  min: number | null
  max: number | null
  sum: number
  first: number | null
  last: number | null
  arithmetic_mean: number | null
  count: number
  /** Sum of the squared distances from the mean: the deviation is its root over n - 1, or over n. */
  squares: number
}

/** Values that are NaN do not count. */
export function summaryOf(values: ArrayLike<number>): Summary {
  let [count, sum, min, max] = [0, 0, Infinity, -Infinity]
  let first: number | null = null
  let last: number | null = null
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) continue
    count++
    sum += value
    if (value < min) min = value
    if (value > max) max = value
    first ??= value
    last = value
  }
  const mean = count > 0 ? sum / count : null
  const none = count === 0
  return {
    min: none ? null : min,
    max: none ? null : max,
    sum,
    first,
    last,
    arithmetic_mean: mean,
    count,
    squares: mean === null ? 0 : squaresAround(mean, values),
  }
}

function squaresAround(mean: number, values: ArrayLike<number>): number {
  let squares = 0
  for (let i = 0; i < values.length; i++) {
    const distance = values[i]! - mean
    if (!Number.isNaN(distance)) squares += distance * distance
  }
  return squares
}
