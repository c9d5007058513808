import { type Client, quote, toDate } from 'bioprocess-sql-contract/client'

/** A point of a series: hours since the start of the run, and the value. */
export type Point = readonly [hours: number, value: number]

export interface Overlay {
  readonly series: ReadonlyMap<string, readonly Point[]>
  /** `last_updated_at` of the newest point. */
  readonly newest: string
}

const runColumns = ['id', 'name', 'status', 'qc', 'run_start_timestamp'] as const

/** All runs, the latest first. */
export async function readRuns(service: Client) {
  const runs = await service.views.v_bioprocesses.select({ columns: runColumns })
  return runs.toSorted((a, b) => (b.run_start_timestamp ?? '').localeCompare(a.run_start_timestamp ?? ''))
}

/** Every column of a run, whatever a service has. They are not named, so a service that sends rows as arrays cannot be read. */
export async function readColumns(service: Client, run: string) {
  const [row = {}] = await service.query(`SELECT * FROM v_bioprocesses WHERE id = ${quote(run)}`)
  return Object.entries(row)
}

/** Services may leave a null out. */
interface Row {
  run: string
  timestamp: string
  value?: number | null
  last_updated_at: string
  start?: string | null
}

/** For services that send rows as arrays. */
const columns = ['run', 'timestamp', 'value', 'last_updated_at', 'start'] as const

/** The points of a quantity in some runs, by run; with `before`, only newer points are read. */
export async function readOverlay(
  service: Client,
  runs: readonly string[],
  quantity: string,
  before?: Overlay,
): Promise<Overlay> {
  const rows = await service.query<Row>(
    `SELECT s.bioprocess_id AS run, d.timestamp, d.value, d.last_updated_at, b.run_start_timestamp AS start
     FROM v_timeseries_data d
     LEFT JOIN v_timeseries s ON d.id = s.id
     LEFT JOIN v_bioprocesses b ON s.bioprocess_id = b.id
     LEFT JOIN v_quantities q ON s.quantity_id = q.id
     WHERE q.name = ${quote(quantity)} AND s.bioprocess_id IN (${runs.map(quote).join(', ')})
     ${before ? `AND d.last_updated_at > ${quote(before.newest)}` : ''}`,
    { columns },
  )
  const series = new Map<string, Point[]>()
  let newest = before?.newest ?? ''
  for (const { run, timestamp, value, last_updated_at, start } of rows) {
    if (last_updated_at > newest) newest = last_updated_at
    if (value == null || start == null) continue
    const hours = (timeOf(timestamp) - timeOf(start)) / 3_600_000
    series.set(run, [...(series.get(run) ?? []), [hours, value]])
  }
  return { series: merged(before?.series ?? new Map(), series), newest }
}

/** Newer points replace those of the same time. */
function merged(before: Overlay['series'], newer: Overlay['series']): Overlay['series'] {
  const series = new Map(before)
  for (const [run, points] of newer) {
    const byTime = new Map([...(series.get(run) ?? []), ...points])
    series.set(
      run,
      [...byTime].toSorted(([a], [b]) => a - b),
    )
  }
  return series
}

const timeOf = (text: string) => toDate(text)?.getTime() ?? Number.NaN
