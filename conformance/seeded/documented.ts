import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from '../search/columns.ts'
import { item, POINTS, readable, single } from '../search/generator-context.ts'
import type { Condition, Query } from '../search/syntax.ts'
import type { Values } from '../search/values.ts'

const { column: updated, views: deltaViews } = contract.delta

/** Statements of the documented kinds on every view and relation. */
export const documentedQueries = (values: Values): Query[] => [
  ...readable.flatMap((view): Query[] => [
    { items: ['*'], from: single(view) },
    { items: columnsOf(single(view)).toReversed().map(item), from: single(view) },
  ]),
  ...readable.flatMap((view) => limits(view, values.size(view))),
  ...deltaViews.flatMap((view) => byDate(view, values)),
  ...deltaViews.flatMap(byNewest),
  ...contract.relations.flatMap(({ from, to }) => [...join(from, to), ...join(to, from)]),
]

/** LIMIT around the number of rows, and at a few round numbers below it. */
const limits = (view: ViewName, size: number): Query[] =>
  [1, 10, 100, 500, size - 1, size, size + 5]
    .filter((limit) => limit > 0 && limit <= size + 5)
    .map((limit) => ({ items: [item(columnsOf(single(view))[0]!)], from: single(view), limit }))

function delta(view: ViewName, bound: Extract<Condition, { is: 'compare' }>['right']): Query {
  const columns = columnsOf(single(view))
  const left = columns.find(({ name }) => name === updated)!
  return {
    items: [item(columns[0]!), item(left)],
    from: single(view),
    where: { is: 'compare', operator: '>', left, right: bound },
  }
}

/** Deltas since the first, the middle and the last date that splits the rows. */
function byDate(view: ViewName, values: Values): Query[] {
  const dates = values.dates(view)
  const chosen = new Set([dates[0], dates[dates.length >> 1], dates.at(-1)])
  return [...chosen].flatMap((date) => (date ? [delta(view, date)] : []))
}

/** Deltas above the newest row of the view itself, which are empty, and of other views. */
const byNewest = (view: ViewName): Query[] =>
  [...new Set<ViewName>([view, 'v_bioprocesses', 'v_timeseries'])].map((other) =>
    delta(view, { is: 'extreme', function: 'MAX', column: updated, view: other }),
  )

function join(left: string, right: string): Query[] {
  const [leftView, leftColumn] = left.split('.') as [ViewName, string]
  const [rightView, rightColumn] = right.split('.') as [ViewName, string]
  if ([leftView, rightView].includes(POINTS)) return []
  const from = { view: leftView, alias: 'l' }
  const source = { view: rightView, alias: 'r' }
  const own = columnsOf(from).filter(({ kind }) => kind !== 'json')
  const others = columnsOf(source).filter(
    ({ name, kind }) => kind !== 'json' && !own.some((column) => column.name === name),
  )
  const on = { left: leftColumn, right: rightColumn }
  return [{ items: [...own, ...others].map(item), from, join: { kind: 'LEFT JOIN', source, on } }]
}
