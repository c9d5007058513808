/** `T`, a time down to hours, minutes or seconds, a fraction of the smallest of them, and a zone. */
const zone = String.raw`(?<zone>Z|[+-](?<zoneHour>\d\d)(?::?(?<zoneMinute>\d\d))?)?`
const extended = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d\d)-(?<day>\d\d)` +
    String.raw`(?:T(?<hour>\d\d)(?::(?<minute>\d\d)(?::(?<second>\d\d))?)?(?:[.,](?<fraction>\d+))?${zone})?$`,
)
const basic = new RegExp(
  String.raw`^(?<year>\d{4})(?<month>\d\d)(?<day>\d\d)` +
    String.raw`(?:T(?<hour>\d\d)(?:(?<minute>\d\d)(?<second>\d\d)?)?(?:[.,](?<fraction>\d+))?${zone})?$`,
)

/**
 * Whether a text is a timestamp in ISO 8601: a calendar date, alone or followed by `T`, a time, an optional
 * fraction (dot or comma) and an optional zone (`Z`, `+hh`, `+hhmm`, `+hh:mm`). Both the extended
 * (`2025-03-01T08:12`) and the basic format (`20250301T0812`) conform, a mixture of them only in the zone.
 * Values have to exist in the calendar; 24:00 is midnight at the end of the day, second 60 a leap second. A
 * space instead of `T` does not conform. Week dates and ordinal dates are not timestamps of this kind.
 *
 * Contract: "All timestamps are strings in ISO 8601."
 */
export function isIso8601(text: string): boolean {
  return parse(text) !== undefined
}

/**
 * Whether a text is a timestamp in ISO 8601 that carries a zone; a date alone can not.
 *
 * Contract: the columns whose meaning says "ISO 8601 with timezone".
 */
export function isIso8601Zoned(text: string): boolean {
  return parse(text)?.zone !== undefined
}

/** The two formats as JSON Schema names them. */
export const formats = { iso8601: isIso8601, 'iso8601-zoned': isIso8601Zoned }

type Parts = Readonly<Record<string, string | undefined>>

function parse(text: string): Parts | undefined {
  const parts: Parts | undefined = (extended.exec(text) ?? basic.exec(text))?.groups
  return parts && isDate(parts) && isTime(parts) && isZone(parts) ? parts : undefined
}

function isDate({ year, month, day }: Parts): boolean {
  return isBetween(month, 1, 12) && isBetween(day, 1, daysIn(Number(year), Number(month)))
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

function isTime({ hour = '0', minute = '0', second = '0', fraction = '0' }: Parts): boolean {
  if (hour === '24') return Number(minute) === 0 && Number(second) === 0 && Number(fraction) === 0
  return isBetween(hour, 0, 23) && isBetween(minute, 0, 59) && isBetween(second, 0, 60)
}

function isZone({ zoneHour = '0', zoneMinute = '0' }: Parts): boolean {
  return isBetween(zoneHour, 0, 23) && isBetween(zoneMinute, 0, 59)
}

function isBetween(digits: string | undefined, low: number, high: number): boolean {
  return Number(digits) >= low && Number(digits) <= high
}
