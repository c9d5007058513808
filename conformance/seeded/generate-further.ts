import { contract } from '../../schemas/index.ts'
import { columnsOf, keyOf } from '../search/columns.ts'
import { conditionOf } from './conditions.ts'
import {
  item,
  joinedItems,
  pair,
  POINTS,
  rowCount,
  single,
  someColumns,
} from '../search/generator-context.ts'
import type { Random } from '../search/random.ts'
import type { PlantContext } from './values.ts'
import type { ColumnUse, Condition, Item, Query, Term } from '../search/syntax.ts'

/** A condition of any form, sometimes with a join. */
function filtered(context: PlantContext): Query {
  const { random, views } = context
  const sources = random.chance(0.25) ? pair(context) : undefined
  if (sources) {
    const kind = random.pick(['LEFT JOIN', 'JOIN'] as const)
    const source = random.chance(0.5) ? sources.from : sources.join.source
    const where = conditionOf(context, source, random.whole(0, 2))
    return { items: joinedItems(context, sources), ...sources, join: { ...sources.join, kind }, where }
  }
  if (random.chance(0.15)) return points(context)
  const from = single(random.pick(views))
  const items = someColumns(context, columnsOf(from))
  const query: Query = { items, from, where: conditionOf(context, from, random.pick([0, 0, 1, 1, 2, 3])) }
  return random.chance(0.15) ? { ...query, distinct: true } : query
}

/** The points of one series, because the whole view is too large. */
function points(context: PlantContext): Query {
  const from = single(POINTS)
  const columns = columnsOf(from)
  const series = context.random.pick(context.values.literals(POINTS, columns[0]!))
  const one: Condition = { is: 'compare', operator: '=', left: columns[0]!, right: series }
  return {
    items: someColumns(context, columns),
    from,
    where: { is: 'and', parts: [one, conditionOf(context, from, 1)] },
  }
}

const term = (random: Random, expression: ColumnUse): Term => ({
  expression,
  direction: random.pick(['ASC', 'DESC']),
  ...(random.chance(0.3) ? { nulls: random.pick(['FIRST', 'LAST']) } : {}),
})

/** A page of a view, sorted with the key last. Texts sort by collation, so only ids are used. */
function ordered(context: PlantContext): Query {
  const { random, views } = context
  const from = single(random.pick(views.filter((view) => keyOf(view).length > 0)))
  const columns = columnsOf(from)
  const sortable = columns.filter(({ kind }) => kind === 'instant' || kind === 'number' || kind === 'boolean')
  const keys = columns.filter(({ name }) => keyOf(from.view).includes(name))
  return {
    items: someColumns(context, columns),
    from,
    ...(random.chance(0.4) ? { where: conditionOf(context, from, 1) } : {}),
    orderBy: [...random.some(sortable, random.whole(0, 2)), ...keys].map((column) => term(random, column)),
    limit: rowCount(context, from.view),
    ...(random.chance(0.4) ? { offset: random.whole(1, 20) } : {}),
  }
}

const call = (name: string, ...of: ColumnUse[]): Item => ({
  expression: { is: 'call', function: name, arguments: of },
  name: [name.toLowerCase(), ...of.map((column) => column.name)].join('_'),
})

/** Aggregates by a column. */
function grouped(context: PlantContext): Query {
  const { random } = context
  const from = single(random.pick(contract.views))
  const columns = columnsOf(from)
  const group = random.pick(columns.filter(({ kind }) => kind === 'text' || kind === 'boolean'))
  const measured = columns.filter(({ kind }) => kind === 'number')
  const dated = columns.filter(({ kind }) => kind === 'instant')
  const calls = [
    call('COUNT'),
    call('COUNT', random.pick(columns)),
    ...measured.flatMap((column) => ['SUM', 'AVG', 'MIN', 'MAX'].map((name) => call(name, column))),
    ...dated.flatMap((column) => ['MIN', 'MAX'].map((name) => call(name, column))),
  ]
  return {
    items: [item(group), ...random.some(calls, random.whole(1, 3))],
    from,
    ...(random.chance(0.4) && from.view !== POINTS ? { where: conditionOf(context, from, 1) } : {}),
    groupBy: [group],
    ...(random.chance(0.3) ? { having: random.whole(1, 5) } : {}),
  }
}

/** Generators of undocumented SQL. A repeated generator is more likely. */
export const furtherShapes = [filtered, filtered, filtered, ordered, grouped]
