import type { Changes } from '../../../fixtures/changes.ts'
import { iso } from '../../../base/time/micros.ts'
import type { ViewName } from '../../../schemas/generated/types.ts'
import { POINT_VIEW, view } from '../../../schemas/views.ts'
import { copyLine } from '../../../base/text/copy-text.ts'
import type { RowChange } from '../../statement.ts'

/** One statement of a change, with its parameters or with rows in COPY's text format, which may be in shared memory. */
export interface ChangeStep {
  readonly sql: string
  readonly params?: readonly unknown[]
  readonly rows?: Uint8Array
}

/** The file of the `rows` of a step, for COPY. It is not PGlite's /dev/blob, which is read byte by byte in JavaScript. */
export const rowsFile = '/tmp/rows'

type PointSeries = Changes['points'][number]

/**
 * The statements that apply {@link Changes} to the tables. A replaced row is deleted and copied in again.
 *
 * @param store puts the rows into memory that all engines can read
 */
export function changeSteps(
  { rows, points, removed }: Changes,
  store: (bytes: Uint8Array) => Uint8Array = (bytes) => bytes,
): ChangeStep[] {
  const replaced = Object.entries(rows).flatMap(([name, changed]) => {
    const ids = changed.flatMap((row) => ('id' in row ? [row.id] : []))
    return [...remove(name as ViewName, ids), ...copy(name as ViewName, changed, store)]
  })
  return [
    ...Object.entries(removed).flatMap(([name, ids]) => remove(name as ViewName, ids)),
    ...replaced,
    ...removePoints(points.filter(({ items }) => items !== undefined)),
    ...remove(
      POINT_VIEW,
      points.flatMap(({ id, replaces }) => (replaces ? [id] : [])),
    ),
    ...batches(points).flatMap((batch) => copy(POINT_VIEW, batch.flatMap(pointRows), store)),
  ]
}

const changeOf = (view: string, put: readonly object[], remove: RowChange['remove'] = []): RowChange[] =>
  put.length + remove.length === 0 ? [] : [{ view: view as ViewName, put, remove }]

/** {@link Changes} as changes of an overlay. */
export function rowChanges({ rows, points, removed }: Changes): RowChange[] {
  const replaced = points.flatMap(({ id, replaces }) => (replaces ? [{ id }] : []))
  return [
    ...Object.entries(removed).flatMap(([view, ids]) =>
      changeOf(
        view,
        [],
        ids.map((id) => ({ id })),
      ),
    ),
    ...Object.entries(rows).flatMap(([view, changed]) => changeOf(view, changed)),
    ...changeOf(POINT_VIEW, [], replaced),
    ...changeOf(POINT_VIEW, points.flatMap(pointRows)),
  ]
}

/** Points of a batch: a text of all points of months would be longer than a string can be. */
const batchSize = 100_000

function batches(series: readonly PointSeries[]): PointSeries[][] {
  const all: PointSeries[][] = []
  let size = batchSize
  for (const one of series) {
    if (size >= batchSize) {
      all.push([])
      size = 0
    }
    all.at(-1)!.push(one)
    size += one.values.length
  }
  return all
}

function remove(name: ViewName, ids: readonly string[]): ChangeStep[] {
  if (ids.length === 0) return []
  return [{ sql: `DELETE FROM plant.${view(name).table} WHERE id = ANY($1)`, params: [ids] }]
}

function copy(
  name: ViewName,
  rows: readonly object[],
  store: (bytes: Uint8Array) => Uint8Array,
): ChangeStep[] {
  if (rows.length === 0) return []
  const { table, columns } = view(name)
  const text = rows.map((row) => copyLine(row, columns)).join('')
  return [{ sql: `COPY plant.${table} FROM '${rowsFile}'`, rows: store(new TextEncoder().encode(text)) }]
}

/** Deletes points that may exist with another value. */
function removePoints(series: readonly PointSeries[]): ChangeStep[] {
  const points = series.flatMap(({ id, times }) => Array.from(times, (time) => [id, iso(time)] as const))
  if (points.length === 0) return []
  const sql = `DELETE FROM plant.timeseries_data AS point USING unnest($1::text[], $2::timestamptz[]) AS gone (id, at)
    WHERE point.id = gone.id AND point.timestamp = gone.at`
  return [{ sql, params: [points.map(([id]) => id), points.map(([, at]) => at)] }]
}

function pointRows({ id, times, values, items, updated }: PointSeries): object[] {
  return Array.from(values, (value, i) => ({
    id,
    timestamp: iso(times[i]!),
    value: Number.isNaN(value) ? null : value,
    data_item_id: items?.[i] ?? null,
    last_updated_at: iso(updated[i]!),
  }))
}
