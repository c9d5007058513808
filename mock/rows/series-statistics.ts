import type { Micros } from '../../base/time/micros.ts'
import { summarise } from '../../invariants/statistics.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { RowChange } from '../statement.ts'
import type { RowsByView } from './prepare-rows.ts'
import { RowError } from './row-problems.ts'
import { literals, microsIn, type RowQuery, type StoredRow } from './row-query.ts'

/**
 * Adds to changes the rows of the series that they touch: statistics, start, end and duration follow from the points.
 *
 * @param changes with valid rows and keys
 * @param query reads the rows from before the changes
 * @param stamp the time of the change
 */
export async function withSeries(
  changes: readonly RowChange[],
  query: RowQuery,
  stamp: string,
): Promise<readonly RowChange[]> {
  const [series, points] = [changesOf(changes, 'v_timeseries'), changesOf(changes, 'v_timeseries_data')]
  const ids = new Set([...series.put, ...series.remove, ...points.put, ...points.remove].map(({ id }) => id))
  if (ids.size === 0) return changes

  const stored = await query(`SELECT * FROM v_timeseries WHERE id IN (${literals(ids)})`)
  const rows = new Map(stored.map((row) => [row['id'], row]))
  const pointsOf = await storedPoints(rows.keys(), query)
  for (const { id } of series.remove) rows.delete(id)
  for (const row of series.put) rows.set(row['id'], row)
  for (const { id, timestamp } of points.remove)
    if (timestamp === undefined) pointsOf.delete(id)
    else pointsOf.get(id)?.delete(microsIn(timestamp)!)
  addPoints(pointsOf, points.put)

  const put = [...rows.values()].map((row) => seriesOf(row, pointsOf.get(row['id']) ?? new Map(), stamp))
  const others = changes.filter((change) => change.view !== 'v_timeseries' || change.put.length === 0)
  return [...others, { view: 'v_timeseries', put, remove: [] }]
}

/**
 * Rows of which series that were given without statistics have those of their points.
 *
 * @param rows whole rows
 * @param given the rows of series as they were given
 */
export async function withStatistics(
  rows: RowsByView,
  { v_timeseries: given = [] }: RowsByView,
  query: RowQuery,
  stamp: string,
): Promise<RowsByView> {
  const series = (rows.v_timeseries ?? []) as readonly StoredRow[]
  const lacking = series.filter((_, index) => (given[index] as StoredRow)['statistics'] === undefined)
  if (lacking.length === 0) return rows
  const changes = [
    { view: 'v_timeseries', put: lacking, remove: [] },
    { view: 'v_timeseries_data', put: rows.v_timeseries_data ?? [], remove: [] },
  ] as const
  const { put } = (await withSeries(changes, query, stamp)).at(-1)!
  const byId = new Map((put as readonly StoredRow[]).map((row) => [row['id'], row]))
  const whole = (row: StoredRow) => ({
    ...row,
    ...byId.get(row['id']),
    last_updated_at: row['last_updated_at'],
  })
  return { ...rows, v_timeseries: series.map(whole) }
}

const changesOf = (changes: readonly RowChange[], view: ViewName) => {
  const ofView = changes.filter((change) => change.view === view)
  return {
    put: ofView.flatMap(({ put }) => put as readonly StoredRow[]),
    remove: ofView.flatMap(({ remove }) => remove),
  }
}

/** The points of series by their times. */
type Points = Map<unknown, Map<Micros, StoredRow>>

async function storedPoints(ids: Iterable<unknown>, query: RowQuery): Promise<Points> {
  const points: Points = new Map()
  const list = literals(ids)
  if (list !== '')
    addPoints(points, await query(`SELECT id, timestamp, value FROM v_timeseries_data WHERE id IN (${list})`))
  return points
}

function addPoints(points: Points, rows: readonly StoredRow[]): void {
  for (const row of rows) {
    const ofSeries = points.get(row['id']) ?? new Map<Micros, StoredRow>()
    points.set(row['id'], ofSeries.set(microsIn(row['timestamp'])!, row))
  }
}

function seriesOf(row: StoredRow, points: ReadonlyMap<Micros, StoredRow>, stamp: string): object {
  const times = [...points.keys()].toSorted((one, other) => one - other)
  const inOrder = times.map((time) => points.get(time)!)
  const statistics = summarise(inOrder.map(({ value }) => (value === null ? Number.NaN : Number(value))))
  if (!Number.isFinite(statistics.sum))
    throw new RowError(
      `The sum of the values of ${JSON.stringify(row['id'])} is not finite. Put smaller values.`,
    )
  if (times.length === 0) return { ...row, statistics, last_updated_at: stamp }
  return {
    ...row,
    start_timestamp: inOrder[0]!['timestamp'],
    end_timestamp: inOrder.at(-1)!['timestamp'],
    duration_ms: (times.at(-1)! - times[0]!) / 1000,
    statistics,
    last_updated_at: stamp,
  }
}
