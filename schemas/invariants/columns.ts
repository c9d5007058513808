import { isIso8601, isIso8601Zoned } from '../formats.ts'
import type { ViewName } from '../generated/types.ts'
import { view } from '../generated/views.ts'
import { shown, unless, type Problems, type Row } from './invariant.ts'

/** A row has the documented columns and no others. */
export function columnProblems(row: Row, name: ViewName): Problems {
  const { columns } = view(name)
  const missing = columns.filter((column) => !column.optional && !(column.name in row))
  const unknown = Object.keys(row).filter((key) => columns.every((column) => column.name !== key))
  return [
    ...missing.map((column) => `The column ${column.name} is missing.`),
    ...unknown.map((key) => `The column ${key} is not documented.`),
  ]
}

/** Columns that are never null hold something; the statistics of a formula series too, where there is a series. */
export function nullProblems(row: Row, name: ViewName): Problems {
  return view(name).columns.flatMap(({ name: column, nullable, nullOnlyWithout: other }) => {
    if (row[column] !== null) return []
    if (!nullable) return [`${column} is null.`]
    return other !== undefined && row[other] !== null ? [`${column} is null, although ${other} is not.`] : []
  })
}

/** Timestamps are ISO 8601. */
export function timestampProblems(row: Row, name: ViewName): Problems {
  return timestamps(row, name, () => true).flatMap(([column, value]) =>
    unless(
      typeof value === 'string' && isIso8601(value),
      `${column} is ${shown(value)}, which is not ISO 8601.`,
    ),
  )
}

/** Timestamps whose meaning says so carry a zone. */
export function zoneProblems(row: Row, name: ViewName): Problems {
  return timestamps(row, name, (format) => format === 'iso8601-zoned').flatMap(([column, value]) =>
    unless(
      typeof value === 'string' && isIso8601Zoned(value),
      `${column} is ${shown(value)}, without a zone.`,
    ),
  )
}

function timestamps(row: Row, name: ViewName, wanted: (format: string) => boolean): [string, unknown][] {
  return view(name)
    .columns.filter((column) => column.format !== undefined && wanted(column.format))
    .map((column): [string, unknown] => [column.name, row[column.name]])
    .filter(([, value]) => value !== null && value !== undefined)
}

/** Every row can be followed by a delta load: it says when it changed. */
export function cursorProblems(row: Row): Problems {
  return unless('last_updated_at' in row, 'last_updated_at is missing.')
}
