import { contract } from '../../schemas/contract.ts'
import { views } from '../../schemas/views.ts'
import type { RowStore, KeptView } from '../rows/row-store.ts'
import { isoOf, microsOf, type Micros } from '../rows/instant.ts'
import { together, unless, type Invariant, type Judgement } from '../invariant.ts'
import { keyOf, nameOf, type Row } from '../rows/row.ts'
import { say, words, type Message } from '../message.ts'

const kept = contract.delta.views as readonly KeptView[]

/**
 * P6: a completed bioprocess changed no earlier than its series and scalars, a series of it no earlier than its newest
 * point came in; and nothing changed after it was read, where that moment is known.
 *
 * The record of a run in progress may be older than its newest points: otherwise the request that the contract shows,
 * "timeseries newer than the newest bioprocess", would never find a row.
 */
export const changes: Invariant = together(
  'P6',
  'last_updated_at is no older than what came in',
  { judges: kept },
  function* (store) {
    const oldest = newestChildren(store)
    for (const view of kept) {
      for (const row of store.rows(view)) {
        const changed = microsOf(row['last_updated_at'])
        const bounds: [holds: boolean, message: Message][] = []
        const child = oldest.get(row)
        if (child)
          bounds.push([
            changed >= child.time,
            say`It changed at ${row['last_updated_at']}, before ${words(child.what)} at ${isoOf(child.time)}.`,
          ])
        if (!Number.isNaN(store.latest))
          bounds.push([
            changed <= store.latest,
            say`It changed at ${row['last_updated_at']}, after it was read.`,
          ])
        if (Number.isNaN(changed) || bounds.length === 0) continue
        yield {
          view,
          row: nameOf(row),
          problems: bounds.flatMap(([holds, message]) => unless(holds, message)),
        }
      }
    }
  },
)

interface Child {
  what: string
  time: Micros
}

/** The newest of what a completed bioprocess and its series hold. */
function newestChildren(store: RowStore): Map<Row, Child> {
  const newest = new Map<Row, Child>()
  const see = (parent: Row, what: string, time: Micros) => {
    if (time > (newest.get(parent)?.time ?? -Infinity)) newest.set(parent, { what, time })
  }
  const completed = store.runs.filter(({ status }) => status === 'Completed')
  for (const { row, series } of completed) {
    for (const { row: own, points } of series) {
      see(row, 'one of its series', microsOf(own['last_updated_at']))
      if (points) see(own, 'one of its points came in', points.ingested)
    }
  }
  const runs = new Map(completed.map(({ id, row }) => [id, row]))
  for (const scalar of store.rows('v_bioprocess_quantity_data')) {
    const run = runs.get(keyOf(scalar['bioprocess_id']))
    if (run) see(run, 'one of its scalars', microsOf(scalar['last_updated_at']))
  }
  return newest
}

/** P7: nothing was archived after it was read; judged where that moment is known. */
export const archival: Invariant = together(
  'P7',
  'archived_at is not in the future',
  { judges: ['v_archived_records'] },
  function* (store) {
    if (Number.isNaN(store.latest)) return
    for (const row of store.rows('v_archived_records')) {
      const archived = microsOf(row['archived_at'])
      if (Number.isNaN(archived)) continue
      const message = say`It was archived at ${row['archived_at']}, after it was read.`
      yield {
        view: 'v_archived_records',
        row: nameOf(row),
        problems: unless(archived <= store.latest, message),
      }
    }
  },
)

const viewOf = new Map(
  views.flatMap(({ name, table }) => [
    [name as string, name],
    [table, name],
  ]),
)

/** The views whose rows have an id of their own. */
const identified: ReadonlySet<string> = new Set(contract.uniqueIds)

/** P8: an archived record is gone from its view. */
export const gone: Invariant = together(
  'P8',
  'Archived records are no longer there',
  { judges: ['v_archived_records'], whole: contract.uniqueIds },
  function* (store): Generator<Judgement> {
    for (const row of store.rows('v_archived_records')) {
      const view = viewOf.get(keyOf(row['table_name']))
      if (view === undefined || !identified.has(view)) continue
      const live = store.byId(view as KeptView).has(keyOf(row['record_id']))
      const message = say`${row['record_id']} is archived, and still in ${words(view)}.`
      yield { view: 'v_archived_records', row: nameOf(row), problems: unless(!live, message) }
    }
  },
)
