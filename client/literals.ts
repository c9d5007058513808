import { sqlLiteral } from '../base/text/sql-literal.ts'
import { dateLiterals, type DateNotation } from '../schemas/reading/date-literals.ts'
import { ClientUsageError } from './errors.ts'
import { instantOf, utcText } from './rows/instant.ts'

/**
 * The form of date literals, a variant of the open point delta.literal. `as-given` keeps the timestamp unchanged. The others
 * write the beginning of its second or day in UTC, and the client omits the older rows that the service then returns.
 */
export type DateLiteral = 'as-given' | DateNotation

/**
 * Writes a text as an SQL literal, with doubled single quotes.
 * @example const rows = await client.query(`SELECT * FROM v_quantities WHERE name = ${quote("Young's modulus")}`)
 * @throws ClientUsageError for another type, and for U+0000, which ends a text in some databases
 */
export function quote(text: string): string {
  if (typeof text !== 'string' || text.includes('\0'))
    throw new ClientUsageError(
      'Only a string without the character U+0000 can be quoted. Give such a string.',
    )
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
  return dateLiterals[spelling](text.slice(0, 10), text.slice(11, 19))
}
