import { instantOf, type Instant } from './instant.ts'
import { type Row, UnreadableRows } from './rows.ts'

/**
 * Whether a row is newer than a bound, as far as its printed time tells: a row of 08:00:05 may have been stored at
 * 08:00:05.9. A row without the column was not asked for it and passes.
 */
export function isNewer(row: Row, column: string, bound: Instant): boolean {
  if (!Object.hasOwn(row, column)) return true
  const { nanos, unit } = timeOf(row, column)
  return nanos > bound.nanos || (nanos < bound.nanos && nanos + unit > bound.nanos)
}

/** @throws UnreadableRows where a row has no readable time */
export function timeOf(row: Row, column: string): Instant {
  const text = row[column]
  const instant = typeof text === 'string' ? instantOf(text) : undefined
  if (instant !== undefined) return instant
  throw new UnreadableRows(
    `The ${column} of a row is ${JSON.stringify(text)}, not a timestamp in ISO 8601: the order of changes is lost.`,
  )
}
