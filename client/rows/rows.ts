import type { StatementEnvelope } from '../../schemas/generated/types.ts'
import { formOf } from '../../schemas/reading/column-names.ts'
import { listedColumns } from '../../schemas/reading/listed-columns.ts'
import type { ColumnDefinition } from '../../schemas/views.ts'

/** A row by column name. */
export type Row = Record<string, unknown>

/** Rows cannot be assigned to column names; the message names the remedy. */
export class UnreadableRows extends Error {
  override readonly name = 'UnreadableRows'
}

/**
 * The rows of an answer by column name. The contract leaves their shape open (rows.shape): objects, objects wrapped in
 * `row`, or arrays with columns named by the answer or the statement.
 *
 * @param columns the columns of the statement in order, if known
 * @throws UnreadableRows for arrays without column names, and for rows that are neither objects nor arrays
 */
export function rowsByName(envelope: StatementEnvelope, columns?: readonly string[]): Row[] {
  const { data } = envelope
  if (data.some(Array.isArray)) return data.map(named(listedColumns(envelope) ?? columns))
  if (!data.every(isObject))
    throw new UnreadableRows('A row is neither an object nor an array. Read the answer with execute().')
  return data.every(isWrapped) ? data.map(({ row }) => row) : data
}

/**
 * The rows of a view with the documented names of its columns (rows.case, rows.shape), and with omitted columns as null
 * (rows.nulls).
 *
 * @throws UnreadableRows if a column is missing that is never null
 */
export function completeRows(served: Row[], columns: readonly ColumnDefinition[]): Row[] {
  const rows = withDocumentedNames(served, columns)
  for (const row of rows) {
    for (const { name, nullable, optional } of columns) {
      if (Object.hasOwn(row, name)) continue
      if (nullable) row[name] = null
      else if (!optional)
        throw new UnreadableRows(
          `A row lacks ${name}, which is never null; its keys are ${keysOf(row)}. Read such rows with query().`,
        )
    }
  }
  return rows
}

/**
 * Gives keys their documented names if the service writes them in another letter case, or behind the name of the view. The
 * keys of the first row decide: the others have the same form. Of several keys for one name, the last wins.
 */
export function withDocumentedNames(rows: Row[], columns: readonly ColumnDefinition[]): Row[] {
  const [first] = rows
  if (first === undefined || columns.every(({ name }) => Object.hasOwn(first, name))) return rows
  const byForm = new Map(columns.map(({ name }) => [formOf(name), name]))
  const nameIn = (row: Row, key: string): string => {
    const name = byForm.get(formOf(key))
    return name && !Object.hasOwn(row, name) ? name : key
  }
  if (Object.keys(first).every((key) => nameIn(first, key) === key)) return rows
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([key, value]) => [nameIn(row, key), value])),
  )
}

/** A row as text; `parse` may return bigints, which JSON lacks. */
export const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))

export const keysOf = (row: Row): string => Object.keys(row).join(', ') || 'none'

function named(names: readonly string[] | undefined): (row: unknown) => Row {
  if (names === undefined)
    throw new UnreadableRows(
      'The service sends rows as arrays without names. Name the columns to read: columns.',
    )
  return (row) => {
    if (!Array.isArray(row) || row.length !== names.length)
      throw new UnreadableRows(
        `A row does not have the ${names.length} columns ${names.join(', ')}. Name the columns of the statement in order.`,
      )
    return Object.fromEntries(names.map((name, index) => [name, row[index]]))
  }
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A statement may select a single column `row`, but its values are unlikely to be objects. */
const isWrapped = (row: Row): row is { row: Row } => Object.keys(row).length === 1 && isObject(row['row'])
