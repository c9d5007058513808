import { nanosecondsOf, readTimestamp } from '../../schemas/formats/timestamp.ts'

/**
 * The instant of a timestamp in nanoseconds since 1970 UTC; undefined for anything else.
 *
 * Spaces are accepted, and a missing zone means UTC: how timestamps are written is checked apart from how rows relate.
 * The basic format is not, because a column of digits would be taken for dates.
 */
export function instantOf(text: string): bigint | undefined {
  const timestamp = readTimestamp(text)
  return timestamp?.extended ? nanosecondsOf(timestamp) : undefined
}

/** Whether a text ends with a zone, be it a timestamp or not. */
export const isZoned = (text: string): boolean => /(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10))
