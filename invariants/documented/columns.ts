import { isIso8601, readTimestamp } from '../../base/time/timestamp.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { tableColumns, view as viewOf, views, type ColumnDefinition } from '../../schemas/views.ts'
import { fine, type Problems } from '../invariant.ts'
import { say, words, type Message } from '../message.ts'
import type { Row } from '../rows/row.ts'
import { noViolations, type RowRule, type Violation } from './judging.ts'

const all = views.map(({ name }) => name)

/**
 * Values have the documented types, and null only where it is documented. A missing value is not judged (rows.nulls), and
 * neither is the inside of an object: other requirements are about these. A column that no table lists has no documented type.
 */
export const types: RowRule = {
  views: all,
  requirement: (view) => `REQ-VIEW-TYPES:${view}`,
  judge: (view) => {
    const columns = tableColumns(view)
    return (row) => {
      let violations: Violation[] | undefined
      for (const column of columns) {
        const actual = wrongType(column, row)
        if (actual === undefined) continue
        violations ??= []
        violations.push({ column: column.name, expected: words(wantedType(column)), actual: words(actual) })
      }
      return violations ?? noViolations
    }
  },
}

/** The wrong type of a column's value, in words; undefined if it is right. */
function wrongType(column: ColumnDefinition, row: Row): string | undefined {
  const value = row[column.name]
  if (value === undefined) return undefined
  if (value === null) return mayBeNull(column, row) ? undefined : 'null'
  const type = typeOf(value)
  if (!(column.types as readonly string[]).includes(type)) return type
  if (!Array.isArray(value) || column.items === undefined) return undefined
  const wrong = value.map(typeOf).find((item) => item !== column.items)
  return wrong === undefined ? undefined : `array of ${wrong}`
}

/** REQ-VIEW-FR-NONNULL: the summary of a series may be null if there is no series. */
function mayBeNull({ nullable, nullOnlyWithout }: ColumnDefinition, row: Row): boolean {
  return nullable && (nullOnlyWithout === undefined || (row[nullOnlyWithout] ?? null) === null)
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The type a column is documented with, in words. */
function wantedType({ types, items, nullable, nullOnlyWithout }: ColumnDefinition): string {
  const type = types.join(' or ') + (items ? ` of ${items}` : '')
  if (nullOnlyWithout) return `${type}, or null where ${nullOnlyWithout} is null`
  return nullable ? `${type} or null` : type
}

/** Timestamps are in ISO 8601. A space in place of the T, or before the zone, is left to {@link separator}. */
export const iso8601: RowRule = timestampRule(
  'REQ-VIEW-TS-1',
  ['iso8601', 'iso8601-zoned'],
  (text) => isIso8601(text) || isIso8601(withT(text)),
  'ISO 8601, for instance 2025-03-01T08:12:00.123456+00:00',
)

/** Timestamps have a T between date and time, and no space before the zone. */
export const separator: RowRule = timestampRule(
  'REQ-VIEW-TS-1',
  ['iso8601', 'iso8601-zoned'],
  (text) => !text.includes(' ') || withT(text) === text,
  'a T between date and time, and no space before the zone',
)

/** Timestamps documented with a timezone have one. */
export const zone: RowRule = timestampRule(
  'REQ-VIEW-TS-2',
  ['iso8601-zoned'],
  (text) => {
    const read = readTimestamp(text)
    // iso8601 judges what cannot be read
    return read === undefined || read.zone !== undefined
  },
  'a timestamp with a zone at the end: Z or an offset such as +02:00',
)

/** The same time with its T and without a space before the zone. */
const withT = (text: string): string => text.replace(/^(\S{10}) /, '$1T').replace(/ (?=[+-]|Z$)/, '')

function timestampRule(
  requirement: string,
  formats: readonly ColumnDefinition['format'][],
  holds: (text: string) => boolean,
  expected: string,
): RowRule {
  return {
    views: all,
    requirement: () => requirement,
    judge: (view) => {
      const columns = viewOf(view).columns.filter(({ format }) => format && formats.includes(format))
      return (row) => {
        let violations: readonly Violation[] | undefined
        for (const { name: column } of columns) {
          const text = row[column]
          if (typeof text !== 'string') continue
          violations ??= noViolations
          if (holds(text)) continue
          violations = [...violations, { column, expected: words(expected), actual: say`${text}` }]
        }
        return violations
      }
    },
  }
}

/** A message for each column that breaks a rule; allocates nothing where none does. */
function broken(
  names: readonly string[],
  isBroken: (name: string) => boolean,
  message: (name: string) => Message,
): Problems {
  return names.some(isBroken) ? names.filter(isBroken).map(message) : fine
}

/** A row has the documented columns and no others. */
export function columnProblems(view: ViewName): (row: Row) => Problems {
  const { columns } = viewOf(view)
  const known = new Set(columns.map(({ name }) => name))
  const required = columns.filter(({ optional }) => !optional).map(({ name }) => name)
  return (row) => {
    const missing = broken(
      required,
      (name) => !(name in row),
      (name) => words(`The column ${name} is missing.`),
    )
    const unknown = broken(
      Object.keys(row),
      (name) => !known.has(name),
      (name) => words(`The column ${name} is not documented.`),
    )
    return missing.length + unknown.length === 0 ? fine : [...missing, ...unknown]
  }
}

/** Rows have the column that a delta load filters by. */
export function cursorProblems(row: Row): Problems {
  return 'last_updated_at' in row ? fine : [say`last_updated_at is missing.`]
}
