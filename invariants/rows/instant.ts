/** A point in time: whole microseconds since 1970 UTC; NaN where a text names none. */
export type Micros = number

export const second = 1_000_000
export const minute = 60 * second
export const hour = 60 * minute

/**
 * The instant that a timestamp names, exact to the microsecond; NaN where the value names none. A time without a zone
 * is taken for UTC, a space for the T: how times are written is judged elsewhere.
 */
export function microsOf(value: unknown): Micros {
  if (typeof value !== 'string') return Number.NaN
  const usual = usualForm(value)
  return Number.isNaN(usual) ? anyForm(value) : usual
}

/** Whether a text is a timestamp in the usual form: `2025-03-01T08:12:00`, with or without fraction and zone. */
export function isUsualForm(text: string): boolean {
  return !Number.isNaN(usualForm(text))
}

/** Whether two instants are the same to the millisecond: not everybody prints microseconds. */
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

/** Reads the usual form digit by digit: datasets have millions of them. */
function usualForm(text: string): Micros {
  if (text.length < 19 || !isSeparated(text)) return Number.NaN
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  const hours = twoDigits(text, 11)
  const minutes = twoDigits(text, 14)
  const seconds = twoDigits(text, 17)
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) return Number.NaN
  if (!(hours <= 23 && minutes <= 59 && seconds <= 59)) return Number.NaN

  let at = 19
  let fraction = 0
  if (text.charCodeAt(at) === 46) {
    let weight = 100_000
    const first = ++at
    for (let digit = digitAt(text, at); digit >= 0; digit = digitAt(text, ++at)) {
      fraction += digit * weight
      weight = weight > 1 ? weight / 10 : 0
    }
    if (at === first) return Number.NaN
  }
  const zone = zoneMinutes(text, at)
  const days = daysSince1970(year, month, day)
  return ((days * 24 + hours) * 60 + minutes - zone) * minute + seconds * second + fraction
}

function isSeparated(text: string): boolean {
  return (
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 84 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58
  )
}

/** The digit at a place, -1 where there is none. */
function digitAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return code >= 48 && code <= 57 ? code - 48 : -1
}

function twoDigits(text: string, at: number): number {
  const [tens, ones] = [digitAt(text, at), digitAt(text, at + 1)]
  return tens < 0 || ones < 0 ? Number.NaN : 10 * tens + ones
}

/** Minutes east of UTC of what stands from a place on: nothing, Z, +hh or +hh:mm. */
function zoneMinutes(text: string, at: number): number {
  const length = text.length - at
  if (length === 0) return 0
  const sign = text.charCodeAt(at)
  if (length === 1 && sign === 90) return 0
  if ((sign !== 43 && sign !== 45) || !(length === 3 || (length === 6 && text.charCodeAt(at + 3) === 58)))
    return Number.NaN
  const [hours, minutes] = [twoDigits(text, at + 1), length === 6 ? twoDigits(text, at + 4) : 0]
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN
  return sign === 45 ? -(60 * hours + minutes) : 60 * hours + minutes
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days of the Gregorian calendar, counted in years that begin in March. */
function daysSince1970(year: number, month: number, day: number): number {
  const shifted = month <= 2 ? year - 1 : year
  const century = Math.floor(shifted / 100)
  const inYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  return 365 * shifted + Math.floor(shifted / 4) - century + Math.floor(century / 4) + inYear - 719_468
}

const other =
  /^(\d{4})-?(\d\d)-?(\d\d)(?:[T ](\d\d)(?::?(\d\d)(?::?(\d\d)(?:[.,](\d+))?)?)?)? ?(Z|[+-]\d\d(?::?\d\d)?)?$/

function anyForm(text: string): Micros {
  const parts = other.exec(text)
  if (!parts) return Number.NaN
  const [year, month, day, hours = 0, minutes = 0, seconds = 0] = parts
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const zone = parts[8] ?? 'Z'
  const digits = zone.slice(1).replace(':', '')
  const east = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2))
  const fraction = Number((parts[7] ?? '').padEnd(6, '0').slice(0, 6))
  const local = Date.UTC(year!, month! - 1, day!, hours, minutes, seconds) * 1000 + fraction
  return zone === 'Z' ? local : local - (zone.startsWith('-') ? -east : east) * minute
}
