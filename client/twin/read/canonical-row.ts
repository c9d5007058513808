import { formOf } from '../../../schemas/reading/column-names.ts'
import { storableTimestamp } from '../../../fixtures/storable.ts'
import type { ColumnDefinition } from '../../../schemas/index.ts'

/**
 * A row in the form of the contract, from the form of a service: names in any case, omitted nulls, numbers and JSON as text,
 * timestamps that PostgreSQL would not read. A value of another type stays, so that the check of the row finds it.
 *
 * @param columns the columns of the statement
 */
export function canonicalRow(
  row: Readonly<Record<string, unknown>>,
  columns: readonly ColumnDefinition[],
): Record<string, unknown> {
  const values = new Map(Object.entries(row).map(([name, value]) => [formOf(name), value]))
  return Object.fromEntries(
    columns
      .map((column) => [column.name, canonicalValue(values.get(formOf(column.name)), column)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function canonicalValue(value: unknown, { postgres, nullable, types }: ColumnDefinition): unknown {
  if (value === undefined || value === null) return nullable ? null : value
  switch (postgres) {
    case 'float8':
    case 'numeric':
      return typeof value === 'string' ? numberOf(value, nullable) : value
    case 'timestamptz':
      return timestampOf(value, nullable)
    case 'boolean':
      return value === 'true' ? true : value === 'false' ? false : value
    case 'jsonb':
      return typeof value === 'string' && !types.includes('string') ? jsonOf(value, nullable) : value
    case 'text':
      return typeof value === 'number' ? String(value) : value
  }
}

/** NaN and the infinities are null: JSON has no number for them. */
function numberOf(text: string, nullable: boolean): unknown {
  const isMissing = /^\s*$|^[+-]?(nan|inf(inity)?)$/i.test(text)
  if (isMissing) return nullable ? null : text
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}

/** A timestamp without a zone is UTC; a number counts milliseconds since 1970. */
function timestampOf(value: unknown, nullable: boolean): unknown {
  if (value === '' && nullable) return null
  if (typeof value === 'number' && Math.abs(value) <= 8.64e15) return new Date(value).toISOString()
  if (typeof value !== 'string') return value
  const spaceless = value.trim().replace(/ (?=(Z|[+-]\d\d(:?\d\d)?)$)/, '')
  const text = spaceless.replace(/^(\d{4}-\d\d-\d\d) (?=\d)/, '$1T')
  return storableTimestamp(/T\d\d:\d\d(:\d\d([.,]\d+)?)?$/.test(text) ? `${text}Z` : text)
}

function jsonOf(text: string, nullable: boolean): unknown {
  if (text === '' && nullable) return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
