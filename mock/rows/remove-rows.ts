import { contract } from '../../schemas/contract.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { view as definitionOf } from '../../schemas/views.ts'
import { keyColumns } from '../engine/views/overlay-sql.ts'
import type { RowChange, RowKey } from '../statement.ts'
import { checkedViews } from './prepare-rows.ts'
import { throwProblems } from './row-problems.ts'
import { lastOfEach, literals, relations, type RowQuery } from './row-query.ts'

/**
 * The changes that remove rows, those that refer to them included. Removed records appear in `v_archived_records`, as the
 * contract asks, so that a client that reads deltas learns of them.
 *
 * @param given ids or keys by view: `{"v_bioprocesses": ["run-1"]}`
 * @throws RowError for a row that does not exist
 */
export async function removal(given: unknown, query: RowQuery, stamp: string): Promise<RowChange[]> {
  const asked = Object.entries(checkedViews(withKeys(given)))
  const once: Keys = Object.fromEntries(
    asked.map(([view, keys]) => [view, lastOfEach(view as ViewName, keys as readonly RowKey[])]),
  )
  await checkExist(once, query)
  const keys = await withReferring(once, query)
  const archived = contract.uniqueIds.flatMap((view) =>
    (keys[view] ?? []).map(({ id }) => ({
      record_id: id,
      table_name: definitionOf(view).table,
      archived_at: stamp,
    })),
  )
  return [
    ...Object.entries(keys).map(([view, remove]) => ({ view: view as ViewName, put: [], remove })),
    ...(archived.length > 0 ? [{ view: 'v_archived_records' as const, put: archived, remove: [] }] : []),
  ]
}

type Keys = Partial<Record<ViewName, readonly RowKey[]>>

/** Ids as keys. */
function withKeys(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given
  return Object.fromEntries(
    Object.entries(given).map(([view, keys]) => [
      view,
      Array.isArray(keys)
        ? keys.map((key: unknown) => (typeof key === 'string' ? keyOf(view, key) : key))
        : keys,
    ]),
  )
}

const keyOf = (view: string, id: string): RowKey => ({ [keyColumns(view as ViewName)[0]![0]]: id })

async function checkExist(keys: Keys, query: RowQuery): Promise<void> {
  const problems: string[] = []
  for (const [view, list] of Object.entries(keys) as [ViewName, readonly RowKey[]][]) {
    const first = keyColumns(view)[0]![0]
    // for the database, null would stand for every time
    const odd = list.find(({ timestamp }) => timestamp !== undefined && typeof timestamp !== 'string')
    if (odd)
      problems.push(`A key of ${view} has the timestamp ${JSON.stringify(odd.timestamp)}. Write it as text.`)
    const ids = new Set(list.map((key) => key[first]))
    if (ids.has(undefined)) problems.push(`A key of ${view} lacks ${first}.`)
    else if (ids.size > 0) {
      const known = await query(`SELECT DISTINCT ${first} FROM ${view} WHERE ${first} IN (${literals(ids)})`)
      for (const row of known) ids.delete(String(row[first]))
      problems.push(...Array.from(ids, (id) => `${view} has no row ${JSON.stringify(id)}.`))
    }
  }
  throwProblems(problems)
}

/** The keys and those of all rows that refer to them. */
export async function withReferring(asked: Keys, query: RowQuery): Promise<Keys> {
  const all: Keys = { ...asked }
  const waiting: [ViewName, readonly RowKey[]][] = Object.entries(asked) as typeof waiting
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const [view, keys] = next
    const ids = keys.map(({ id }) => id)
    if (ids.length === 0) continue
    for (const { from, column, to } of relations) {
      if (to !== view) continue
      const known = new Set(all[from]?.map(({ id }) => id))
      const rows = await query(`SELECT DISTINCT id FROM ${from} WHERE ${column} IN (${literals(ids)})`)
      const more = rows.map(({ id }) => ({ id: String(id) })).filter(({ id }) => !known.has(id))
      if (more.length === 0) continue
      all[from] = [...(all[from] ?? []), ...more]
      waiting.push([from, more])
    }
  }
  return all
}
