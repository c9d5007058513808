import type { ColumnDefinition } from '../../schemas/index.ts'
import { typeOf, type JsonObject } from '../connection/json.ts'

/**
 * The wrong type of a value in a row, as text; undefined if the type is right. Ignores missing keys (rows.nulls) and the
 * members of objects, which other requirements cover.
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

/** The documented type of a column, as text. */
export function wantedType({ types, items, nullable, nullOnlyWithout }: ColumnDefinition): string {
  const type = types.join(' or ') + (items ? ` of ${items}` : '')
  if (nullOnlyWithout) return `${type}, or null where ${nullOnlyWithout} is null`
  return nullable ? `${type} or null` : type
}

/** REQ-VIEW-FR-NONNULL: statistics of a series may be null if there is no series. */
function mayBeNull({ nullable, nullOnlyWithout }: ColumnDefinition, row: JsonObject): boolean {
  return nullable && (nullOnlyWithout === undefined || (row[nullOnlyWithout] ?? null) === null)
}
