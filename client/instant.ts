import { isIso8601 } from '../schemas/formats.ts'

const extended = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d+))?)?(Z|[+-]\d\d(?::?\d\d)?)?)?$/

/** A point in time as precisely as a text prints it. `Date` would stop at milliseconds. */
export interface Instant {
  /** Nanoseconds since 1970 UTC. */
  readonly nanos: bigint
  /** What the last digit of the text stands for, in nanoseconds: whatever follows it may have been cut off. */
  readonly unit: bigint
}

interface Parts extends Instant {
  /** Fraction digits; undefined for a date alone. */
  readonly digits: number | undefined
  readonly zone: string | undefined
}

const MS = 1_000_000n
const SECOND = 1_000n * MS

/**
 * The instant that a timestamp names, undefined for what is not one in the extended format of ISO 8601. Without a zone
 * it is read as UTC.
 */
export function instantOf(text: string): Instant | undefined {
  return partsOf(text)
}

/**
 * A timestamp some milliseconds earlier, written in the same form: as many digits, the same zone, because a service may
 * compare texts (NS-52). What has no zone gets one.
 */
export function earlier(text: string, ms: number): string {
  const parts = partsOf(text)!
  const { digits, zone = 'Z' } = parts
  const shifted = utcText({ nanos: parts.nanos - BigInt(Math.ceil(ms)) * MS + offsetOf(zone) })
  if (!/^\d{4}-/.test(shifted) || shifted.startsWith('0000')) return text
  const fraction = digits ? shifted.slice(19, 20 + digits).padEnd(1 + digits, '0') : ''
  return `${shifted.slice(0, 19)}${fraction}${zone}`
}

/** `2025-12-01T08:00:00.123456000`: an instant in UTC, without a zone. */
export function utcText({ nanos }: Pick<Instant, 'nanos'>): string {
  const fraction = ((nanos % SECOND) + SECOND) % SECOND
  const seconds = new Date(Number((nanos - fraction) / MS)).toISOString().slice(0, -5)
  return `${seconds}.${String(fraction).padStart(9, '0')}`
}

function partsOf(text: string): Parts | undefined {
  const [, date, time = '00:00', second, fraction = '', zone] = (isIso8601(text) && extended.exec(text)) || []
  if (date === undefined) return undefined
  // a leap second and 24:00 exist in ISO 8601 and not in Date: both count on from the day's or minute's begin
  const [hour, minute] = time.split(':').map(Number) as [number, number]
  const seconds = BigInt(hour * 3600 + minute * 60 + Number(second ?? 0))
  const whole = BigInt(Date.parse(`${date}T00:00:00Z`)) * MS + seconds * SECOND
  const nanos = whole + BigInt(fraction.padEnd(9, '0').slice(0, 9)) - offsetOf(zone ?? 'Z')
  const hasTime = text.length > 10
  return {
    nanos,
    unit: unitOf(hasTime, second, fraction),
    digits: hasTime ? fraction.length : undefined,
    zone,
  }
}

function unitOf(hasTime: boolean, second: string | undefined, fraction: string): bigint {
  if (!hasTime) return 86_400n * SECOND
  if (second === undefined) return 60n * SECOND
  return 10n ** BigInt(9 - Math.min(fraction.length, 9))
}

function offsetOf(zone: string): bigint {
  if (zone === 'Z') return 0n
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', '') || '0')
  return BigInt(zone.startsWith('-') ? -minutes : minutes) * 60n * SECOND
}
