import type { ViewName } from '../../schemas/index.ts'
import { midnightOf } from '../connection/values/instant.ts'
import { canonical, type JsonObject } from '../connection/values/json.ts'
import { updatedAt } from '../connection/values/updates.ts'
import type { DateBound, Pair } from './statements/syntax.ts'

/** The last updates of a left row and of its partner. */
type Updates = readonly [left: bigint, right: bigint]

/** The last updates of the rows that a join pairs. */
export function joinedUpdates(
  { from, join }: Pair,
  rowsOf: (view: ViewName) => readonly JsonObject[],
): Updates[] {
  const partners = new Map<string, bigint[]>()
  for (const row of rowsOf(join.source.view)) {
    const [key, at] = [canonical(row[join.on.right] ?? null), updatedAt(row)]
    if (at !== undefined) partners.set(key, [...(partners.get(key) ?? []), at])
  }
  return rowsOf(from.view).flatMap((row) => {
    const [key, left] = [row[join.on.left] ?? null, updatedAt(row)]
    if (key === null || left === undefined) return []
    return (partners.get(canonical(key)) ?? []).map((right) => [left, right] as const)
  })
}

/**
 * The date with the most pairs of which one row is newer and the other is not. Only such pairs show to which of two views a
 * filter is applied.
 */
export function mostStraddling(
  dates: readonly DateBound[],
  pairs: readonly Updates[],
): DateBound | undefined {
  let best: { date: DateBound; count: number } | undefined
  for (const date of dates) {
    const midnight = midnightOf(date.date)
    const count = pairs.filter(([left, right]) => left > midnight !== right > midnight).length
    if (count > (best?.count ?? 0)) best = { date, count }
  }
  return best?.date
}
