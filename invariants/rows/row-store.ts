import type { ViewName } from '../../schemas/generated/types.ts'
import { views } from '../../schemas/views.ts'
import { keyOf, nameOf, type Row } from './row.ts'
import { microsOf, type Micros } from './instant.ts'
import { PointSeries } from './point-series.ts'
import { standardNameOf } from './quantity-names.ts'
import { Run, type RunSeries } from './run.ts'

/** Views whose rows are kept. There are too many points: only their times and values are kept. */
export type KeptView = Exclude<ViewName, 'v_timeseries_data'>

/** The rows that were read, indexed for the invariants. Filled once, then read. */
export class RowStore {
  /** The latest time at which a row can have changed; NaN if unknown. */
  readonly latest: Micros
  /** The points of each series, by its id. */
  readonly points = new Map<string, PointSeries>()
  readonly #rows = Object.fromEntries(views.map(({ name }) => [name, []])) as unknown as Record<
    ViewName,
    Row[]
  >
  readonly #byId = new Map<ViewName, ReadonlyMap<string, Row>>()
  #newest: Micros = Number.NaN
  #runs: readonly Run[] | undefined
  #names: ReadonlyMap<unknown, string | undefined> | undefined
  #latest: { id: string; points: PointSeries } | undefined
  #stamp: { text: unknown; time: Micros } = { text: undefined, time: Number.NaN }

  constructor(asOf: Micros = Number.NaN) {
    this.latest = asOf
  }

  add(view: ViewName, row: Row): void {
    if (view === 'v_timeseries_data') return this.#addPoint(row)
    this.#rows[view].push(row)
    this.#see(microsOf(row['last_updated_at'] ?? row['archived_at']))
  }

  rows(view: KeptView): readonly Row[] {
    return this.#rows[view]
  }

  /** The rows of a view by their id. */
  byId(view: KeptView): ReadonlyMap<string, Row> {
    let rows = this.#byId.get(view)
    if (!rows) {
      rows = new Map(this.#rows[view].map((row) => [nameOf(row), row]))
      this.#byId.set(view, rows)
    }
    return rows
  }

  /** The time that the rows describe: as given, or else the newest change in the rows. */
  get now(): Micros {
    return Number.isNaN(this.latest) ? this.#newest : this.latest
  }

  /** The standard names of quantities, by id; undefined where a quantity has none. */
  get standardNames(): ReadonlyMap<unknown, string | undefined> {
    return (this.#names ??= new Map(this.#rows.v_quantities.map((row) => [row['id'], standardNameOf(row)])))
  }

  /** The bioprocesses with their series, points and scalars. */
  get runs(): readonly Run[] {
    return (this.#runs ??= runsOf(this))
  }

  #addPoint(row: Row): void {
    const id = keyOf(row['id'])
    if (this.#latest?.id !== id) {
      const points = this.points.get(id) ?? new PointSeries()
      this.points.set(id, points)
      this.#latest = { id, points }
    }
    const time = microsOf(row['timestamp'])
    const updated = this.#stampOf(row['last_updated_at'])
    this.#see(updated)
    // D7 reports points without a readable time
    if (!Number.isNaN(time)) this.#latest.points.push(time, row['value'], row['data_item_id'], updated)
  }

  /** Points that were stored together have the same text: the last one read is remembered. */
  #stampOf(text: unknown): Micros {
    if (this.#stamp.text !== text) this.#stamp = { text, time: microsOf(text) }
    return this.#stamp.time
  }

  #see(time: Micros): void {
    if (time > this.#newest || Number.isNaN(this.#newest)) this.#newest = time
  }
}

function runsOf(store: RowStore): Run[] {
  const names = store.standardNames
  const series = new Map<string, RunSeries[]>()
  for (const row of store.rows('v_timeseries')) {
    const [id, run] = [nameOf(row), keyOf(row['bioprocess_id'])]
    if (!series.has(run)) series.set(run, [])
    series.get(run)!.push({ row, id, quantity: names.get(row['quantity_id']), points: store.points.get(id) })
  }
  const scalars = new Map<string, Map<string, Row>>()
  for (const row of store.rows('v_bioprocess_quantity_data')) {
    const name = names.get(row['quantity_id'])
    const run = keyOf(row['bioprocess_id'])
    if (name === undefined) continue
    if (!scalars.has(run)) scalars.set(run, new Map())
    scalars.get(run)!.set(name, row)
  }
  const nothing = new Map<string, Row>()
  return store
    .rows('v_bioprocesses')
    .map((row) => new Run(row, series.get(nameOf(row)) ?? [], scalars.get(nameOf(row)) ?? nothing))
}
