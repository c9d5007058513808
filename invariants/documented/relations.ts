import { contract } from '../../schemas/contract.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import type { RowStore, KeptView } from '../rows/row-store.ts'
import { view as viewOf } from '../../schemas/views.ts'
import { together, unless, type Invariant } from '../invariant.ts'
import { nameOf, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'

/** The numbers of the first relations. Those from 39 on belong to relations that are added later. */
const FIRST = ['D9', 'D10', 'D11', 'D12', 'D13', 'D14', 'D15']
const LATER = 39

/** The references between the views resolve. */
export const relations: readonly Invariant[] = contract.relations.map(({ from, to }, index) => {
  const [view, column] = from.split('.') as [ViewName, string]
  const [target, key] = to.split('.') as [KeptView, string]
  const views = { judges: [view], whole: [target] }
  return together(
    FIRST[index] ?? `D${LATER + index - FIRST.length}`,
    `${from} refers to ${to}`,
    views,
    function* (store) {
      const known = new Set(store.rows(target).map((row) => row[key]))
      for (const { row, value } of references(store, view, column)) {
        const message = say`${words(column)} ${value} is not in ${words(target)}.`
        yield { view, row, problems: unless(known.has(value), message) }
      }
    },
  )
})

/** The references of a column, row by row; the points of a series count as one reference. */
function references(
  store: RowStore,
  view: ViewName,
  column: string,
): Iterable<{ row: string; value: unknown }> {
  if (view === 'v_timeseries_data') return Array.from(store.points.keys(), (id) => ({ row: id, value: id }))
  return store.rows(view).map((row) => ({ row: nameOf(row), value: row[column] }))
}

const columnsOf = (name: ViewName) => viewOf(name).columns.map((column) => column.name)
/** The columns of v_experiments that v_bioprocesses has too. */
const SHARED = columnsOf('v_experiments').filter((name) => columnsOf('v_bioprocesses').includes(name))
/** Ids are unique in their view only, so all shared columns together identify a record. */
const identityOf = (row: Row) => JSON.stringify(SHARED.map((name) => row[name] ?? null))

/** Tells whether a row is one of the experiments: it has the same values in all columns that both views have. */
export function amongExperiments(experiments: readonly Row[]): (row: Row) => boolean {
  const known = new Set(experiments.map(identityOf))
  return (row) => known.has(identityOf(row))
}

/** Parents of bioprocesses are experiments, so none of them is also a bioprocess. */
export const parentsApart: Invariant = together(
  'D32',
  'No experiment is also a row of v_bioprocesses',
  { judges: ['v_bioprocesses'], whole: ['v_experiments'] },
  function* (store) {
    const isExperiment = amongExperiments(store.rows('v_experiments'))
    for (const row of store.rows('v_bioprocesses')) {
      const problems = unless(!isExperiment(row), say`The same record is in v_experiments.`)
      yield { view: 'v_bioprocesses', row: nameOf(row), problems }
    }
  },
)
