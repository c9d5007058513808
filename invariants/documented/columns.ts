import { isIso8601, isIso8601Zoned } from '../../schemas/formats/timestamp.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { views, type ColumnDefinition } from '../../schemas/views.ts'
import { fine, type Problems } from '../invariant.ts'
import type { Row } from '../rows/row.ts'
import { say, words, type Message } from '../message.ts'

/** The columns of a view, grouped once because there are millions of points. */
interface Columns {
  known: ReadonlySet<string>
  required: readonly string[]
  /** Columns that are never null, or only together with another one. */
  filled: readonly Pick<ColumnDefinition, 'name' | 'nullable' | 'nullOnlyWithout'>[]
  timed: readonly string[]
  zoned: readonly string[]
}

const columnsOf = Object.fromEntries(
  views.map(({ name, columns }): [string, Columns] => [
    name,
    {
      known: new Set(columns.map((column) => column.name)),
      required: columns.filter(({ optional }) => !optional).map((column) => column.name),
      filled: columns.filter((column) => !column.nullable || column.nullOnlyWithout !== undefined),
      timed: columns.filter(({ format }) => format !== undefined).map((column) => column.name),
      zoned: columns.filter(({ format }) => format === 'iso8601-zoned').map((column) => column.name),
    },
  ]),
) as Record<ViewName, Columns>

/** A message for each column that breaks a rule; allocates nothing where none does. */
function broken(
  names: readonly string[],
  isBroken: (name: string) => boolean,
  message: (name: string) => Message,
): Problems {
  return names.some(isBroken) ? names.filter(isBroken).map(message) : fine
}

/** A row has the documented columns and no others. */
export function columnProblems(row: Row, view: ViewName): Problems {
  const { known, required } = columnsOf[view]
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

/** Columns documented as never null have a value; so do the statistics of a formula series where there is a series. */
export function nullProblems(row: Row, view: ViewName): Problems {
  let problems: Message[] | undefined
  for (const { name, nullable, nullOnlyWithout: other } of columnsOf[view].filled) {
    if (row[name] !== null) continue
    if (!nullable) (problems ??= []).push(words(`${name} is null, but documented as never null.`))
    else if (row[other!] !== null) (problems ??= []).push(words(`${name} is null, although ${other} is not.`))
  }
  return problems ?? fine
}

const isPresent = (value: unknown) => value !== null && value !== undefined
const isIso = (value: unknown) => typeof value === 'string' && isIso8601(value)
const isZoned = (value: unknown) => typeof value === 'string' && isIso8601Zoned(value)

/** Timestamps are in ISO 8601. */
export function timestampProblems(row: Row, view: ViewName): Problems {
  return broken(
    columnsOf[view].timed,
    (name) => isPresent(row[name]) && !isIso(row[name]),
    (name) => say`${words(name)} is ${row[name]}, which is not in ISO 8601.`,
  )
}

/** Timestamps documented with a timezone have one. */
export function zoneProblems(row: Row, view: ViewName): Problems {
  return broken(
    columnsOf[view].zoned,
    (name) => isPresent(row[name]) && !isZoned(row[name]),
    (name) => say`${words(name)} is ${row[name]}, which has no timezone.`,
  )
}

/** Rows have the column that a delta load filters by. */
export function cursorProblems(row: Row): Problems {
  return 'last_updated_at' in row ? fine : [say`last_updated_at is missing.`]
}
