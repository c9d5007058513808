import type { ViewName } from '../../schemas/index.ts'
import { marginOf } from '../comparisons/splitting-date.ts'
import { DAY, midnightOf } from '../connection/values/instant.ts'
import { canonical, type JsonObject } from '../connection/values/json.ts'
import { maximumOf, updatedAt } from '../connection/values/updates.ts'
import type { Bound, Item, Query } from './statements/syntax.ts'

/** Updates this close to a maximum may be equal to it, in nanoseconds: the target may print fewer digits than it stores. */
const SECOND = 1_000_000_000n

/** Whether a row is newer than a bound; undefined if that is not certain. */
type Newer = (row: JsonObject) => boolean | undefined

/**
 * The rows of a statement, computed from the rows of the views; undefined if they are not certain. Ignores
 * LIMIT.
 *
 * @param rowsOf all rows of a view
 * @param since the meaning of "after a date": after its midnight, or after its end in every zone
 */
export function evaluate(
  query: Query,
  rowsOf: (view: ViewName) => readonly JsonObject[],
  since: 'midnight' | 'end of day' = 'midnight',
): JsonObject[] | undefined {
  const { from, after } = query
  const isNewer = after && isAfter(after, from.view, rowsOf, since)
  if (after && !isNewer) return undefined
  const left: JsonObject[] = []
  for (const row of rowsOf(from.view)) {
    const newer = isNewer ? isNewer(row) : true
    if (newer === undefined) return undefined
    if (newer) left.push(row)
  }
  return joinAndProject(query, left, rowsOf)
}

/**
 * The rows that a statement must return and those that it may return, however its bound is read: after the midnight of a date
 * or after its end, in any time zone. Ignores LIMIT.
 */
export function rowsBetween(
  query: Query,
  rowsOf: (view: ViewName) => readonly JsonObject[],
): { least: readonly JsonObject[]; most: readonly JsonObject[] } {
  const { from, after } = query
  const left = rowsOf(from.view)
  // The rows of a single view may keep the columns that the statement does not name.
  const join = (rows: readonly JsonObject[]) => (query.join ? joinAndProject(query, rows, rowsOf) : rows)
  if (!after) {
    const all = join(left)
    return { least: all, most: all }
  }
  const early = isAfter(after, from.view, rowsOf, 'midnight')
  const late = isAfter(after, from.view, rowsOf, 'end of day')
  return {
    least: join(left.filter((row) => late?.(row) === true)),
    most: join(left.filter((row) => early?.(row) !== false)),
  }
}

function joinAndProject(
  { from, join, items }: Query,
  left: readonly JsonObject[],
  rowsOf: (view: ViewName) => readonly JsonObject[],
): JsonObject[] {
  if (!join) return left.map((row) => project(items, { [from.alias]: row }))
  const partners = new Map<string | undefined, JsonObject[]>()
  for (const row of rowsOf(join.source.view)) {
    const key = keyOf(row, join.on.right)
    const known = partners.get(key)
    if (known) known.push(row)
    else partners.set(key, [row])
  }
  return left.flatMap((row) => {
    const key = keyOf(row, join.on.left)
    const found = key === undefined ? undefined : partners.get(key)
    return (found ?? [{}]).map((partner) =>
      project(items, { [from.alias]: row, [join.source.alias]: partner }),
    )
  })
}

/** The value of a column for comparison; undefined for null, which equals nothing. */
function keyOf(row: JsonObject, column: string): string | undefined {
  const value = row[column] ?? null
  return value === null ? undefined : canonical(value)
}

/** The columns of a joined row. A missing column is null. */
const project = (items: readonly Item[], rows: Record<string, JsonObject>): JsonObject =>
  Object.fromEntries(
    items.flatMap((item) => {
      if (item === '*') return Object.values(rows).flatMap(Object.entries)
      return [[item.name, rows[item.of]![item.name] ?? null]]
    }),
  )

function isAfter(
  bound: Bound,
  view: ViewName,
  rowsOf: (view: ViewName) => readonly JsonObject[],
  since: 'midnight' | 'end of day',
): Newer | undefined {
  if (!('newestOf' in bound)) {
    const midnight = midnightOf(bound.date)
    const margin = marginOf(rowsOf(view))
    return since === 'midnight' ? newerThan(midnight, margin) : newerThan(midnight + DAY + margin, 0n)
  }
  // No row is newer than the newest of its own view, whatever the target prints.
  if (bound.newestOf === view) return () => false
  const maximum = maximumOf(rowsOf(bound.newestOf))
  return maximum === undefined ? undefined : newerThan(maximum, SECOND)
}

const newerThan =
  (bound: bigint, margin: bigint): Newer =>
  (row) => {
    const updated = updatedAt(row)
    if (updated === undefined || (updated >= bound - margin && updated <= bound + margin)) return undefined
    return updated > bound
  }
