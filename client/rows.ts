import type { StatementEnvelope } from '../schemas/generated/types.ts'
import type { ColumnDefinition } from '../schemas/views.ts'

/** A row by column name. */
export type Row = Record<string, unknown>

/** The rows are there, but not so that they could be given by column name; the message names the remedy. */
export class UnreadableRows extends Error {
  override readonly name = 'UnreadableRows'
}

/**
 * The rows of an answer by column name. "Shape of the row objects inside data: not shown" (NS-12): objects, objects
 * wrapped in `row`, and arrays with their columns beside them or with columns that the statement named.
 *
 * @param columns the columns of the statement in its order, where they are known
 * @throws UnreadableRows for arrays whose columns nobody names, and for rows that are neither
 */
export function rowsByName(envelope: StatementEnvelope, columns?: readonly string[]): Row[] {
  const { data } = envelope
  if (data.some(Array.isArray)) return data.map(named(listedColumns(envelope) ?? columns))
  if (!data.every(isObject)) throw new UnreadableRows('A row is neither an object nor an array.')
  return data.every(isWrapped) ? data.map(({ row }) => row) : data
}

/**
 * Gives every row of a view its columns: null where a service leaves a column without a value out (NS-15).
 *
 * @throws UnreadableRows where a column is missing that is never null
 */
export function completeRows(rows: Row[], columns: readonly ColumnDefinition[]): Row[] {
  for (const row of rows) {
    for (const { name, nullable, optional } of columns) {
      if (Object.hasOwn(row, name)) continue
      if (nullable) row[name] = null
      else if (!optional)
        throw new UnreadableRows(`A row has no ${name}, which is never null; its keys are ${keysOf(row)}.`)
    }
  }
  return rows
}

export const keysOf = (row: Row): string => Object.keys(row).join(', ') || 'none'

function named(names: readonly string[] | undefined): (row: unknown) => Row {
  if (names === undefined)
    throw new UnreadableRows(
      'The service sends rows as arrays, without names. Name the columns to read: columns.',
    )
  return (row) => {
    if (!Array.isArray(row) || row.length !== names.length)
      throw new UnreadableRows(`A row does not hold the ${names.length} columns ${names.join(', ')}.`)
    return Object.fromEntries(names.map((name, index) => [name, row[index]]))
  }
}

/** Column names beside the rows, as the field writes them: `columns: ["id"]` or `columns: [{"name": "id"}]`. */
function listedColumns(envelope: StatementEnvelope): string[] | undefined {
  const { columns, fields } = envelope as unknown as Row
  const listed = columns ?? fields
  if (!Array.isArray(listed)) return undefined
  const names = listed.map((item: unknown) => (isObject(item) ? item['name'] : item))
  return names.every((name) => typeof name === 'string') ? names : undefined
}

const isObject = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A statement may well have one column of the name `row`; that its values are objects in every row is not likely. */
const isWrapped = (row: Row): row is { row: Row } => Object.keys(row).length === 1 && isObject(row['row'])
