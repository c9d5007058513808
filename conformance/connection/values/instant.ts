import { nanosecondsOf, readTimestamp } from '../../../base/time/timestamp.ts'

/**
 * The instant of a timestamp in nanoseconds since 1970 UTC; undefined for anything else.
 *
 * Accepts spaces and reads a missing zone as UTC, because other checks test the format. Reads the basic format only with a
 * time: a column of digits has no dates.
 */
export function instantOf(text: string): bigint | undefined {
  const timestamp = readTimestamp(text)
  const isBasic = timestamp?.conforms === true && text.includes('T')
  return timestamp && (timestamp.extended || isBasic) ? nanosecondsOf(timestamp) : undefined
}

/** Whether a timestamp names its zone. */
export const hasZone = (text: string): boolean => /(Z|[+-]\d\d(:?\d\d)?)$/i.test(text.slice(10))

/** A day in nanoseconds. */
export const DAY = 86_400_000_000_000n

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
