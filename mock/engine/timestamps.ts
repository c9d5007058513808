import type { RowFormat } from './engine.ts'

/** What PostgreSQL prints for a timestamp in session time zone UTC: the offset is absent without time zone. */
const pattern = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(\+00)?$/

/** The same in another session time zone. */
const zoned = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d)(?::(\d\d))?$/

/** The text that session time zone UTC would have; what can't be read stays. */
function inUtc(text: string): string {
  const match = zoned.exec(text)
  if (!match) return text
  const [, day, time, fraction = '', hours, minutes = '00'] = match
  const seconds = new Date(`${day}T${time}${hours}:${minutes}`)
  return `${seconds.toISOString().slice(0, 19).replace('T', ' ')}${fraction}+00`
}

/** Offset of the `local-offset` format, in hours. */
const localHours = 2

/**
 * JSON text of a timestamp. Infinities become null (decisions/0023, ruling 7); what ISO 8601 can't write with four digits
 * of year keeps the database's text.
 *
 * @param text as PostgreSQL prints it
 * @param precision whether digits behind the milliseconds are left out
 */
export function timestampJson(
  text: string,
  format: RowFormat['timestamps'],
  precision: RowFormat['precision'] = 'full',
): string {
  const json = fullJson(text, format)
  return precision === 'full' ? json : json.replace(/(\.\d{3})\d+/, '$1')
}

function fullJson(text: string, format: RowFormat['timestamps']): string {
  if (text === 'infinity' || text === '-infinity') return 'null'
  const match = pattern.exec(text)
  if (!match) {
    const utc = inUtc(text)
    return utc === text ? JSON.stringify(text) : fullJson(utc, format)
  }
  const [, year, month, day, hour, minute, second, digits = '', zone] = match
  const millis = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  if (format === 'epoch-millis') return String(millis + Number(digits.padEnd(3, '0').slice(0, 3)))
  const micros = digits.padEnd(6, '0')
  const seconds = text.slice(0, 19).replace(' ', 'T')
  const offset = zone ? '+00:00' : ''
  const utc = zone ? 'Z' : ''
  switch (format) {
    case 'micros-offset':
      return `"${seconds}.${micros}${offset}"`
    case 'micros-z':
      return `"${seconds}.${micros}${utc}"`
    case 'millis-z':
      return `"${seconds}.${micros.slice(0, 3)}${utc}"`
    case 'seconds-z':
      return `"${seconds}${utc}"`
    case 'nanos-z':
      return `"${seconds}.${micros}000${utc}"`
    case 'trimmed':
      return `"${`${seconds}.${micros}`.replace(/\.?0*$/, '')}${offset}"`
    case 'hour-offset':
      return `"${seconds}.${micros}${zone ?? ''}"`
    case 'local-offset': {
      if (!zone) return `"${seconds}.${micros}"`
      const local = new Date(millis + localHours * 3_600_000).toISOString().slice(0, 19)
      return `"${local}.${micros}+0${localHours}:00"`
    }
    case 'no-zone':
      return `"${seconds}.${micros}"`
    case 'space-separator':
      return `"${seconds.replace('T', ' ')}.${micros}${offset}"`
  }
}
