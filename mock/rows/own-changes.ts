import { contract } from '../../schemas/contract.ts'
import type { RowChange } from '../statement.ts'
import { keyOf, literals, microsIn, relations, type RowQuery, type StoredRow } from './row-query.ts'
import { followingColumns } from '../../fixtures/factories/complete-row.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { RowsByView } from './prepare-rows.ts'

type ByView<T> = Map<ViewName, T>

/** What tests changed in a session. The later changes of the plant leave it as it is. */
export class OwnChanges {
  /** The columns of rows, by key. */
  readonly #columns: ByView<Map<string, StoredRow>> = new Map()
  /** The keys of rows that are not there, and of those that would refer to them. */
  readonly #removed: ByView<Set<string>> = new Map()
  /** The ids of series whose row or points were changed, so that their statistics follow from their points. */
  readonly series = new Set<string>()

  get removed(): ReadonlyMap<ViewName, ReadonlySet<string>> {
    return this.#removed
  }

  /** The ids of rows that are put again. */
  removedAmong(changes: readonly RowChange[]): string[] {
    return changes.flatMap(({ view, put }) =>
      (put as readonly StoredRow[])
        .filter((row) => this.#removed.get(view)?.has(keyOf(view)(row)))
        .map((row) => String(row['id'])),
    )
  }

  /** @param patch rows with the columns that count. Default: all columns of a row */
  add(changes: readonly RowChange[], patch?: RowsByView): void {
    for (const { view, put, remove } of changes) {
      if (view === 'v_archived_records') continue
      const key = keyOf(view)
      const given = new Map(
        (patch?.[view] as readonly StoredRow[] | undefined)?.map((row) => [key(row), row]),
      )
      const columns = inView(this.#columns, view, () => new Map<string, StoredRow>())
      const removed = inView(this.#removed, view, () => new Set<string>())
      for (const row of put as readonly StoredRow[]) {
        const names = given.get(key(row))
        const changed = names && [...Object.keys(names), ...followingColumns(view, names)]
        const own = changed ? Object.fromEntries(changed.map((name) => [name, row[name]])) : row
        columns.set(key(row), { ...columns.get(key(row)), ...own })
        removed.delete(key(row))
      }
      for (const row of remove) {
        columns.delete(key(row))
        // the points of a series that remains may come again
        if (view !== 'v_timeseries_data' || row['timestamp'] !== undefined) removed.add(key(row))
      }
      if (view === 'v_timeseries' || view === 'v_timeseries_data')
        for (const { id } of [...(put as readonly StoredRow[]), ...remove]) this.series.add(String(id))
    }
  }

  /** The changes of the plant without removed rows, those that refer to them, and changed columns. */
  amend(changes: readonly RowChange[]): RowChange[] {
    this.#removeReferring(changes)
    return changes.map(({ view, put, remove }) => {
      const key = keyOf(view)
      const [columns, removed] = [this.#columns.get(view), this.#removed.get(view)]
      const kept = (put as readonly StoredRow[]).filter(
        (row) => !removed?.has(key(row)) && !this.#lacksTarget(view, row),
      )
      return { view, remove, put: kept.map((row) => ({ ...row, ...columns?.get(key(row)) })) }
    })
  }

  /** Rows that refer to a removed one are removed too, whatever the order of the views. */
  #removeReferring(changes: readonly RowChange[]): void {
    const ofIds = changes.filter(({ view }) => view !== 'v_timeseries_data' && view !== 'v_archived_records')
    for (let hasMore = true; hasMore;) {
      hasMore = false
      for (const { view, put } of ofIds) {
        const removed = inView(this.#removed, view, () => new Set<string>())
        const key = keyOf(view)
        for (const row of put as readonly StoredRow[]) {
          if (removed.has(key(row)) || !this.#lacksTarget(view, row)) continue
          removed.add(key(row))
          hasMore = true
        }
      }
    }
  }

  #lacksTarget(view: ViewName, row: StoredRow): boolean {
    if (view === 'v_archived_records') return this.#isArchived(row['record_id'])
    return relations.some(
      ({ from, column, to }) => from === view && this.#removed.get(to)?.has(JSON.stringify([row[column]])),
    )
  }

  #isArchived(id: unknown): boolean {
    return [...this.#removed.values()].some((keys) => keys.has(JSON.stringify([id])))
  }
}

function inView<T>(map: ByView<T>, view: ViewName, make: () => T): T {
  const found = map.get(view) ?? make()
  map.set(view, found)
  return found
}

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
