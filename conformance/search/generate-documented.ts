import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from './columns.ts'
import {
  joinedItems,
  pair,
  rowCount,
  single,
  someColumns,
  type GeneratorContext,
} from './generator-context.ts'
import type { ColumnUse, Condition, Query } from './syntax.ts'

/** Generates a statement; undefined if the rows do not permit one of this shape. */
export type Shape = (context: GeneratorContext) => Query | undefined

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

function delta(
  context: GeneratorContext,
  bound: (view: ViewName, column: ColumnUse) => Condition | undefined,
): Query | undefined {
  const from = single(context.random.pick(deltaViews(context)))
  const columns = columnsOf(from)
  const items = someColumns(context, columns)
  const where = bound(from.view, updatedIn(columns))
  if (!where) return undefined
  const query: Query = { items, from, where }
  return context.random.chance(0.2) ? { ...query, limit: rowCount(context, from.view) } : query
}

const deltaViews = ({ views }: GeneratorContext): readonly ViewName[] =>
  contract.delta.views.filter((view) => views.includes(view))

const updatedIn = (columns: readonly ColumnUse[]): ColumnUse =>
  columns.find(({ name }) => name === contract.delta.column)!

function newerThanDate(
  { random, values }: GeneratorContext,
  view: ViewName,
  left: ColumnUse,
): Condition | undefined {
  const dates = values.dates(view)
  return dates.length === 0 ? undefined : { is: 'compare', operator: '>', left, right: random.pick(dates) }
}

const deltaByDate: Shape = (context) =>
  deltaViews(context).length === 0
    ? undefined
    : delta(context, (view, column) => newerThanDate(context, view, column))

const deltaByNewest: Shape = (context) =>
  deltaViews(context).length === 0
    ? undefined
    : delta(context, (_, left) => ({
        is: 'compare',
        operator: '>',
        left,
        right: {
          is: 'extreme',
          function: 'MAX',
          column: contract.delta.column,
          view: context.random.pick(deltaViews(context)),
        },
      }))

function joined(context: GeneratorContext): Query | undefined {
  const sources = pair(context)
  if (!sources) return undefined
  const { from } = sources
  const query: Query = { items: joinedItems(context, sources), ...sources }
  if (!deltaViews(context).includes(from.view) || context.random.chance(0.6)) return query
  const where = newerThanDate(context, from.view, updatedIn(columnsOf(from)))
  return where ? { ...query, where } : query
}

/** Generators of documented statements. Joins are twice as likely, because they are the most error-prone. */
export const documentedShapes: readonly Shape[] = [named, limited, deltaByDate, deltaByNewest, joined, joined]

/** A random documented statement. */
export function generateDocumented(context: GeneratorContext): Query {
  for (;;) {
    const query = context.random.pick(documentedShapes)(context)
    if (query) return query
  }
}
