import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from './columns.ts'
import {
  joinedItems,
  pair,
  readable,
  rowCount,
  single,
  someColumns,
  type GeneratorContext,
} from './generator-context.ts'
import type { ColumnUse, Condition, Query } from './syntax.ts'

const deltaViews: readonly ViewName[] = contract.delta.views

function named(context: GeneratorContext): Query {
  const view = context.random.pick(readable)
  const from = single(view)
  const small = context.values.size(view) < 100 && context.random.chance(0.4)
  return { items: small ? ['*'] : someColumns(context, columnsOf(from)), from }
}

function limited(context: GeneratorContext): Query {
  const query = named(context)
  return { ...query, limit: rowCount(context, query.from.view) }
}

function delta(context: GeneratorContext, bound: (view: ViewName, column: ColumnUse) => Condition): Query {
  const from = single(context.random.pick(deltaViews))
  const columns = columnsOf(from)
  const query: Query = {
    items: someColumns(context, columns),
    from,
    where: bound(from.view, updatedIn(columns)),
  }
  return context.random.chance(0.2) ? { ...query, limit: rowCount(context, from.view) } : query
}

const updatedIn = (columns: readonly ColumnUse[]): ColumnUse =>
  columns.find(({ name }) => name === contract.delta.column)!

const newerThanDate = (context: GeneratorContext, view: ViewName, left: ColumnUse): Condition => ({
  is: 'compare',
  operator: '>',
  left,
  right: context.random.pick(context.values.dates(view)),
})

const deltaByDate = (context: GeneratorContext): Query =>
  delta(context, (view, column) => newerThanDate(context, view, column))

const deltaByNewest = (context: GeneratorContext): Query =>
  delta(context, (_, left) => ({
    is: 'compare',
    operator: '>',
    left,
    right: {
      is: 'extreme',
      function: 'MAX',
      column: contract.delta.column,
      view: context.random.pick(deltaViews),
    },
  }))

function joined(context: GeneratorContext): Query {
  const sources = pair(context)
  const { from } = sources
  const query: Query = { items: joinedItems(context, sources), ...sources }
  if (!deltaViews.includes(from.view) || context.random.chance(0.6)) return query
  return { ...query, where: newerThanDate(context, from.view, updatedIn(columnsOf(from))) }
}

/** Generators of documented statements. Joins are twice as likely, because they are the most error-prone. */
export const documentedShapes = [named, limited, deltaByDate, deltaByNewest, joined, joined]
