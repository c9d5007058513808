import { dateOf, DAY } from '../connection/values/instant.ts'
import type { JsonObject } from '../connection/values/json.ts'
import { isZoned } from '../connection/values/updates.ts'

const HOUR = 3_600_000_000_000n
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
