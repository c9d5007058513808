import { summarise } from '../../../invariants/statistics.ts'
import { microsOf } from '../../../fixtures/time.ts'
import { literals, type RowQuery, type StoredRow } from './row-query.ts'

/**
 * The rows of series whose points have changed: statistics, start, end and duration follow from the points.
 *
 * @param stamp the time of the change
 */
export async function updatedSeries(
  ids: ReadonlySet<string>,
  query: RowQuery,
  stamp: string,
): Promise<object[]> {
  if (ids.size === 0) return []
  const rows = await query(`SELECT * FROM v_timeseries WHERE id IN (${literals(ids)})`)
  const points = await query(
    `SELECT id, timestamp, value FROM v_timeseries_data WHERE id IN (${literals(ids)}) ORDER BY id, timestamp`,
  )
  const ofSeries = new Map<unknown, StoredRow[]>(rows.map(({ id }) => [id, []]))
  for (const point of points) ofSeries.get(point['id'])?.push(point)
  return rows.map((row) => seriesOf(row, ofSeries.get(row['id'])!, stamp))
}

function seriesOf(row: StoredRow, points: readonly StoredRow[], stamp: string): object {
  const values = points.map(({ value }) => (value === null ? Number.NaN : Number(value)))
  const statistics = summarise(values)
  if (points.length === 0) return { ...row, statistics, last_updated_at: stamp }
  const [start, end] = [points[0]!, points.at(-1)!].map(({ timestamp }) => String(timestamp)) as [
    string,
    string,
  ]
  const duration_ms = (microsOf('timestamp', end) - microsOf('timestamp', start)) / 1000
  return {
    ...row,
    start_timestamp: start,
    end_timestamp: end,
    duration_ms,
    statistics,
    last_updated_at: stamp,
  }
}
