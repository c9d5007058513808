import { isLosslessNumber } from 'lossless-json'
import { isObject, type Json, type JsonObject } from '../connection/values/json.ts'

/** With fewer series, the counts may agree with the number of points by chance. */
const LEAST_SERIES = 2

const withValue = (points: readonly JsonObject[]): number =>
  points.filter(({ value = null }) => value !== null).length

/**
 * The points of the series of which all points were read: as many as the statistics count, which may leave out points without a
 * value. A point has no key, so only all points of a series can be compared. Empty unless that is so of two series, and of half of
 * those read: LIMIT may pick any points, and their number may agree by chance. LIMIT may also end the last series.
 */
export function wholeSeries(points: readonly JsonObject[], series: readonly JsonObject[]): JsonObject[] {
  const read = new Map<Json, JsonObject[]>()
  for (const point of points) {
    const { id = null } = point
    const known = read.get(id)
    if (known) known.push(point)
    else read.set(id, [point])
  }
  const counted = series.flatMap(({ id = null, statistics }) => {
    const count = isObject(statistics) ? statistics['count'] : undefined
    const own = read.get(id)
    return own && isLosslessNumber(count) ? [{ id, own, count: Number(count.value) }] : []
  })
  const skipsNulls = counted.some(({ own, count }) => own.length > count)
  const whole = counted.filter(({ id, own, count }) => {
    return (skipsNulls ? withValue(own) : own.length) === count && id !== points.at(-1)!['id']
  })
  const enough = Math.max(LEAST_SERIES, read.size / 2)
  return whole.length < enough ? [] : whole.flatMap(({ own }) => own)
}
