import type { JsonObject } from '../connection/values/json.ts'
import { isZoned } from '../connection/values/updates.ts'

const HOUR = 3_600_000_000_000n
/** A day in nanoseconds. */
export const DAY = 24n * HOUR
/** The margin of rows whose updates have no zone, in nanoseconds: 14 hours for the date, 12 more for the updates. */
export const MARGIN = 26n * HOUR

/**
 * Rows this close to the midnight of a date are ignored, in nanoseconds, because the zone of a date is open (delta.zone). The
 * midnights of all zones lie within 14 hours of that of UTC.
 */
export const marginOf = (rows: readonly JsonObject[]): bigint => (isZoned(rows) ? 14n * HOUR : MARGIN)

/**
 * The date (`YYYY-MM-DD`) that splits instants most evenly, without those within `margin` nanoseconds of its midnight.
 * Undefined if no date has instants on both sides.
 *
 * @param later the margin after the midnight, if it is another
 */
export function splittingDate(
  instants: readonly bigint[],
  margin: bigint,
  later: bigint = margin,
): string | undefined {
  let best: { smaller: number; date?: string } = { smaller: 0 }
  for (const instant of instants) {
    const midnight = ((instant + margin) / DAY + 1n) * DAY
    const date = dateOf(midnight)
    if (date === undefined) continue
    const before = instants.filter((other) => other < midnight - margin).length
    const after = instants.filter((other) => other > midnight + later).length
    if (Math.min(before, after) > best.smaller) best = { smaller: Math.min(before, after), date }
  }
  return best.date
}

/** The instant at which a date (`YYYY-MM-DD`) of the calendar begins in UTC. */
export const midnightOf = (date: string): bigint => BigInt(Date.parse(date)) * 1_000_000n

const FIRST = midnightOf('0001-01-01')
const LAST = midnightOf('9999-12-31')

/** The UTC day of an instant, `YYYY-MM-DD`; undefined before the year 1 and after 9999, which no date literal can name. */
export function dateOf(instant: bigint): string | undefined {
  if (instant < FIRST || instant >= LAST + DAY) return undefined
  const midnight = instant - ((instant - FIRST) % DAY)
  return new Date(Number(midnight / 1_000_000n)).toISOString().slice(0, 10)
}
