import { contract, type ViewName } from '../../../schemas/index.ts'
import { columnsOf, type Bound, type DateBound, type Query } from './syntax.ts'
import {
  joinedItems,
  pair,
  rowCount,
  single,
  someColumns,
  type GeneratorContext,
} from './generator-context.ts'

/** Generates a statement; undefined if the rows do not permit one of this shape. */
type Shape = (context: GeneratorContext) => Query | undefined

function named(context: GeneratorContext): Query {
  const view = context.random.pick(context.views)
  const from = single(view)
  const small = context.values.size(view) < 100 && context.random.chance(0.4)
  return { items: small ? ['*'] : someColumns(context, columnsOf(from)), from }
}

function limited(context: GeneratorContext): Query {
  const query = named(context)
  return { ...query, limit: rowCount(context, query.from.view) }
}

function delta(context: GeneratorContext, bound: (view: ViewName) => Bound | undefined): Query | undefined {
  const from = single(context.random.pick(deltaViews(context)))
  const items = someColumns(context, columnsOf(from))
  const after = bound(from.view)
  if (!after) return undefined
  const query: Query = { items, from, after }
  return context.random.chance(0.2) ? { ...query, limit: rowCount(context, from.view) } : query
}

const deltaViews = ({ views }: GeneratorContext): readonly ViewName[] =>
  contract.delta.views.filter((view) => views.includes(view))

function anyDate({ random, values }: GeneratorContext, view: ViewName): DateBound | undefined {
  const dates = values.dates(view)
  return dates.length === 0 ? undefined : random.pick(dates)
}

const deltaByDate: Shape = (context) =>
  deltaViews(context).length === 0 ? undefined : delta(context, (view) => anyDate(context, view))

const deltaByNewest: Shape = (context) =>
  deltaViews(context).length === 0
    ? undefined
    : delta(context, () => ({ newestOf: context.random.pick(deltaViews(context)) }))

function joined(context: GeneratorContext): Query | undefined {
  const sources = pair(context)
  if (!sources) return undefined
  const { from } = sources
  const query: Query = { items: joinedItems(context, sources), ...sources }
  if (!deltaViews(context).includes(from.view) || context.random.chance(0.6)) return query
  const after = context.random.chance(0.7)
    ? anyDate(context, from.view)
    : { newestOf: context.random.pick(deltaViews(context)) }
  return after ? { ...query, after } : query
}

/** Generators of documented statements. Joins are twice as likely, because they are the most error-prone. */
const shapes: readonly Shape[] = [named, limited, deltaByDate, deltaByNewest, joined, joined]

/** A random documented statement. */
export function generateDocumented(context: GeneratorContext): Query {
  for (;;) {
    const query = context.random.pick(shapes)(context)
    if (query) return query
  }
}
