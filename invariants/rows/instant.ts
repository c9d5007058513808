import { microsecondsOf, readTimestamp } from '../../schemas/formats/timestamp.ts'

/** A point in time: whole microseconds since 1970 UTC; NaN for none. */
export type Micros = number

export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute

/**
 * The instant of a timestamp, however it is written (another invariant judges that); NaN for anything else. A
 * timestamp without a zone is read as UTC.
 */
export function microsOf(value: unknown): Micros {
  const timestamp = typeof value === 'string' ? readTimestamp(value) : undefined
  return timestamp ? microsecondsOf(timestamp) : Number.NaN
}

/** Whether two instants are less than a millisecond apart: not every service prints microseconds. */
export function isSameInstant(one: Micros, other: Micros): boolean {
  return Math.abs(one - other) < 1000
}

/** The instant as ISO 8601. */
export function isoOf(time: Micros): string {
  if (Number.isNaN(time)) return 'no time'
  const rest = time - Math.floor(time / second) * second
  const whole = new Date((time - rest) / 1000).toISOString().slice(0, 19)
  return `${whole}.${String(rest).padStart(6, '0')}Z`
}
