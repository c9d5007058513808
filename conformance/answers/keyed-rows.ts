import { contract, type ViewName } from '../../schemas/index.ts'
import { instantOf } from '../connection/values/instant.ts'
import { canonical, type JsonObject } from '../connection/values/json.ts'
import type { ViewRows } from './answers.ts'

/** A row with the text of its key. */
export interface KeyedRow {
  key: string
  row: JsonObject
}

const known = new WeakMap<ViewRows['rows'], KeyedRow[]>()

/** The rows of an answer that have a key, those that lack a partner in a join included. Reads the keys once. */
export function keyedRows({ view, rows, withoutPartner = [] }: ViewRows): readonly KeyedRow[] {
  const before = known.get(rows)
  if (before) return before
  const keyed = [...rows, ...withoutPartner].flatMap((row) => {
    const key = keyTextOf(view, row)
    return key === undefined ? [] : [{ key, row }]
  })
  known.set(rows, keyed)
  return keyed
}

/** The text of the key of a row; undefined if a value is null. A timestamp may be spelled in several ways. */
function keyTextOf(view: ViewName, row: JsonObject): string | undefined {
  const values = contract.keys[view].map((column) => row[column] ?? null)
  if (values.includes(null)) return undefined
  return values
    .map((value) => (typeof value === 'string' ? (instantOf(value)?.toString() ?? value) : canonical(value)))
    .join(' ')
}
