import { contract, type ViewName } from '../../schemas/index.ts'
import { canonical, type JsonObject } from '../connection/values/json.ts'
import { seenOf, type Selection } from '../connection/target.ts'
import { newest, updatedAt, updatesOf } from '../connection/values/updates.ts'

/** The rows of the first reading that the second one returned unchanged. */
export function unchanged(before: Pick<Selection, 'rows'>, after: Pick<Selection, 'rows'>): JsonObject[] {
  const still = new Set(seenOf(before, after).map(canonical))
  return before.rows.filter((row) => still.has(canonical(row)))
}

/**
 * Why two readings of a view prove nothing. Rows have changed only if an id is new or gone, or a row has another `last_updated_at`. A
 * new id of an old row shows no change: the first reading lacked the row.
 *
 * @param doing completes "rows of v_x changed while they were …"
 */
export const changeInWords = (
  name: ViewName,
  before: Pick<Selection, 'rows'>,
  after: Pick<Selection, 'rows'>,
  doing: string,
): string =>
  showsChange(name, before.rows, after.rows)
    ? `rows of ${name} changed while they were ${doing}`
    : `a statement over ${name} got two different answers, although no id and no ${contract.delta.column} changed`

function showsChange(name: ViewName, before: readonly JsonObject[], after: readonly JsonObject[]): boolean {
  const last = newest(updatesOf(before))
  const known = new Map(before.map((row) => [keyOf(name, row), updatedAt(row)]))
  const left = new Set(after.map((row) => keyOf(name, row)))
  if ([...known.keys()].some((key) => !left.has(key))) return true
  return after.some((row) => {
    const [key, now] = [keyOf(name, row), updatedAt(row)]
    if (known.has(key)) return known.get(key) !== now
    return last === undefined || now === undefined || now > last
  })
}

const keyOf = (name: ViewName, row: JsonObject): string =>
  canonical(contract.keys[name].map((column) => row[column] ?? null))

/**
 * Counts rows that vanished from a view without a newer update. Returns 0 unless the rows have keys and updates.
 *
 * @param before all rows of the view, like `after`
 */
export function vanishedUnseen(
  name: ViewName,
  before: Pick<Selection, 'rows'>,
  after: Pick<Selection, 'rows'>,
): number {
  const keys = contract.keys[name]
  const known = [...keys, contract.delta.column].every((column) => before.rows[0] && column in before.rows[0])
  if (!known) return 0
  const last = newest(updatesOf(before.rows))
  const now = newest(updatesOf(after.rows))
  if (last === undefined || (now !== undefined && now > last)) return 0
  const left = new Set(after.rows.map((row) => keyOf(name, row)))
  return before.rows.filter((row) => !left.has(keyOf(name, row))).length
}
