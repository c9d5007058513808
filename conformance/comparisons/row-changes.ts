import { contract, type ViewName } from '../../schemas/index.ts'
import { canonical, type JsonObject } from '../connection/json.ts'
import { seenOf, type Selection } from '../connection/target.ts'
import { newest, updatesOf } from '../connection/updates.ts'
import { keyColumns } from './projection.ts'

/** The rows of the first reading that the second one returned unchanged. */
export function unchanged(before: Pick<Selection, 'rows'>, after: Pick<Selection, 'rows'>): JsonObject[] {
  const still = new Set(seenOf(before, after).map(canonical))
  return before.rows.filter((row) => still.has(canonical(row)))
}

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
  const keys = keyColumns(name)
  const key = (row: JsonObject) => canonical(keys.map((column) => row[column] ?? null))
  const known = [...keys, contract.delta.column].every((column) => before.rows[0] && column in before.rows[0])
  if (!known) return 0
  const last = newest(updatesOf(before.rows))
  const now = newest(updatesOf(after.rows))
  if (last === undefined || (now !== undefined && now > last)) return 0
  const left = new Set(after.rows.map(key))
  return before.rows.filter((row) => !left.has(key(row))).length
}
