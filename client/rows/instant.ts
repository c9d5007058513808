import { nanosecondsOf, readTimestamp, type Timestamp } from '../../base/time/timestamp.ts'

/** A point in time with the precision of its text. `Date` has only milliseconds. */
export interface Instant {
  /** Nanoseconds since 1970 UTC. */
  readonly nanos: bigint
  /** The unit of the last digit of the text, in nanoseconds. Further digits may have been truncated. */
  readonly unit: bigint
}

/**
 * The instant of a timestamp in the extended format of ISO 8601, which databases also accept; undefined for any other text.
 * The default zone is UTC.
 */
export function instantOf(text: string): Instant | undefined {
  const timestamp = extendedOf(text)
  return timestamp && { nanos: nanosecondsOf(timestamp), unit: BigInt(timestamp.unit) }
}

function extendedOf(text: string): Timestamp | undefined {
  const timestamp = readTimestamp(text)
  return timestamp?.conforms && timestamp.extended ? timestamp : undefined
}

const MS = 1_000_000n
const SECOND = 1_000n * MS

/** The earliest timestamp that databases read. */
const EARLIEST = instantOf('0001-01-01')!.nanos

/**
 * A timestamp some milliseconds earlier, but not before the year 1, with as many digits and the same zone, because a service
 * may compare texts (delta.zone). A timestamp without a zone gets `Z`.
 */
export function earlier(text: string, ms: number): string {
  const { zone = 'Z' } = extendedOf(text)!
  const local = zone === 'Z' ? text : text.slice(0, -zone.length)
  const nanos = instantOf(local)!.nanos - BigInt(Math.ceil(ms)) * MS
  const shifted = utcText({ nanos: nanos < EARLIEST ? EARLIEST : nanos })
  const digits = /[.,](\d+)/.exec(text)?.[1]?.length ?? 0
  const fraction = digits > 0 ? shifted.slice(19, 20 + digits).padEnd(1 + digits, '0') : ''
  return `${shifted.slice(0, 19)}${fraction}${zone}`
}

/** `2025-12-01T08:00:00.123456000`: an instant in UTC, without a zone. */
export function utcText({ nanos }: Pick<Instant, 'nanos'>): string {
  const fraction = ((nanos % SECOND) + SECOND) % SECOND
  const seconds = new Date(Number((nanos - fraction) / MS)).toISOString().slice(0, -5)
  return `${seconds}.${String(fraction).padStart(9, '0')}`
}
