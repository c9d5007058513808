import { contract } from '../../../schemas/contract.ts'
import type { RowChange } from '../../statement.ts'
import { keyOf, literals, microsIn, type RowQuery, type StoredRow } from './row-query.ts'

/**
 * Rows that have the time of change of the stored row get a new one: they were read, changed and put back, and a delta has
 * to see them. Any other time that a test gives counts.
 *
 * @param stamp the time of the change, which rows without a time already have
 */
export const withNewTimes = (
  changes: readonly RowChange[],
  query: RowQuery,
  stamp: string,
): Promise<RowChange[]> =>
  Promise.all(
    changes.map(async ({ view, put, remove }) => {
      const given = (put as readonly StoredRow[]).filter(
        ({ last_updated_at: time }) => time && time !== stamp,
      )
      if (given.length === 0) return { view, put, remove }
      const keys = contract.keys[view]
      const ids = literals(new Set(given.map((row) => row[keys[0]!])))
      const stored = await query(
        `SELECT ${keys.join()}, last_updated_at FROM ${view} WHERE ${keys[0]} IN (${ids})`,
      )
      const key = keyOf(view)
      const times = new Map(stored.map((row) => [key(row), microsIn(row['last_updated_at'])]))
      const isStored = (row: StoredRow) => times.get(key(row)) === microsIn(row['last_updated_at'])
      return {
        view,
        remove,
        put: (put as readonly StoredRow[]).map((row) =>
          isStored(row) ? { ...row, last_updated_at: stamp } : row,
        ),
      }
    }),
  )
