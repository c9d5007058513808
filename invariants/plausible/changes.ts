import { contract } from '../../schemas/contract.ts'
import { views } from '../../schemas/views.ts'
import type { RowStore, KeptView } from '../rows/row-store.ts'
import { isoOf, microsOf, type Micros } from '../rows/instant.ts'
import { together, unless, type Invariant, type Judgement } from '../invariant.ts'
import { keyOf, nameOf, type Row } from '../rows/row.ts'
import { say, words, type Message } from '../message.ts'

const kept = contract.delta.views as readonly KeptView[]

/**
 * P6: a completed bioprocess is no older than its series and scalars, and its series are no older than their newest
 * points. No row changed after it was read, if that time is known.
 *
 * The record of a run in progress may be older than its newest points: otherwise the contract's example "timeseries newer
 * than the newest bioprocess" would never find a row.
 */
export const changes: Invariant = together(
  'P6',
  'last_updated_at is no older than the series, points and scalars of the row',
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
            say`last_updated_at is ${row['last_updated_at']}, but ${words(child.what)} at ${isoOf(child.time)}.`,
          ])
        if (!Number.isNaN(store.latest))
          bounds.push([
            changed <= store.latest,
            say`last_updated_at is ${row['last_updated_at']}, which is after the row was read.`,
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

/** The newest child of each completed bioprocess and of its series. */
function newestChildren(store: RowStore): Map<Row, Child> {
  const newest = new Map<Row, Child>()
  const see = (parent: Row, what: string, time: Micros) => {
    if (time > (newest.get(parent)?.time ?? -Infinity)) newest.set(parent, { what, time })
  }
  const completed = store.runs.filter(({ status }) => status === 'Completed')
  for (const { row, series } of completed) {
    for (const { row: own, points } of series) {
      see(row, 'one of its series changed', microsOf(own['last_updated_at']))
      if (points) see(own, 'one of its points was stored', points.ingested)
    }
  }
  const runs = new Map(completed.map(({ id, row }) => [id, row]))
  for (const scalar of store.rows('v_bioprocess_quantity_data')) {
    const run = runs.get(keyOf(scalar['bioprocess_id']))
    if (run) see(run, 'one of its scalars changed', microsOf(scalar['last_updated_at']))
  }
  return newest
}

/** P7, judged if the time of reading is known. */
export const archival: Invariant = together(
  'P7',
  'archived_at is not in the future',
  { judges: ['v_archived_records'] },
  function* (store) {
    if (Number.isNaN(store.latest)) return
    for (const row of store.rows('v_archived_records')) {
      const archived = microsOf(row['archived_at'])
      if (Number.isNaN(archived)) continue
      const message = say`archived_at is ${row['archived_at']}, which is after the row was read.`
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

/** P8: an archived record is not in its view. */
export const gone: Invariant = together(
  'P8',
  'Archived records are no longer in their view',
  { judges: ['v_archived_records'], whole: contract.uniqueIds },
  function* (store): Generator<Judgement> {
    for (const row of store.rows('v_archived_records')) {
      const view = viewOf.get(keyOf(row['table_name']))
      if (view === undefined || !identified.has(view)) continue
      const live = store.byId(view as KeptView).has(keyOf(row['record_id']))
      const message = say`${row['record_id']} is archived but still in ${words(view)}.`
      yield { view: 'v_archived_records', row: nameOf(row), problems: unless(!live, message) }
    }
  },
)
