import { view as viewOf, type ViewName } from '../../../schemas/index.ts'
import {
  columnsOf,
  type Bound,
  type ColumnUse,
  type Item,
  type Pair,
  type Query,
  type Source,
} from './syntax.ts'
import { pairs, single, type GeneratorContext } from './generator-context.ts'
import type { KnownValues } from './values.ts'

type SpreadContext = GeneratorContext & { values: KnownValues }

/** The LIMIT of the samples: a target may confuse two statements with the same beginning and end. */
const SAMPLE_LIMIT = 200

/**
 * A small spread of documented statements for every run: each view with all columns and with half of them, each changing view above
 * the newest row of another view, two of them above a date, each with `*` or with names, and a join by each relation in both directions.
 * LIMIT varies from view to view, because a target may treat each combination differently. Most statements have no LIMIT, like the documented
 * delta and the documented join; one join returns a single row, and one ends among the partners of a row.
 *
 * @param changing the views with deltas, the one with the newest row first
 */
export function spread(context: SpreadContext, changing: readonly ViewName[]): Query[] {
  const { views, values } = context
  return [
    ...views.map((view): Query => ({ items: ['*'], from: single(view) })),
    ...views.map((view, index): Query => halfOf(context, view, index)),
    // delta.since-date and delta.since-time read a delta of every view.
    ...changing.slice(0, 2).flatMap((view, index): Query[] => {
      const dates = values.dates(view)
      const isLimited = index === 1
      const date = dates[Math.floor(dates.length * (isLimited ? 0.8 : 0.5))]
      if (!date) return []
      // Less than the delta has, so that LIMIT ends it, and so that LIMIT before the filter leaves too few rows.
      const limit = isLimited ? Math.ceil(values.newer(view, date) / 2) : undefined
      return [{ ...newerThan(view, date, !isLimited), ...(limit !== undefined && { limit }) }]
    }),
    // The newest row of each view is newer than those of the views after it. Nothing is newer than the newest of all.
    ...changing.map((view, index): Query => {
      const other = changing[(index + 1) % changing.length]!
      const limit = [undefined, 1, Math.ceil(values.size(view) / 2)][index % 3]
      return {
        ...newerThan(view, { newestOf: other }, index % 2 === 1),
        ...(limit !== undefined && { limit }),
      }
    }),
    ...documentedDelta(changing),
    ...joins(context, changing),
    ...manyToMany(context),
  ]
}

/** The delta that the contract shows. Another check sends it too, so it costs no request. */
function documentedDelta(changing: readonly ViewName[]): Query[] {
  const [view, other] = ['v_timeseries', 'v_bioprocesses'] as const
  if (![view, other].every((name) => changing.includes(name))) return []
  return [newerThan(view, { newestOf: other }, false)]
}

/** All columns, or all by name in reverse order. */
const allOf = (columns: readonly ColumnUse[], byName: boolean): Item[] =>
  byName ? columns.toReversed() : ['*']

const newerThan = (view: ViewName, after: Bound, byName: boolean): Query => ({
  items: allOf(columnsOf(single(view)), byName),
  from: single(view),
  after,
})

/** Every second column of a view: the statement of sql.select-named, or for some views the other columns with one row less or without LIMIT. */
function halfOf({ values }: GeneratorContext, view: ViewName, index: number): Query {
  const columns = columnsOf(single(view))
  const from = single(view)
  const others = { items: columns.filter((_, at) => at % 2 === 0), from }
  if (index % 6 === 0) return { ...others, limit: Math.max(1, values.size(view) - 1) }
  if (index % 6 === 5) return others
  const items = columns.filter(({ name }, at) => name === 'id' || at % 2 === 1).toReversed()
  return { items, from, limit: SAMPLE_LIMIT }
}

/** A join by each relation in both directions, one with a bound: a date that tells updates of one view from those of the other. */
function joins(context: SpreadContext, changing: readonly ViewName[]): Query[] {
  const all = pairs(context).map((pair, index): Query & Pair => {
    const limit = limitOf(context, pair)
    return { items: halvesOf(context, pair, index), ...pair, ...(limit !== undefined && { limit }) }
  })
  const bounds = all
    .filter(({ from: { view } }) => changing.includes(view))
    .flatMap((query) => {
      const date = context.values.straddling(query)
      return date ? [{ query, date }] : []
    })
  const [bounded] = bounds
  return all.map((query) => {
    return query === bounded?.query ? { ...query, after: bounded.date } : query
  })
}

/** A target may apply LIMIT to the rows of the left view only, or return a single row outside of an array. */
function limitOf({ values }: SpreadContext, { from, join }: Pair): number | undefined {
  if (from.view === 'v_bioprocess_quantity_data' && join.source.view === 'v_quantities') return 1
  if (from.view === 'v_bioprocesses' && join.source.view === 'v_formula_results')
    return Math.max(1, Math.floor(values.size(from.view) / 2))
  return undefined
}

/** Some columns of a view under their own names. */
const named = (source: Source, ...names: string[]): Item[] =>
  columnsOf(source).filter(({ name }) => names.includes(name))

/** Maximum number of rows of the join of many with many. */
const MOST_JOINED = 12_000

/** A join with thousands of different rows: all series of each bioprocess with all of its values; of the newest series, if all have too many. */
function manyToMany({ views, as, values }: SpreadContext): Query[] {
  const [from, source] = [
    { view: 'v_timeseries', alias: 'l' },
    { view: 'v_bioprocess_quantity_data', alias: 'r' },
  ] as const
  if (![from, source].every(({ view }) => views.includes(view))) return []
  const on = { left: 'bioprocess_id', right: 'bioprocess_id' }
  const pair: Pair = { from, join: { source, on, ...(as && { as }) } }
  const items = [...named(from, 'id', 'start_timestamp', 'unit'), ...named(source, 'quantity_id', 'value')]
  const count = values.joined(pair)
  const after = [undefined, ...values.dates(from.view)].find((date) => count(date) <= MOST_JOINED)
  return [{ items, ...pair, ...(after && { after }) }]
}

/** Every second column of a view, and all short columns with JSON. */
const shortHalf = ({ values }: SpreadContext, source: Source, odd: number) =>
  columnsOf(source).filter((column, at) =>
    column.isJson ? values.isShort(source.view, column) : at % 2 === odd,
  )

/**
 * Every second column of both views, the others in the other direction. Without long JSON, and with each name once, because equal
 * names are an open point (rows.duplicates). The columns of the right view that may be null come first: a target may take a row
 * without a first value for one without a partner.
 */
function halvesOf(context: SpreadContext, { from, join }: Pair, index: number): Item[] {
  const left = shortHalf(context, from, index % 2)
  const names = left.map(({ name }) => name)
  // The next join is this one in the other direction, so it reads the other columns of both views.
  const right = shortHalf(context, join.source, index % 2).filter(({ name }) => !names.includes(name))
  const isNullable = ({ name }: ColumnUse) =>
    viewOf(join.source.view).columns.some((column) => column.name === name && column.nullable)
  return [...left, ...right.filter(isNullable), ...right.filter((column) => !isNullable(column))]
}
