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

/** Sampled series, the shortest of a sensor first: as many as fit into one answer with some room. */
function chosen(series: readonly JsonObject[]): JsonObject[] {
  let room = MOST * 0.75
  return series
    .filter((row) => typeof row['id'] === 'string' && countOf(row) >= 2)
    .toSorted(
      (one, other) =>
        Number(countOf(one) < BY_HAND) - Number(countOf(other) < BY_HAND) || countOf(one) - countOf(other),
    )
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
    return rows.map((row) => ({
      statistics: plain(row['statistics']!) as Record<string, unknown>,
      values: byId.get(row['id']!) ?? [],
    }))
  })
