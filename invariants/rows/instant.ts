import { microsecondsOf, readTimestamp } from '../../base/time/timestamp.ts'

/** A point in time: whole microseconds since 1970 UTC; NaN for none. */
export type Micros = number

export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute

const timestampOf = (value: unknown) => (typeof value === 'string' ? readTimestamp(value) : undefined)

/**
 * The instant of a timestamp, however it is written (another invariant judges that); NaN for anything else. A
 * timestamp without a zone is read as UTC.
 */
export function microsOf(value: unknown): Micros {
  const timestamp = timestampOf(value)
  return timestamp ? microsecondsOf(timestamp) : Number.NaN
}

/**
 * The difference of two timestamps that proves nothing, in microseconds: below the coarser of their last digits, and 14 hours
 * more if only one has a zone, because no zone is further from UTC. 0 for anything else.
 *
 * @example leewayOf('2025-03-01T08:12Z', '2025-03-01T08:12:30Z') // 60_000_000
 */
export function leewayOf(one: unknown, other: unknown): Micros {
  const [a, b] = [timestampOf(one), timestampOf(other)]
  if (!a || !b) return 0
  const isMixed = (a.zone === undefined) !== (b.zone === undefined)
  return Math.max(a.unit, b.unit) / 1000 + (isMixed ? 14 * hour : 0)
}

/** Whether a timestamp is later than another one by more than their precision and zones leave open. */
export const isLater = (one: unknown, other: unknown): boolean =>
  microsOf(one) > microsOf(other) && microsOf(one) - microsOf(other) >= leewayOf(one, other)

/** Whether two instants are less than a millisecond apart: not every service prints microseconds. */
export function isSameInstant(one: Micros, other: Micros): boolean {
  return Math.abs(one - other) < 1000
}

/** The instant as ISO 8601, or in words if it is none, or further from 1970 than a `Date` can be. */
export function isoOf(time: Micros): string {
  const rest = time - Math.floor(time / second) * second
  const whole = new Date((time - rest) / 1000)
  if (Number.isNaN(time)) return 'no time'
  if (Number.isNaN(whole.getTime())) return `${time / second} seconds since 1970`
  return `${whole.toISOString().slice(0, -'.000Z'.length)}.${String(rest).padStart(6, '0')}Z`
}
