import { ClientError } from './errors.ts'
import { instantOf, utcText } from './instant.ts'

/**
 * How a service wants date literals written; the slugs of NS-56. `as-given` keeps the timestamp as it is. The others
 * write the beginning of its second or day in UTC: what is read then begins earlier, and the client leaves out what
 * is too old.
 */
export type DateLiteral =
  | 'as-given'
  | 'quoted-date'
  | 'iso-date-time'
  | 'space-date-time'
  | 'date-keyword'
  | 'timestamp-keyword'

/**
 * A text as a literal of SQL: single quotes doubled.
 *
 * @throws ClientError for U+0000, which databases end a text at
 */
export function quote(text: string): string {
  if (text.includes('\0')) throw new ClientError('A literal of SQL can not hold the character U+0000.')
  return `'${text.replaceAll("'", "''")}'`
}

/**
 * A timestamp as it is written into statements and cursors.
 *
 * @throws ClientError for anything but ISO 8601
 */
export function timestampText(timestamp: string | Date): string {
  if (timestamp instanceof Date && !Number.isNaN(timestamp.getTime())) return timestamp.toISOString()
  if (typeof timestamp === 'string' && instantOf(timestamp) !== undefined) return timestamp
  throw new ClientError(
    `"${String(timestamp)}" is not a timestamp. Write it in ISO 8601, such as 2025-12-01 or 2025-12-01T08:00:00Z.`,
  )
}

/** A date literal (Endpoints, rule 2) in the spelling that the service takes. */
export function dateLiteral(timestamp: string, spelling: DateLiteral): string {
  if (spelling === 'as-given') return quote(timestamp)
  const text = utcText(instantOf(timestamp)!)
  const [date, time] = [text.slice(0, 10), text.slice(11, 19)]
  switch (spelling) {
    case 'quoted-date':
      return `'${date}'`
    case 'date-keyword':
      return `DATE '${date}'`
    case 'iso-date-time':
      return `'${date}T${time}Z'`
    case 'space-date-time':
      return `'${date} ${time}'`
    case 'timestamp-keyword':
      return `TIMESTAMP '${date} ${time}'`
  }
}
