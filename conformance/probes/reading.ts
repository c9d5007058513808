import { view, type ViewName } from '../../schemas/index.ts'
import type { Seen } from '../open-points/probe.ts'
import { isObject, typeOf, type Json, type JsonObject } from '../connection/json.ts'
import type { Target } from '../connection/target.ts'

/**
 * The sampled rows of a view, with null where an empty text stands for it (NS-15): in columns that hold anything
 * but free text.
 */
export async function rowsOf(t: Target, name: ViewName): Promise<JsonObject[]> {
  const { rows } = await t.sample(name)
  const never = view(name).columns.flatMap(({ name: column, types, format }) =>
    types.join() !== 'string' || format !== undefined ? [column] : [],
  )
  const cleared = (row: JsonObject) =>
    Object.fromEntries(never.flatMap((column) => (row[column] === '' ? [[column, null]] : [])))
  return rows.map((row) => ({ ...row, ...cleared(row) }))
}

/** The values of one column in the sampled rows; null where a row leaves it out (NS-15). */
export async function valuesOf(t: Target, name: ViewName, column: string): Promise<Json[]> {
  return (await rowsOf(t, name)).map((row) => row[column] ?? null)
}

export const objectsIn = (values: readonly Json[]): JsonObject[] => values.filter(isObject)
export const textsIn = (values: readonly Json[]): string[] =>
  values.filter((value) => typeof value === 'string')

/** Names in a phrase: a few of them, since a map of many may hold data in its keys. */
export function listed(names: Iterable<string>): string {
  const all = [...new Set(names)].toSorted()
  return all.length > 12 ? `${all.slice(0, 12).join(', ')} and ${all.length - 12} more` : all.join(', ')
}

/** The key sets of objects as a phrase. */
export function keysIn(objects: readonly JsonObject[]): string {
  const keys = listed(objects.flatMap((object) => Object.keys(object)))
  return `${counted(objects.length, 'object')} ${keys === '' ? 'without keys' : `with the keys ${keys}`}`
}

/** Whether there is an object, and each has all these keys and no others but the optional ones. */
export const haveKeys = (
  objects: readonly JsonObject[],
  keys: readonly string[],
  optional: readonly string[] = [],
): boolean =>
  objects.length > 0 &&
  objects.every(
    (object) =>
      keys.every((key) => key in object) &&
      Object.keys(object).every((key) => keys.includes(key) || optional.includes(key)),
  )

/** How often each of some kinds occurs, the most frequent first: `3 string, 1 null`. */
export function tally(kinds: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a)
  return frequent.map(([kind, count]) => `${count} ${kind}`).join(', ')
}

export const typesOf = (values: readonly Json[]): string => tally(values.map(typeOf))

export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * A column that is null in every row, where that is a way of its own to fill the silence.
 *
 * @returns undefined without rows, or where there are values
 */
export const alwaysNull = (values: readonly Json[]): Seen | undefined =>
  values.length > 0 && values.every((value) => value === null)
    ? { variant: 'null', seen: `null in ${counted(values.length, 'row')}` }
    : undefined

/** The one name whose test holds; undefined where none or several do. */
export function theOne(tests: Readonly<Record<string, boolean>>): string | undefined {
  const [first, ...others] = Object.entries(tests).filter(([, holds]) => holds)
  return others.length === 0 ? first?.[0] : undefined
}
