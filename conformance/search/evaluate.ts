import type { ViewName } from '../../schemas/index.ts'
import { DAY, marginOf } from '../comparisons/splitting-date.ts'
import { instantOf } from '../connection/instant.ts'
import { canonical, type JsonObject } from '../connection/json.ts'
import { newest, updatedAt, updatesOf } from '../connection/updates.ts'
import type { Condition, Item, Query } from './syntax.ts'

/** Updates this close to a maximum may be equal to it, in nanoseconds: the target may print fewer digits than it stores. */
const SECOND = 1_000_000_000n

/** Whether a row is newer than a bound; undefined if that is not certain. */
type Newer = (row: JsonObject) => boolean | undefined

/**
 * The rows of a documented statement, computed from the rows of the views; undefined if they are not certain. Ignores
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
  const { from, join, where, items } = query
  const isNewer = where && boundOf(where, from.view, rowsOf, since)
  if (where && !isNewer) return undefined
  const left: JsonObject[] = []
  for (const row of rowsOf(from.view)) {
    const newer = isNewer ? isNewer(row) : true
    if (newer === undefined) return undefined
    if (newer) left.push(row)
  }
  if (!join) return left.map((row) => project(items, { [from.alias]: row }))
  const partners = new Map<string | undefined, JsonObject[]>()
  for (const row of rowsOf(join.source.view)) {
    const key = keyOf(row, join.on.right)
    partners.set(key, [...(partners.get(key) ?? []), row])
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
const keyOf = (row: JsonObject, column: string): string | undefined =>
  (row[column] ?? null) === null ? undefined : canonical(row[column]!)

/** The columns of a joined row. A missing column is null. */
const project = (items: readonly Item[], rows: Record<string, JsonObject>): JsonObject =>
  Object.fromEntries(
    items.flatMap((item) => {
      if (item === '*') return Object.values(rows).flatMap(Object.entries)
      const { expression, name } = item
      return expression.is === 'column' ? [[name, rows[expression.of]![expression.name] ?? null]] : []
    }),
  )

function boundOf(
  where: Condition,
  view: ViewName,
  rowsOf: (view: ViewName) => readonly JsonObject[],
  since: 'midnight' | 'end of day',
): Newer | undefined {
  if (where.is !== 'compare') return undefined
  if (where.right.is === 'literal') {
    const date = /\d{4}-\d\d-\d\d/.exec(where.right.sql)?.[0]
    const midnight = date === undefined ? undefined : instantOf(date)
    if (midnight === undefined) return undefined
    const margin = marginOf(rowsOf(view))
    return since === 'midnight' ? newerThan(midnight, margin) : newerThan(midnight + DAY + margin, 0n)
  }
  if (where.right.is !== 'extreme') return undefined
  // No row is newer than the newest of its own view, whatever the target prints.
  if (where.right.view === view) return () => false
  const maximum = newest(updatesOf(rowsOf(where.right.view)))
  return maximum === undefined ? undefined : newerThan(maximum, SECOND)
}

const newerThan =
  (bound: bigint, margin: bigint): Newer =>
  (row) => {
    const updated = updatedAt(row)
    if (updated === undefined || (updated >= bound - margin && updated <= bound + margin)) return undefined
    return updated > bound
  }
