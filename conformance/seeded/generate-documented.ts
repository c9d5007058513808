import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from './columns.ts'
import {
  joinedItems,
  pair,
  readable,
  rowCount,
  single,
  someColumns,
  type Ground,
} from './generator-context.ts'
import type { ColumnUse, Condition, Query } from './syntax.ts'

const deltaViews: readonly ViewName[] = contract.delta.views

function named(ground: Ground): Query {
  const view = ground.random.pick(readable)
  const from = single(view)
  const small = ground.values.size(view) < 100 && ground.random.chance(0.4)
  return { items: small ? ['*'] : someColumns(ground, columnsOf(from)), from }
}

function limited(ground: Ground): Query {
  const query = named(ground)
  return { ...query, limit: rowCount(ground, query.from.view) }
}

function delta(ground: Ground, bound: (view: ViewName, column: ColumnUse) => Condition): Query {
  const from = single(ground.random.pick(deltaViews))
  const columns = columnsOf(from)
  const query: Query = {
    items: someColumns(ground, columns),
    from,
    where: bound(from.view, updatedIn(columns)),
  }
  return ground.random.chance(0.2) ? { ...query, limit: rowCount(ground, from.view) } : query
}

const updatedIn = (columns: readonly ColumnUse[]): ColumnUse =>
  columns.find(({ name }) => name === contract.delta.column)!

const newerThanDate = (ground: Ground, view: ViewName, left: ColumnUse): Condition => ({
  is: 'compare',
  operator: '>',
  left,
  right: ground.random.pick(ground.values.dates(view)),
})

const deltaByDate = (ground: Ground): Query =>
  delta(ground, (view, column) => newerThanDate(ground, view, column))

const deltaByNewest = (ground: Ground): Query =>
  delta(ground, (_, left) => ({
    is: 'compare',
    operator: '>',
    left,
    right: {
      is: 'extreme',
      function: 'MAX',
      column: contract.delta.column,
      view: ground.random.pick(deltaViews),
    },
  }))

function joined(ground: Ground): Query {
  const sources = pair(ground)
  const { from } = sources
  const query: Query = { items: joinedItems(ground, sources), ...sources }
  if (!deltaViews.includes(from.view) || ground.random.chance(0.6)) return query
  return { ...query, where: newerThanDate(ground, from.view, updatedIn(columnsOf(from))) }
}

/** Statements of the documented kinds, joins twice: there is most to be got wrong in them. */
export const documentedShapes = [named, limited, deltaByDate, deltaByNewest, joined, joined]
