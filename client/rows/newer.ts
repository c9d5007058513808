import { instantOf, type Instant } from './instant.ts'
import { type Row, UnreadableRows } from './rows.ts'

/**
 * Whether a row may be newer than a bound: a row with the printed time 08:00:05 may have been stored at 08:00:05.9. True for
 * a row without the column, which was not requested.
 */
export function isNewer(row: Row, column: string, bound: Instant): boolean {
  if (!Object.hasOwn(row, column)) return true
  const { nanos, unit } = timeOf(row, column)
  return nanos > bound.nanos || (nanos < bound.nanos && nanos + unit > bound.nanos)
}

/** @throws UnreadableRows if a row has no readable time */
export function timeOf(row: Row, column: string): Instant {
  const text = row[column]
  const instant = typeof text === 'string' ? instantOf(text) : undefined
  if (instant !== undefined) return instant
  throw new UnreadableRows(
    `The ${column} of a row is ${JSON.stringify(text)}, not a timestamp in ISO 8601. Deltas need one; read the whole view instead.`,
  )
}
