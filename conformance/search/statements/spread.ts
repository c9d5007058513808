import type { ViewName } from '../../../schemas/index.ts'
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
 * a date and above the newest row of another view, one with `*` and one with names, and a join by each relation in both directions.
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
    ...changing.flatMap((view, index): Query[] => {
      const dates = values.dates(view)
      const isLimited = index % 4 === 1
      const date = dates[Math.floor(dates.length * (isLimited ? 0.8 : 0.5))]
      if (!date) return []
      // Less than the delta has, so that LIMIT ends it, and so that LIMIT before the filter leaves too few rows.
      const limit = isLimited ? Math.ceil(values.newer(view, date) / 2) : undefined
      return [{ ...newerThan(view, date, index % 2 === 0), ...(limit !== undefined && { limit }) }]
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

/** Every second column of a view; sql.select-named reads the others. */
function halfOf({ values }: GeneratorContext, view: ViewName, index: number): Query {
  const items = columnsOf(single(view)).filter((_, at) => at % 2 === 0)
  const limit = [Math.max(1, values.size(view) - 1), SAMPLE_LIMIT, undefined][index % 3]
  return { items, from: single(view), ...(limit !== undefined && { limit }) }
}

/** A join by each relation in both directions, one with a bound: a date that tells updates of one view from those of the other. */
function joins(context: SpreadContext, changing: readonly ViewName[]): Query[] {
  const all = pairs(context).map((pair, index): Query & Pair => {
    const limit = limitOf(context, pair)
    return { items: halvesOf(pair, index), ...pair, ...(limit !== undefined && { limit }) }
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

/** A join with thousands of different rows: all series of each bioprocess with all of its values. */
function manyToMany({ views, as }: GeneratorContext): Query[] {
  const [from, source] = [
    { view: 'v_timeseries', alias: 'l' },
    { view: 'v_bioprocess_quantity_data', alias: 'r' },
  ] as const
  if (![from, source].every(({ view }) => views.includes(view))) return []
  const on = { left: 'bioprocess_id', right: 'bioprocess_id' }
  const items = [...named(from, 'id', 'start_timestamp', 'unit'), ...named(source, 'quantity_id', 'value')]
  return [{ items, from, join: { source, on, ...(as && { as }) } }]
}

const shortHalf = (columns: readonly ColumnUse[], odd: number) =>
  columns.filter(({ isJson }, at) => !isJson && at % 2 === odd)

/**
 * Every second column of both views, the others in the other direction. Without JSON, which makes long rows, but for one short
 * column, and with each name once, because equal names are an open point (rows.duplicates).
 */
function halvesOf({ from, join }: Pair, index: number): Item[] {
  const left = shortHalf(columnsOf(from), index % 2)
  const names = left.map(({ name }) => name)
  // The next join is this one in the other direction, so it reads the other columns of both views.
  const right = shortHalf(columnsOf(join.source), index % 2).filter(({ name }) => !names.includes(name))
  // A target may fill JSON columns of rows without a partner.
  const statistics = columnsOf(join.source).filter(
    ({ name }) => from.view === 'v_quantities' && name === 'statistics',
  )
  return [...left, ...right, ...statistics]
}
