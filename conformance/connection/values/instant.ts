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
