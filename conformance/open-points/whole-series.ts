import { sqlLiteral } from '../../base/text/sql-literal.ts'
import { isObject, plain, type Json, type JsonObject } from '../connection/values/json.ts'
import type { Target } from '../connection/target.ts'

/** Points that are read at most: below the row caps that services are known to apply. */
const MOST = 900

/** A series that was read whole. */
export interface Series {
  statistics: Record<string, unknown>
  /** All points, those without a value as null. */
  values: readonly (number | null)[]
}

const countOf = ({ statistics }: JsonObject): number =>
  isObject(statistics) ? Number(plain(statistics['count'] ?? null)) : Number.NaN

/** A shorter series is likely made by hand, and has no points without a value. */
const BY_HAND = 20

/** Sampled series of sensors, of each run in turn, since all of a run lack the same points: as many as fit into one answer with some room. */
function chosen(series: readonly JsonObject[]): JsonObject[] {
  let room = MOST * 0.75
  const some = series.filter((row) => typeof row['id'] === 'string' && countOf(row) >= 2)
  const ofRun = (row: JsonObject) => some.filter((one) => one['bioprocess_id'] === row['bioprocess_id'])
  const turn = (row: JsonObject) => (countOf(row) < BY_HAND ? Infinity : ofRun(row).indexOf(row))
  return some
    .toSorted((one, other) => turn(one) - turn(other) || 0)
    .filter((row) => {
      const fits = countOf(row) <= room
      if (fits) room -= countOf(row)
      return fits
    })
}

/** The points of some series with their statistics. Read once. */
export const wholeSeries = (t: Target): Promise<Series[]> =>
  t.once('points of some series', async () => {
    const rows = chosen((await t.sample('v_timeseries')).rows)
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => sqlLiteral(String(id))).join(', ')
    const sql = `SELECT id, value FROM v_timeseries_data WHERE id IN (${ids}) LIMIT ${MOST}`
    const points = await t.select(sql, ['id', 'value'])
    if (points.rows.length >= MOST) return []
    const byId = new Map<Json, (number | null)[]>()
    for (const { id = null, value = null } of points.rows) {
      const number = plain(value)
      const values = byId.get(id) ?? []
      byId.set(id, values)
      values.push(typeof number === 'number' ? number : null)
    }
    return rows.map(({ id = null, statistics = null }) => ({
      statistics: isObject(statistics) ? (plain(statistics) as Record<string, unknown>) : {},
      values: byId.get(id) ?? [],
    }))
  })
