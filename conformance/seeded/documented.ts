import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf, type Bound, type Query } from '../search/statements/syntax.ts'
import { POINTS, readable, single } from '../search/statements/generator-context.ts'
import type { Values } from '../search/statements/values.ts'

const { column: updated, views: deltaViews } = contract.delta

/** Statements of the documented kinds on every view and relation. */
export const documentedQueries = (values: Values): Query[] => [
  ...readable.flatMap((view): Query[] => [
    { items: ['*'], from: single(view) },
    { items: columnsOf(single(view)).toReversed(), from: single(view) },
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
    .map((limit) => ({ items: columnsOf(single(view)).slice(0, 1), from: single(view), limit }))

function delta(view: ViewName, after: Bound): Query {
  const from = single(view)
  const [id, ...others] = columnsOf(from)
  return { items: [id!, ...others.filter(({ name }) => name === updated)], from, after }
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
    delta(view, { newestOf: other }),
  )

function join(left: string, right: string): Query[] {
  const [leftView, leftColumn] = left.split('.') as [ViewName, string]
  const [rightView, rightColumn] = right.split('.') as [ViewName, string]
  if ([leftView, rightView].includes(POINTS)) return []
  const from = { view: leftView, alias: 'l' }
  const source = { view: rightView, alias: 'r' }
  const own = columnsOf(from).filter(({ isJson }) => !isJson)
  const others = columnsOf(source).filter(
    ({ name, isJson }) => !isJson && !own.some((column) => column.name === name),
  )
  const on = { left: leftColumn, right: rightColumn }
  return [{ items: [...own, ...others], from, join: { source, on } }]
}
