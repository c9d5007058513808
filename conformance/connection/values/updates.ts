import { contract } from '../../../schemas/index.ts'
import { hasZone, instantOf } from './instant.ts'
import type { JsonObject } from './json.ts'

const known = new WeakMap<JsonObject, bigint | undefined>()

/** The last update of a row, which is read once; undefined if it is not a timestamp. */
export function updatedAt(row: JsonObject): bigint | undefined {
  if (known.has(row)) return known.get(row)
  const text = row[contract.delta.column]
  const at = typeof text === 'string' ? instantOf(text) : undefined
  known.set(row, at)
  return at
}

/** Whether every last update has a zone, so that it is the same instant for everybody. */
export const isZoned = (rows: readonly JsonObject[]): boolean =>
  rows.every((row) => hasZone(String(row[contract.delta.column])))

/** The newest instant; undefined if there are none. */
export const newest = (instants: readonly bigint[]): bigint | undefined =>
  instants.length === 0 ? undefined : instants.reduce((a, b) => (a > b ? a : b))

/** The oldest instant; undefined if there are none. */
export const oldest = (instants: readonly bigint[]): bigint | undefined =>
  instants.length === 0 ? undefined : instants.reduce((a, b) => (a < b ? a : b))

/** The newest last update of rows; undefined if there is none, or if one cannot be read, because it may be the newest. */
export const maximumOf = (rows: readonly JsonObject[]): bigint | undefined =>
  rows.some((row) => (row[contract.delta.column] ?? null) !== null && updatedAt(row) === undefined)
    ? undefined
    : newest(updatesOf(rows))

/** The last updates of rows, without unreadable ones. */
export const updatesOf = (rows: readonly JsonObject[]): bigint[] =>
  rows.flatMap((row) => updatedAt(row) ?? [])
