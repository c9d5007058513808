import { counted } from '../../base/text/counted.ts'
import { view, views, type ColumnDefinition, type ViewName } from '../../schemas/index.ts'
import { unlessRefused } from '../connection/not-exercised.ts'
import { isObject, typeOf, type Json, type JsonObject } from '../connection/values/json.ts'
import type { Target } from '../connection/target.ts'

/**
 * The sampled rows of a view, with null where an empty text stands for it (rows.nulls): in columns that hold anything
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

/** The values of one column in the sampled rows; null where a row leaves it out (rows.nulls). */
export async function valuesOf(t: Target, name: ViewName, column: string): Promise<Json[]> {
  return (await rowsOf(t, name)).map((row) => row[column] ?? null)
}

/** The values other than null in all columns of one kind, in the sampled rows of all views. */
export async function valuesOfColumns(t: Target, of: (column: ColumnDefinition) => boolean): Promise<Json[]> {
  const values: Json[] = []
  for (const { name, columns } of views) {
    const rows = (await unlessRefused(rowsOf(t, name))) ?? []
    const wanted = columns.filter(of).map((column) => column.name)
    for (const row of rows) values.push(...filledIn(wanted.map((column) => row[column] ?? null)))
  }
  return values
}

/** Whether a column holds values of this type only. */
export const holdsOnly =
  (type: string) =>
  ({ types }: ColumnDefinition): boolean =>
    types.join() === type

/** The list, or undefined where it is empty: evidence that tells nothing. */
export const unlessEmpty = <T>(list: readonly T[]): readonly T[] | undefined =>
  list.length > 0 ? list : undefined

export const filledIn = (values: readonly Json[]): Json[] => values.filter((value) => value !== null)
export const objectsIn = (values: readonly Json[]): JsonObject[] => values.filter(isObject)
export const textsIn = (values: readonly Json[]): string[] =>
  values.filter((value) => typeof value === 'string')

/** Whether there are values and all of them are null. */
export const areNull = (values: readonly Json[]): boolean =>
  values.length > 0 && values.every((value) => value === null)

/** Whether all values other than null are objects with all these keys and no others but the optional ones. */
export function haveKeys(
  values: readonly Json[],
  keys: readonly string[],
  optional: readonly string[] = [],
): boolean {
  const filled = filledIn(values)
  const fits = (value: Json): boolean =>
    isObject(value) &&
    keys.every((key) => key in value) &&
    Object.keys(value).every((key) => keys.includes(key) || optional.includes(key))
  return filled.length > 0 && filled.every(fits)
}

/** Recognises the only one of the names seen. */
export const only =
  (name: string) =>
  (names: readonly string[]): boolean =>
    names.length > 0 && names.every((one) => one === name)

/** Names as a phrase. Long lists are cut: the keys of a large map may be data. */
export function listed(names: Iterable<string>): string {
  const all = [...new Set(names)].toSorted()
  return all.length > 12 ? `${all.slice(0, 12).join(', ')} and ${all.length - 12} more` : all.join(', ')
}

/** The keys of objects as a phrase. */
export function keysIn(objects: readonly JsonObject[]): string {
  const keys = listed(objects.flatMap((object) => Object.keys(object)))
  return `${counted(objects.length, 'object')} ${keys === '' ? 'without keys' : `with the keys ${keys}`}`
}

/** The values of a column of objects as a phrase: their keys, or their types where some are no objects. */
export function shapeOf(values: readonly Json[]): string {
  if (areNull(values)) return `null in ${counted(values.length, 'row')}`
  return filledIn(values).every(isObject) ? keysIn(objectsIn(values)) : typesOf(values)
}

/** How often each kind occurs, the most frequent first: `3 string, 1 null`. */
export function tally(kinds: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  const frequent = [...counts].toSorted(([, a], [, b]) => b - a)
  return frequent.map(([kind, count]) => `${count} ${kind}`).join(', ')
}

export const typesOf = (values: readonly Json[]): string => tally(values.map(typeOf))
