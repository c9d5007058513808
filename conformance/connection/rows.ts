import { formOf } from '../../schemas/reading/column-names.ts'
import { listedColumns } from '../../schemas/reading/listed-columns.ts'
import { isObject, typeOf, type Json, type JsonObject } from './values/json.ts'
import type { Reply } from './http/reply.ts'

/** The shape of the rows of a target (open point rows.shape). */
export type RowShape = 'object' | 'array' | 'array-with-columns' | 'wrapped' | 'prefixed'

export interface RowSet {
  shape: RowShape
  /** Rows with the column names of the statement, for any shape and case of the keys. */
  rows: JsonObject[]
  /** A key that differs from the documented name of its column. */
  renamed?: string
}

/** Why rows cannot be read by column. */
export const UNKNOWN_SHAPE = 'the rows have a shape that does not name their columns'

/**
 * The rows of a reply by column name; undefined if the names are unknown: the contract does not show the shape of a row.
 *
 * @param columns the columns of the statement, in its order; for `SELECT *` the documented columns
 * @param positional whether `columns` names the values of rows that are arrays; false for `SELECT *`
 */
export function rowsOf(reply: Reply, columns: readonly string[], positional: boolean): RowSet | undefined {
  const first = reply.data[0]
  if (first === undefined) return { shape: 'object', rows: [] }
  if (Array.isArray(first)) {
    const listed = reply.envelope && listedColumns(reply.envelope.body)
    const names = listed ?? (positional ? columns : undefined)
    if (!names || isPaired(first, names)) return undefined
    const rows = reply.data.map((row) => zip(names, Array.isArray(row) ? row : []))
    return documented(listed ? 'array-with-columns' : 'array', names, rows, columns)
  }
  const unwrapped = reply.data.map((row) => flattened(unwrap(row), columns))
  const keys = isObject(unwrapped[0]) ? Object.keys(unwrapped[0]) : []
  const prefixed = keys.length > 0 && keys.every((key) => key.includes('.'))
  if (isObject(unwrapped[0]) && isForeign(unwrapped[0], columns)) return undefined
  const shape = prefixed ? 'prefixed' : unwrapped[0] !== first ? 'wrapped' : 'object'
  return documented(
    shape,
    keys,
    unwrapped.map((row) => (isObject(row) ? row : {})),
    columns,
  )
}

/** The rows with the documented names of their columns, and one of the `keys` that had another name. */
function documented(
  shape: RowShape,
  keys: readonly string[],
  read: readonly JsonObject[],
  columns: readonly string[],
): RowSet {
  const rows = read.map((row) => rename(row, columns))
  const renamed = keys.find((key) => !(key in rows[0]!))
  return { shape, rows, ...(renamed === undefined ? {} : { renamed }) }
}

/**
 * Whether a row does not name its columns, or names more of them inside of a member: `{"id": 1, "attributes": {...}}`. The key
 * of a single value may have any name, as that of MAX has.
 */
function isForeign(row: JsonObject, columns: readonly string[]): boolean {
  const namedIn = (value: Json) => Object.keys(Object(value)).filter((key) => hasName(columns, key)).length
  const others = Object.keys(row).filter((key) => !hasName(columns, key))
  if (others.some((key) => isObject(row[key]!) && namedIn(row[key]!) > namedIn(row))) return true
  const single = columns.length === 1 && others.length === 1 && Object(row[others[0]!]) !== row[others[0]!]
  return namedIn(row) === 0 && others.length > 0 && !single
}

/** Whether the items of a row are lists or objects that stand for columns, such as `[["id", "a"], ["name", "b"]]`. */
const isPaired = (row: readonly Json[], names: readonly string[]): boolean =>
  row.every((item) => item !== null && typeof item === 'object') &&
  (row.length > 1 || names.length > 1 || Object.values(row[0] ?? []).some((value) => value === names[0]))

/** `{"row": {...}}` -> `{...}`; anything else stays. */
function unwrap(row: Json): Json {
  if (!isObject(row)) return row
  const values = Object.values(row)
  return values.length === 1 && 'row' in row && isObject(values[0]) ? values[0] : row
}

/** `{"t": {"id": 1}, "b": null}` -> `{"t.id": 1}`: rows of a join by alias or view. A column whose value is an object stays. */
function flattened(row: Json, columns: readonly string[]): Json {
  if (!isObject(row)) return row
  const entries = Object.entries(row)
  const isNested =
    entries.some(([, value]) => isObject(value)) &&
    entries.every(([key, value]) => (value === null || isObject(value)) && !hasName(columns, key))
  if (!isNested) return row
  return Object.fromEntries(
    entries.flatMap(([alias, value]) =>
      isObject(value) ? Object.entries(value).map(([key, each]) => [`${alias}.${key}`, each]) : [],
    ),
  )
}

const hasName = (columns: readonly string[], key: string): boolean =>
  columns.some((column) => formOf(column) === formOf(key))

const zip = (names: readonly string[], values: readonly Json[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name, index) => (values[index] === undefined ? [] : [[name, values[index]]])),
  )

/** Replaces keys in another case or with a table prefix by the documented names. Unknown keys stay. */
function rename(row: JsonObject, columns: readonly string[]): JsonObject {
  const keys = Object.keys(row)
  if (keys.every((key) => columns.includes(key))) return row
  const byForm = new Map(columns.map((column) => [formOf(column), column]))
  return Object.fromEntries(
    keys.map((key) => [columns.includes(key) ? key : (byForm.get(formOf(key)) ?? key), row[key]!]),
  )
}

/** The type of a value in a row; `absent` if the row lacks the column (rows.nulls). */
export const columnType = (row: JsonObject, column: string) =>
  column in row ? typeOf(row[column]!) : 'absent'
