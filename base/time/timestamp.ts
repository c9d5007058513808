/** A parsed timestamp. */
export interface Timestamp {
  /** Whole seconds since 1970 UTC. */
  readonly seconds: number
  /** Nanoseconds of that second, 0 to 999,999,999. */
  readonly nanos: number
  /** The unit of the last printed digit in nanoseconds: a day for a date, 1000 for microseconds, at least 1. */
  readonly unit: number
  /** `Z` or an offset, as printed; undefined if the text has none. */
  readonly zone: string | undefined
  /** Whether date and time are in the extended format: `2025-03-01T08:12`, not `20250301T0812`. */
  readonly extended: boolean
  /** Whether the text conforms to ISO 8601, see {@link isIso8601}. */
  readonly conforms: boolean
}

/**
 * Reads a timestamp, exact to the nanosecond; further digits are dropped. Returns undefined for any other text.
 *
 * Accepts a date, optionally followed by a time and a zone: `2025-03-01`, `2025-03-01T08:12`,
 * `2025-03-01 08:12:00.123456 +00:00`, `20250301T0812Z`. The date may be one of the calendar, of the year (`2025-060`) or of a
 * week (`2025-W09-6`), and its year may be expanded (`+002025-03-01`). Hyphens and colons are optional. A space may replace the `T` or
 * precede the zone. Minutes and seconds may be missing. The last number of the time may have a fraction, after a dot or a
 * comma. The zone is `Z`, `+hh`, `+hhmm` or `+hh:mm`; a text without a zone is read as UTC. The values have to exist:
 * 24:00 is midnight at the end of the day, second 60 a leap second.
 *
 * This is more than ISO 8601 allows, so that times in other formats can be compared too; `conforms` tells the
 * difference. Not read: milliseconds since 1970, dates without a day, lower-case `t` and `z`.
 */
export function readTimestamp(text: string): Timestamp | undefined {
  const scan = new Scanner(text)
  let year = 100 * scan.twoDigits() + scan.twoDigits()
  let extended = scan.skip('-')
  let month = scan.twoDigits()
  let uniform = scan.skip('-') === extended
  let day = scan.twoDigits()
  if (!(year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month))) {
    const other = otherDate(text)
    if (!other) return undefined
    ;[year, month, day, extended, uniform] = [other.year, other.month, other.day, other.extended, true]
    scan.at = other.length
  }

  let [hour, minute, second, fraction, digits] = [0, 0, 0, 0, 0]
  let smallest = DAY
  const withT = scan.skip('T')
  const timed = withT || (scan.digitAt(1) >= 0 && scan.skip(' '))
  if (timed) {
    hour = scan.twoDigits()
    smallest = HOUR
    if (scan.continues()) {
      uniform = scan.skip(':') === extended && uniform
      minute = scan.twoDigits()
      smallest = MINUTE
    }
    if (smallest === MINUTE && scan.continues()) {
      uniform = scan.skip(':') === extended && uniform
      second = scan.twoDigits()
      smallest = 1
    }
  }
  if (timed && (scan.skip('.') || scan.skip(','))) {
    const start = scan.at
    fraction = scan.billionths()
    digits = scan.at - start
    if (digits === 0) return undefined
  }
  if (!isTime(hour, minute, second, fraction)) return undefined

  const spaced = scan.skip(' ')
  const zone = scan.rest()
  const offset = offsetOf(zone)
  if (Number.isNaN(offset)) return undefined
  // a fraction of an hour or a minute can be longer than a second
  const beyond = fraction * smallest
  const local = daysSince1970(year, month, day) * DAY + hour * HOUR + minute * MINUTE + second
  return {
    seconds: local - offset + Math.floor(beyond / NANOS),
    nanos: beyond % NANOS,
    unit: Math.max(1, (smallest * NANOS) / 10 ** Math.min(digits, 9)),
    zone: zone === '' ? undefined : zone,
    extended: extended && uniform,
    conforms: uniform && !spaced && (timed ? withT : zone === ''),
  }
}

/** A date of a year or of a week, or one whose year is expanded to six digits. */
const OTHER_DATE = /^([+-]\d\d)?(\d{4})(-?)(?:(\d{3})|W(\d\d)\3([1-7])|(\d\d)\3(\d\d))(?=T|$)/

/** Such a date at the beginning of a text. Days of a year or of a week are counted from the first of January. */
function otherDate(text: string) {
  const [all, century = '', years = '', hyphen, ofYear, week, weekday, months = '1', days] =
    OTHER_DATE.exec(text) ?? []
  const [year, month] = [Number(century + years), Number(months)]
  // The calendar repeats itself after 400 years; a Date ends long before the year 999999.
  const alike = 2000 + (year - 400 * Math.floor(year / 400))
  const monday = 4 - ((utc(alike, 1, 4).getUTCDay() + 6) % 7) + 7 * (Number(week ?? 1) - 1)
  const day = week === undefined ? Number(ofYear ?? days) : monday + Number(weekday) - 1
  // A week belongs to the year of its Thursday.
  const witness = utc(alike, month, week === undefined ? day : monday + 3)
  const isThere = witness.getUTCFullYear() === alike && (!days || witness.getUTCMonth() === month - 1)
  if (all === undefined || century + years === '-000000' || !isThere) return undefined
  return { year, month, day, extended: hyphen === '-', length: all.length }
}

const utc = (year: number, month: number, day: number): Date =>
  new Date(new Date(0).setUTCFullYear(year, month - 1, day))

/**
 * Whether a text is a timestamp in ISO 8601: a date, which may be followed by `T`, a time, an optional fraction
 * (dot or comma) and an optional zone. Both the extended (`2025-03-01T08:12`) and the basic format (`20250301T0812`)
 * conform, and so do dates of a year or of a week; only the zone may be in the other format. A space in place of the `T` does not conform.
 *
 * Contract: "All timestamps are strings in ISO 8601."
 */
export function isIso8601(text: string): boolean {
  return readTimestamp(text)?.conforms === true
}

/**
 * Whether a text is a timestamp in ISO 8601 with a zone. A date without a time has no zone.
 *
 * Contract: the columns whose meaning says "ISO 8601 with timezone".
 */
export function isIso8601Zoned(text: string): boolean {
  const timestamp = readTimestamp(text)
  return timestamp?.conforms === true && timestamp.zone !== undefined
}

/** A timestamp in whole microseconds since 1970 UTC; exact up to the year 2255. */
export const microsecondsOf = ({ seconds, nanos }: Timestamp): number =>
  seconds * 1_000_000 + Math.floor(nanos / 1000)

/** A timestamp in nanoseconds since 1970 UTC. */
export const nanosecondsOf = ({ seconds, nanos }: Timestamp): bigint =>
  BigInt(seconds) * BigInt(NANOS) + BigInt(nanos)

/** Seconds of the units. */
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400]
/** Nanoseconds of a second. */
const NANOS = 1_000_000_000

/** Reads a text from its beginning. Datasets have millions of timestamps, and a regular expression takes twice as long. */
class Scanner {
  readonly #text: string
  at = 0

  constructor(text: string) {
    this.#text = text
  }

  /** The digit at this offset from the current position; -1 if there is none. */
  digitAt(places: number): number {
    const code = this.#text.charCodeAt(this.at + places)
    return code >= 48 && code <= 57 ? code - 48 : -1
  }

  /** A number of two digits; NaN if they are missing. */
  twoDigits(): number {
    const [tens, ones] = [this.digitAt(0), this.digitAt(1)]
    this.at += 2
    return tens < 0 || ones < 0 ? Number.NaN : 10 * tens + ones
  }

  /** Skips a character; false if the next character is another one. */
  skip(character: string): boolean {
    if (this.#text[this.at] !== character) return false
    this.at++
    return true
  }

  /** Whether another number of a time follows, after a colon or directly. */
  continues(): boolean {
    return this.#text[this.at] === ':' || this.digitAt(0) >= 0
  }

  /** The digits of a fraction in billionths. */
  billionths(): number {
    let value = 0
    let weight = 100_000_000
    for (let digit = this.digitAt(0); digit >= 0; digit = this.digitAt(0)) {
      value += digit * weight
      weight = weight > 1 ? weight / 10 : 0
      this.at++
    }
    return value
  }

  /** The rest of the text. */
  rest(): string {
    return this.#text.slice(this.at)
  }
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

function isTime(hour: number, minute: number, second: number, fraction: number): boolean {
  if (hour === 24) return minute === 0 && second === 0 && fraction === 0
  return hour <= 23 && minute <= 59 && second <= 60
}

/** Seconds east of UTC; 0 without a zone, NaN for an invalid zone. */
function offsetOf(zone: string): number {
  if (zone === '' || zone === 'Z' || zone === '+00:00') return 0
  const [, sign, hours, minutes = '0'] = /^([+-])([01]\d|2[0-3])(?::?([0-5]\d))?$/.exec(zone) ?? []
  return sign === undefined
    ? Number.NaN
    : Number(`${sign}1`) * (Number(hours) * HOUR + Number(minutes) * MINUTE)
}
