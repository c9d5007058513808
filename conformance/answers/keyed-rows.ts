import type { ViewName } from '../../schemas/index.ts'
import { keyColumns } from '../comparisons/projection.ts'
import { instantOf } from '../connection/instant.ts'
import { canonical, type JsonObject } from '../connection/json.ts'
import type { ViewRows } from './answers.ts'

/** A row with the text of its key. */
export interface KeyedRow {
  key: string
  row: JsonObject
}

/** The rows of an answer that have a key, those that lack a partner in a join included. */
export const keyedRows = ({ view, rows, withoutPartner = [] }: ViewRows): KeyedRow[] =>
  [...rows, ...withoutPartner].flatMap((row) => {
    const key = keyTextOf(view, row)
    return key === undefined ? [] : [{ key, row }]
  })

/** The text of the key of a row; undefined if a value is null. A timestamp may be spelled in several ways. */
function keyTextOf(view: ViewName, row: JsonObject): string | undefined {
  const values = keyColumns(view).map((column) => row[column] ?? null)
  if (values.includes(null)) return undefined
  return values
    .map((value) => (typeof value === 'string' ? (instantOf(value)?.toString() ?? value) : canonical(value)))
    .join(' ')
}
