import { contract } from '../../schemas/index.ts'
import { instantOf } from './instant.ts'
import type { JsonObject } from './json.ts'

/** When a row was last updated as it is printed; undefined where that is no timestamp. */
export function updatedAt(row: JsonObject): bigint | undefined {
  const text = row[contract.delta.column]
  return typeof text === 'string' ? instantOf(text) : undefined
}

/** The newest of some instants, undefined where there is none. */
export const newest = (instants: readonly bigint[]): bigint | undefined =>
  instants.length === 0 ? undefined : instants.reduce((a, b) => (a > b ? a : b))

/** The oldest of some instants, undefined where there is none. */
export const oldest = (instants: readonly bigint[]): bigint | undefined =>
  instants.length === 0 ? undefined : instants.reduce((a, b) => (a < b ? a : b))

/** When the rows were last updated, those left out that do not tell. */
export const updatesOf = (rows: readonly JsonObject[]): bigint[] =>
  rows.flatMap((row) => updatedAt(row) ?? [])
