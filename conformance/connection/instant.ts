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
