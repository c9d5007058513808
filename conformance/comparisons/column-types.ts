import type { ColumnDefinition } from '../../schemas/index.ts'
import { typeOf, type JsonObject } from '../connection/json.ts'

/**
 * The wrong type of a column's value in a row, in words; undefined if it is right. A missing key is not compared
 * (rows.nulls), and neither is the inside of an object, which other requirements are about.
 */
export function wrongType(column: ColumnDefinition, row: JsonObject): string | undefined {
  const value = row[column.name]
  if (value === undefined) return undefined
  const type = typeOf(value)
  if (type === 'null') return mayBeNull(column, row) ? undefined : 'null'
  if (!column.types.includes(type)) return type
  if (!Array.isArray(value) || column.items === undefined) return undefined
  const wrong = value.map(typeOf).find((item) => item !== column.items)
  return wrong === undefined ? undefined : `an array that holds ${wrong}`
}

/** The type a column is documented with, in words. */
export function wantedType({ types, items, nullable, nullOnlyWithout }: ColumnDefinition): string {
  const type = types.join(' or ') + (items ? ` of ${items}` : '')
  if (nullOnlyWithout) return `${type}, or null where ${nullOnlyWithout} is null`
  return nullable ? `${type} or null` : type
}

/** REQ-VIEW-FR-NONNULL: the summary of a series may be null if there is no series. */
function mayBeNull({ nullable, nullOnlyWithout }: ColumnDefinition, row: JsonObject): boolean {
  return nullable && (nullOnlyWithout === undefined || (row[nullOnlyWithout] ?? null) === null)
}
