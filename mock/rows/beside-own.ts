import type { ViewName } from '../../schemas/generated/types.ts'
import type { RowChange, RowKey } from '../statement.ts'
import type { OwnChanges } from './own-changes.ts'
import { withReferring } from './remove-rows.ts'
import { literals, type RowQuery, type StoredRow } from './row-query.ts'
import { withSeries } from './series-statistics.ts'

/**
 * Changes of the plant beside those of a test: these stay, and the statistics of series follow from the points of both.
 *
 * @param stamp the time of the changes
 */
export async function besideOwn(
  changes: readonly RowChange[],
  own: OwnChanges,
  query: RowQuery,
  stamp: string,
): Promise<readonly RowChange[]> {
  const amended = own.amend(changes)
  const isOwn = (row: object) => own.series.has(String((row as StoredRow)['id']))
  const ofSeries = amended.filter(({ view }) => view === 'v_timeseries' || view === 'v_timeseries_data')
  const touched = ofSeries.map((change) => ({ ...change, put: change.put.filter(isOwn), remove: [] }))
  if (touched.every(({ put }) => put.length === 0)) return amended
  const others = amended.map((change) =>
    ofSeries.includes(change) ? { ...change, put: change.put.filter((row) => !isOwn(row)) } : change,
  )
  return [...others, ...(await withSeries(touched, query, stamp))]
}

/** The changes after which those of a test agree with the rows of a live plant again. */
export async function agreeing(
  own: OwnChanges,
  query: RowQuery,
  stamp: string,
): Promise<readonly RowChange[]> {
  const removed: Partial<Record<ViewName, RowKey[]>> = {}
  for (const [view, keys] of own.removed)
    if (view !== 'v_timeseries_data')
      removed[view] = [...keys].map((key) => ({ id: String((JSON.parse(key) as string[])[0]) }))
  const referring = Object.entries(await withReferring(removed, query)).flatMap(([name, keys]) => {
    const view = name as ViewName
    const more = keys.slice(removed[view]?.length ?? 0)
    return more.length === 0 ? [] : { view, put: [], remove: more }
  })
  own.add(referring)
  if (own.series.size === 0) return referring
  const stored = await query(`SELECT * FROM v_timeseries WHERE id IN (${literals(own.series)})`)
  const recomputed = await withSeries([{ view: 'v_timeseries', put: stored, remove: [] }], query, stamp)
  const before = new Map(stored.map((row) => [row['id'], JSON.stringify(row['statistics'])]))
  const put = recomputed.flatMap((change) =>
    (change.put as readonly StoredRow[]).filter(
      (row) => JSON.stringify(row['statistics']) !== before.get(row['id']),
    ),
  )
  return put.length === 0 ? referring : [...referring, { view: 'v_timeseries', put, remove: [] }]
}
