import { keyOf, nameOf, numberOf, type Row } from './row.ts'
import type { Curve } from './curve.ts'
import { eventsOf, type TimedEvent } from './events.ts'
import { microsOf, type Micros } from './instant.ts'
import type { PointSeries } from './point-series.ts'
import { conversion } from './units.ts'

/** A series of a run: its row and, if any were read, its points. */
export interface RunSeries {
  row: Row
  id: string
  /** The standard name of its quantity; undefined if it has none. */
  quantity: string | undefined
  points: PointSeries | undefined
}

/** A bioprocess with its series, points and scalars. */
export class Run {
  readonly row: Row
  readonly id: string
  /** All series, including those of quantities without a standard name. */
  readonly series: readonly RunSeries[]
  readonly start: Micros
  readonly end: Micros
  readonly #scalars: ReadonlyMap<string, Row>
  #events: readonly TimedEvent[] | undefined

  /** @param scalars rows of v_bioprocess_quantity_data by the standard name of their quantity */
  constructor(row: Row, series: readonly RunSeries[], scalars: ReadonlyMap<string, Row>) {
    this.row = row
    this.id = nameOf(row)
    this.series = series
    this.start = microsOf(row['run_start_timestamp'])
    this.end = microsOf(row['run_end_timestamp'])
    this.#scalars = scalars
  }

  get status(): unknown {
    return this.row['status']
  }

  /** Whether the run is completed and passed its quality control: only then its data have to make sense. */
  get passed(): boolean {
    const { status } = (this.row['qc'] ?? {}) as Row
    return this.status === 'Completed' && /^pass(ed)?$/i.test(keyOf(status))
  }

  get events(): readonly TimedEvent[] {
    return (this.#events ??= eventsOf(this.row))
  }

  /** Events with a string under a key, ignoring case: `('removal_type', 'Sample')`. */
  eventsWith(key: string, text: string): TimedEvent[] {
    return this.events.filter(({ event }) => keyOf(event[key]).toLowerCase() === text.toLowerCase())
  }

  /** The time of the induction: that of induction_event, or else of the event of that type; NaN without both. */
  get induction(): Micros {
    const { induction_event: own } = this.row
    const [event] = eventsOf({ events: [own] })
    if (event && !Number.isNaN(event.time)) return event.time
    return this.eventsWith('addition_type', 'Induction')[0]?.time ?? Number.NaN
  }

  /** The series of a quantity; undefined if there is none or more than one. */
  seriesOf(quantity: string): RunSeries | undefined {
    const found = this.series.filter((series) => series.quantity === quantity)
    return found.length === 1 ? found[0] : undefined
  }

  /**
   * The values of a quantity in a unit; undefined without such a series, without values, or if the unit can't be converted.
   *
   * @param absent stands for a point without a value. Default: it is left out
   */
  curve(quantity: string, unit: string, absent?: number): Curve | undefined {
    const { row, points } = this.seriesOf(quantity) ?? {}
    const factor = conversion(row?.['unit'], unit)
    if (!points || !(factor > 0)) return undefined
    const { times, values } = points
    if (points.statistics.count === 0) return undefined
    if (points.statistics.count === values.length && factor === 1) return { times, values }
    if (absent !== undefined)
      return { times, values: values.map((value) => (Number.isNaN(value) ? absent : factor * value)) }
    const known = (_: number, index: number) => !Number.isNaN(values[index]!)
    return { times: times.filter(known), values: values.filter(known).map((value) => factor * value) }
  }

  /** A scalar as a number in a unit; NaN if it is missing, not a number, or its unit can't be converted. */
  scalar(quantity: string, unit: string): number {
    const row = this.#scalars.get(quantity)
    return row ? numberOf(row['value']) * conversion(row['unit'], unit) : Number.NaN
  }
}
