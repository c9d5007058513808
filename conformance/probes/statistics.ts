import { probe, type Probe, type Seen } from '../open-points/probe.ts'
import { isObject, plain, type Json, type JsonObject } from '../connection/json.ts'
import type { Target } from '../connection/target.ts'
import { tally, theOne } from './reading.ts'

/** Points read at most, below the row caps that services are known to apply. */
const MOST = 900

interface Series {
  statistics: Record<string, unknown>
  /** All points, those without a value as null. */
  values: readonly (number | null)[]
}

const countOf = ({ statistics }: JsonObject): number =>
  isObject(statistics) ? Number(plain(statistics['count'] ?? null)) : Number.NaN

/** Below this a series is likely made by hand, without points that lack a value. */
const BY_HAND = 20

/** Sampled series, the shortest that a sensor made first, as many as fit into one answer with some room. */
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

/** The points of some series, read once and whole. */
const wholeSeries = (t: Target): Promise<Series[]> =>
  t.once('points of some series', async () => {
    const rows = chosen((await t.sample('v_timeseries')).rows)
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => `'${String(id).replaceAll("'", "''")}'`).join(', ')
    const sql = `SELECT id, value FROM v_timeseries_data WHERE id IN (${ids}) LIMIT ${MOST}`
    const points = await t.select(sql, ['id', 'value'])
    if (points.rows.length >= MOST) return []
    const byId = new Map<Json, (number | null)[]>()
    for (const { id = null, value = null } of points.rows)
      byId.set(id, [
        ...(byId.get(id) ?? []),
        typeof plain(value) === 'number' ? (plain(value) as number) : null,
      ])
    return rows.map((row) => ({
      statistics: plain(row['statistics']!) as Record<string, unknown>,
      values: byId.get(row['id']!) ?? [],
    }))
  })

const close = (one: number, other: number): boolean =>
  Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(one), Math.abs(other))

/** By which divisor a standard deviation was made from the values; undefined where that does not show. */
function deviation({ statistics, values }: Series): string | undefined {
  const { standard_deviation: given } = statistics
  const numbers = values.filter((value) => typeof value === 'number')
  const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length
  const squares = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  if (typeof given !== 'number' || numbers.length < 2 || squares === 0) return undefined
  const fits = {
    sample: close(given, Math.sqrt(squares / (numbers.length - 1))),
    population: close(given, Math.sqrt(squares / numbers.length)),
  }
  return theOne(fits) ?? 'neither'
}

/** Which points a count counts; undefined where every point has a value. */
function counting({ statistics: { count }, values }: Series): string | undefined {
  const filled = values.filter((value) => value !== null).length
  if (typeof count !== 'number' || filled === values.length) return undefined
  return theOne({ 'non-null': count === filled, all: count === values.length }) ?? 'neither'
}

/** What the series say that say anything. */
const overSeries = (tell: (series: Series) => string | undefined) => async (t: Target) => {
  const told = (await wholeSeries(t)).flatMap((series) => tell(series) ?? [])
  if (told.length === 0) return undefined
  return {
    variant: new Set(told).size === 1 ? told[0] : undefined,
    seen: `in series: ${tally(told)}`,
  } as Seen
}

export const statisticsProbes: Probe[] = [
  probe({ silence: 'NS-58', observe: overSeries(deviation) }),
  probe({ silence: 'NS-59', observe: overSeries(counting) }),
]
