import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from './columns.ts'
import { item, pairs, single, type GeneratorContext, type Pair } from './generator-context.ts'
import type { ColumnUse, Expression, Item, Query } from './syntax.ts'

const { column: updated } = contract.delta

/** The LIMIT of the samples: a target may confuse two statements with the same beginning and end. */
const SAMPLE_LIMIT = 200

/**
 * A small spread of documented statements for every run: each view with all columns and with half of them, each changing view above
 * a date and above the newest row of another view, one with `*` and one with names, and a join by each relation in both directions.
 * LIMIT varies from view to view, because a target may treat each combination differently. Most statements have no LIMIT, like the documented
 * delta and the documented join.
 *
 * @param changing the views with deltas, the one with the newest row first
 */
export function spread(context: GeneratorContext, changing: readonly ViewName[]): Query[] {
  const { views, values } = context
  return [
    ...views.map((view): Query => ({ items: ['*'], from: single(view) })),
    ...views.map((view, index): Query => halfOf(context, view, index)),
    ...changing.flatMap((view, index): Query[] => {
      const dates = values.dates(view)
      // Fewer rows are newer than a late date, so a LIMIT shows whether it is applied before the filter.
      const limit = index % 4 === 1 ? Math.ceil(values.size(view) / 2) : undefined
      const date = dates[Math.floor(dates.length * (limit === undefined ? 0.5 : 0.8))]
      if (!date) return []
      return [{ ...newerThan(view, date, index % 2 === 0), ...(limit !== undefined && { limit }) }]
    }),
    // The newest row of each view is newer than those of the views after it. Nothing is newer than the newest of all.
    ...changing.map((view, index): Query => {
      const other = changing[(index + 1) % changing.length]!
      const bound: Expression = { is: 'extreme', function: 'MAX', column: updated, view: other }
      const limit = [undefined, 1, Math.ceil(values.size(view) / 2)][index % 3]
      return { ...newerThan(view, bound, index % 2 === 1), ...(limit !== undefined && { limit }) }
    }),
    ...joins(context, changing),
  ]
}

/** All columns, or all by name in reverse order. */
const allOf = (columns: readonly ColumnUse[], byName: boolean): Item[] =>
  byName ? columns.toReversed().map(item) : ['*']

function newerThan(view: ViewName, right: Expression, byName: boolean): Query {
  const columns = columnsOf(single(view))
  const left = columns.find(({ name }) => name === updated)!
  return {
    items: allOf(columns, byName),
    from: single(view),
    where: { is: 'compare', operator: '>', left, right },
  }
}

/** Every second column of a view; sql.select-named reads the others. */
function halfOf({ values }: GeneratorContext, view: ViewName, index: number): Query {
  const items = columnsOf(single(view))
    .filter((_, at) => at % 2 === 0)
    .map(item)
  const limit = [Math.max(1, values.size(view) - 1), SAMPLE_LIMIT, undefined][index % 3]
  return { items, from: single(view), ...(limit !== undefined && { limit }) }
}

/** A join by each relation in both directions, one with a bound. */
function joins(context: GeneratorContext, changing: readonly ViewName[]): Query[] {
  const all = pairs(context).map((pair, index): Query => ({ items: halvesOf(pair, index), ...pair }))
  const bounded = all.find(({ from: { view } }) => changing.includes(view))
  return all.map((query) => {
    const dates = context.values.dates(query.from.view)
    const date = query === bounded ? dates[dates.length >> 1] : undefined
    const left = columnsOf(query.from).find(({ name }) => name === updated)
    if (!date || !left) return query
    return { ...query, where: { is: 'compare', operator: '>', left, right: date } }
  })
}

const shortHalf = (columns: readonly ColumnUse[], odd: number) =>
  columns.filter(({ kind }, at) => kind !== 'json' && at % 2 === odd)

/**
 * Every second column of both views, the others in the other direction. Without JSON, which makes long rows, and with each name
 * once, because equal names are an open point (rows.duplicates).
 */
function halvesOf({ from, join }: Pair, index: number): Item[] {
  const left = shortHalf(columnsOf(from), index % 2)
  const names = left.map(({ name }) => name)
  const right = shortHalf(columnsOf(join.source), 1 - (index % 2)).filter(({ name }) => !names.includes(name))
  return [...left, ...right].map(item)
}
