import type { RowFormat } from './row-format.ts'

/** A timestamp as PostgreSQL prints it in session time zone UTC; without time zone it has no offset. */
const pattern = /^(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(\+00)?$/

/** The same in another session time zone. */
const zoned = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d{1,6})?([+-]\d\d)(?::(\d\d))?$/

/** The text in session time zone UTC; an unreadable text stays as it is. */
function inUtc(text: string): string {
  const match = zoned.exec(text)
  if (!match) return text
  const [, day, time, fraction = '', hours, minutes = '00'] = match
  const seconds = new Date(`${day}T${time}${hours}:${minutes}`)
  return `${seconds.toISOString().slice(0, 19).replace('T', ' ')}${fraction}+00`
}

/**
 * JSON text of a timestamp. Infinities become null; a year that ISO 8601 cannot write with four digits keeps the text
 * of the database.
 *
 * @param text as PostgreSQL prints it
 */
export function timestampJson(
  text: string,
  { timestamp, precision }: Pick<RowFormat, 'timestamp' | 'precision'>,
): string {
  const json = fullJson(text, timestamp)
  return precision ? precision(json) : json
}

function fullJson(text: string, write: RowFormat['timestamp']): string {
  if (text === 'infinity' || text === '-infinity') return 'null'
  const match = pattern.exec(text)
  if (!match) {
    const utc = inUtc(text)
    return utc === text ? JSON.stringify(text) : fullJson(utc, write)
  }
  const [, year, month, day, hour, minute, second, digits = '', zone] = match
  return write({
    seconds: text.slice(0, 19).replace(' ', 'T'),
    micros: digits.padEnd(6, '0'),
    isZoned: zone !== undefined,
    epochMs: Date.UTC(
      Number(year),
      Number(month) - 1,
      Number(day),
      Number(hour),
      Number(minute),
      Number(second),
    ),
  })
}
