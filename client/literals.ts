import { sqlLiteral } from '../schemas/formats/sql-literal.ts'
import { ClientUsageError } from './errors.ts'
import { instantOf, utcText } from './instant.ts'

/**
 * The form of date literals, a variant of the open point delta.literal. `as-given` keeps the timestamp unchanged. The others
 * write the beginning of its second or day in UTC, and the client omits the older rows that the service then returns.
 */
export type DateLiteral = (typeof dateLiterals)[number]

export const dateLiterals = [
  'as-given',
  'quoted-date',
  'iso-date-time',
  'space-date-time',
  'date-keyword',
  'timestamp-keyword',
] as const

/**
 * A text as an SQL literal, with doubled single quotes.
 *
 * @throws ClientUsageError for U+0000, which ends a text in some databases
 */
export function quote(text: string): string {
  if (text.includes('\0'))
    throw new ClientUsageError('An SQL literal cannot contain the character U+0000. Remove it.')
  return sqlLiteral(text)
}

/**
 * A timestamp as text for statements and cursors.
 *
 * @throws ClientUsageError for any text but ISO 8601
 */
export function timestampText(timestamp: string | Date): string {
  if (timestamp instanceof Date && !Number.isNaN(timestamp.getTime())) return timestamp.toISOString()
  if (typeof timestamp === 'string' && instantOf(timestamp) !== undefined) return timestamp
  throw new ClientUsageError(
    `"${String(timestamp)}" is not a timestamp. Write it in ISO 8601, such as 2025-12-01 or 2025-12-01T08:00:00Z.`,
  )
}

/** A date literal in the form that the service accepts. */
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
