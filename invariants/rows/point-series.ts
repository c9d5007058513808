import type { Statistics } from '../../schemas/generated/types.ts'
import { summarise } from '../statistics.ts'
import type { Micros } from './instant.ts'

/** The points of one series, in time order. They may be added in any order. */
export class PointSeries {
  #times: Float64Array = new Float64Array(32)
  #values: Float64Array = new Float64Array(32)
  #items: (string | null)[] | undefined
  #length = 0
  #sorted = true
  #statistics: Statistics | undefined
  /** The time at which the newest point was stored: its last_updated_at, or else its own time as a lower bound. */
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

  /** The statistics of the points that have a value. */
  get statistics(): Statistics {
    return (this.#statistics ??= summarise(this.values))
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
