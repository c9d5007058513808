import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf, keyOf } from './columns.ts'
import { conditionOf } from './conditions.ts'
import type { Random } from './random.ts'
import type { ColumnUse, Condition, Item, Join, Query, Source, Term } from './syntax.ts'
import type { Values } from './values.ts'

/** What statements are made with. */
export interface Ground {
  random: Random
  values: Values
}

const POINTS = 'v_timeseries_data'
const readable: readonly ViewName[] = contract.views.filter((name) => name !== POINTS)
const deltaViews: readonly ViewName[] = contract.delta.views
const relations = contract.relations
  .map(({ from, to }) => ({ from: endOf(from), to: endOf(to) }))
  .filter(({ from }) => from.view !== POINTS)

function endOf(text: string): { view: ViewName; column: string } {
  const [view, column] = text.split('.') as [ViewName, string]
  return { view, column }
}

/** One statement: of a documented kind three times out of five. */
export const generate = (ground: Ground): Query =>
  ground.random.pick([
    named,
    limited,
    deltaByDate,
    deltaByNewest,
    joined,
    joined,
    filtered,
    filtered,
    ordered,
    grouped,
  ])(ground)

export const item = (column: ColumnUse): Item => ({ expression: column, name: column.name })

/** Some columns of a view, the key among them more often than not. */
function someColumns({ random }: Ground, columns: readonly ColumnUse[]): Item[] {
  const chosen = random.some(columns, random.whole(1, 4))
  const key = columns[0]!
  return (chosen.includes(key) || random.chance(0.4) ? chosen : [key, ...chosen]).map(item)
}

/** Numbers of rows worth asking for: one, all but one, all, more than all, and any. */
function rowCount({ random, values }: Ground, view: ViewName): number {
  const size = values.size(view)
  return random.pick([
    1,
    2,
    random.whole(1, size),
    random.whole(1, size),
    Math.max(1, size - 1),
    size,
    size + 1,
  ])
}

const single = (view: ViewName): Source => ({ view, alias: view })

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

/** Two views along a documented relation, in either direction. */
function pair({ random }: Ground): { from: Source; join: Join } {
  const relation = random.pick(relations)
  const [left, right] = random.chance(0.5) ? [relation.from, relation.to] : [relation.to, relation.from]
  return {
    from: { view: left.view, alias: 'l' },
    join: {
      kind: 'LEFT JOIN',
      source: { view: right.view, alias: 'r' },
      on: { left: left.column, right: right.column },
    },
  }
}

/** Columns whose names differ: what becomes of equal ones is not documented. */
function joinedItems({ random }: Ground, { from, join }: { from: Source; join: Join }): Item[] {
  const left = random.some(columnsOf(from), random.whole(1, 2))
  const names = left.map(({ name }) => name)
  const others = columnsOf(join.source).filter(({ name }) => !names.includes(name))
  return [...left, ...random.some(others, random.whole(1, 2))].map(item)
}

function joined(ground: Ground): Query {
  const sources = pair(ground)
  const { from } = sources
  const query: Query = { items: joinedItems(ground, sources), ...sources }
  if (!deltaViews.includes(from.view) || ground.random.chance(0.6)) return query
  return { ...query, where: newerThanDate(ground, from.view, updatedIn(columnsOf(from))) }
}

/** A condition of any shape, at times over two views. */
function filtered(ground: Ground): Query {
  const { random } = ground
  if (random.chance(0.25)) {
    const sources = pair(ground)
    const kind = random.pick(['LEFT JOIN', 'JOIN'] as const)
    const source = random.chance(0.5) ? sources.from : sources.join.source
    const where = conditionOf(ground, source, random.whole(0, 2))
    return { items: joinedItems(ground, sources), ...sources, join: { ...sources.join, kind }, where }
  }
  if (random.chance(0.15)) return points(ground)
  const from = single(random.pick(readable))
  const items = someColumns(ground, columnsOf(from))
  const query: Query = { items, from, where: conditionOf(ground, from, random.whole(0, 3)) }
  return random.chance(0.15) ? { ...query, distinct: true } : query
}

/** Points are read one series at a time: the view is far too large for anything else. */
function points(ground: Ground): Query {
  const from = single(POINTS)
  const columns = columnsOf(from)
  const series = ground.random.pick(ground.values.literals(POINTS, columns[0]!))
  const one: Condition = { is: 'compare', operator: '=', left: columns[0]!, right: series }
  return {
    items: someColumns(ground, columns),
    from,
    where: { is: 'and', parts: [one, conditionOf(ground, from, 1)] },
  }
}

const term = (random: Random, expression: ColumnUse): Term => ({
  expression,
  direction: random.pick(['ASC', 'DESC']),
  ...(random.chance(0.3) ? { nulls: random.pick(['FIRST', 'LAST']) } : {}),
})

/** A page of a view in an order that the key settles. Texts sort by a collation, so only ids do here. */
function ordered(ground: Ground): Query {
  const { random } = ground
  const from = single(random.pick(readable.filter((view) => keyOf(view).length > 0)))
  const columns = columnsOf(from)
  const sortable = columns.filter(({ kind }) => kind === 'instant' || kind === 'number' || kind === 'boolean')
  const keys = columns.filter(({ name }) => keyOf(from.view).includes(name))
  return {
    items: someColumns(ground, columns),
    from,
    ...(random.chance(0.4) ? { where: conditionOf(ground, from, 1) } : {}),
    orderBy: [...random.some(sortable, random.whole(0, 2)), ...keys].map((column) => term(random, column)),
    limit: rowCount(ground, from.view),
    ...(random.chance(0.4) ? { offset: random.whole(1, 20) } : {}),
  }
}

const call = (name: string, ...of: ColumnUse[]): Item => ({
  expression: { is: 'call', function: name, arguments: of },
  name: [name.toLowerCase(), ...of.map((column) => column.name)].join('_'),
})

/** Rows counted and summed up by some column. */
function grouped(ground: Ground): Query {
  const { random } = ground
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
    ...(random.chance(0.4) && from.view !== POINTS ? { where: conditionOf(ground, from, 1) } : {}),
    groupBy: [group],
    ...(random.chance(0.3) ? { having: random.whole(1, 5) } : {}),
  }
}
