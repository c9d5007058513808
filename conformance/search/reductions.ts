import { columnsOf, keyOf } from './columns.ts'
import { isAggregate, isGrouped, type Condition, type Expression, type Item, type Query } from './syntax.ts'

/** All queries that are one step simpler, the simplest first. */
export function reductions(query: Query): Query[] {
  const { distinct, join, where, having, limit, offset, orderBy, groupBy } = query
  const candidates: (Query | false | undefined)[] = [
    where && without(query, 'where'),
    ...(join ? unjoined(query) : []),
    groupBy && ungrouped(query),
    orderBy && without(query, 'orderBy'),
    limit !== undefined && without(query, 'limit'),
    offset !== undefined && without(query, 'offset'),
    having !== undefined && without(query, 'having'),
    distinct && without(query, 'distinct'),
    ...fewerItems(query).map((items) => ({ ...query, items })),
    ...(orderBy && orderBy.length > 1
      ? orderBy.map((term) => ({ ...query, orderBy: orderBy.filter((other) => other !== term) }))
      : []),
    ...(orderBy ?? []).flatMap((term, at) =>
      term.nulls || term.direction === 'DESC'
        ? [
            {
              ...query,
              orderBy: orderBy!.with(at, { expression: term.expression, direction: 'ASC' as const }),
            },
          ]
        : [],
    ),
    ...(where ? smaller(where).map((part) => ({ ...query, where: part })) : []),
    ...(limit === undefined ? [] : lower(limit).map((count) => ({ ...query, limit: count }))),
    ...(offset === undefined ? [] : lower(offset).map((count) => ({ ...query, offset: count }))),
    ...(having ? [{ ...query, having: 0 }] : []),
  ]
  return candidates.filter((candidate): candidate is Query => Boolean(candidate))
}

function without(query: Query, ...clauses: (keyof Query)[]): Query {
  return Object.fromEntries(
    Object.entries(query).filter(([clause]) => !clauses.includes(clause as keyof Query)),
  ) as unknown as Query
}

/** The query on each of its two views, with the parts that use only that view. */
function unjoined(query: Query): Query[] {
  const { join, from, items, where, orderBy } = query
  return [from, join!.source].map((source) => {
    const usesOnlySource = (expression: Expression) =>
      sourcesOf(expression).every((alias) => alias === source.alias)
    const kept = items.filter((item) => item === '*' || usesOnlySource(item.expression))
    const terms = orderBy?.filter(({ expression }) => usesOnlySource(expression)) ?? []
    return {
      ...without(query, 'join', 'where', 'orderBy'),
      from: source,
      items: kept.length > 0 ? kept : [keyItem(source)],
      ...(where && conditionSources(where).every((alias) => alias === source.alias) ? { where } : {}),
      ...(terms.length > 0 ? { orderBy: terms } : {}),
    }
  })
}

function ungrouped(query: Query): Query {
  const items = query.items.filter((item) => item === '*' || !isAggregate(item.expression))
  return {
    ...without(query, 'groupBy', 'having'),
    items: items.length > 0 ? items : [keyItem(query.from)],
  }
}

function keyItem(source: Query['from']): Item {
  const columns = columnsOf(source)
  const column = columns.find(({ name }) => name === keyOf(source.view)[0]) ?? columns[0]!
  return { expression: column, name: column.name }
}

/** Single items, then halves. `*` becomes the list of columns. */
function fewerItems(query: Query): Item[][] {
  const items = query.items.flatMap((item): Item[] =>
    item === '*'
      ? columnsOf(query.from).map((column) => ({ expression: column, name: column.name }))
      : [item],
  )
  const simpler = items.flatMap((item, at): Item[][] =>
    item !== '*' && item.expression.is !== 'column' && !isGrouped(query)
      ? parts(item.expression).map((part) =>
          items.with(at, { expression: part, name: part.is === 'column' ? part.name : item.name }),
        )
      : [],
  )
  if (items.length < 2) return simpler
  const half = items.length >> 1
  const single = items.map((item) => [item])
  return [...single, items.slice(0, half), items.slice(half), ...simpler]
}

/** The parts of a condition, and the condition with simpler parts. */
function smaller(condition: Condition): Condition[] {
  switch (condition.is) {
    case 'and':
    case 'or': {
      const [left, right] = condition.parts
      return [
        left,
        right,
        ...smaller(left).map((part): Condition => ({ ...condition, parts: [part, right] })),
        ...smaller(right).map((part): Condition => ({ ...condition, parts: [left, part] })),
      ]
    }
    case 'not':
      return [condition.part, ...smaller(condition.part).map((part): Condition => ({ is: 'not', part }))]
    case 'in':
      return [
        ...(condition.list.length > 1
          ? condition.list.map((one): Condition => ({ ...condition, list: [one] }))
          : condition.list.map((right): Condition => ({
              is: 'compare',
              operator: condition.not ? '<>' : '=',
              left: condition.of,
              right,
            }))),
        ...(condition.not ? [{ ...condition, not: false }] : []),
      ]
    case 'between': {
      const { of, low, high } = condition
      return [
        { is: 'compare', operator: '>=', left: of, right: low },
        { is: 'compare', operator: '<=', left: of, right: high },
      ]
    }
    case 'compare':
      return [
        ...parts(condition.left).map((left): Condition => ({ ...condition, left })),
        ...simpler(condition.right).map((right): Condition => ({ ...condition, right })),
      ]
    case 'null':
      return parts(condition.of).map((of): Condition => ({ ...condition, of }))
    case 'like':
    case 'among':
      return condition.not ? [{ ...condition, not: false }] : []
  }
}

/** The columns inside a composite expression. */
function parts(expression: Expression): Expression[] {
  switch (expression.is) {
    case 'call':
      return expression.arguments.filter(({ is }) => is !== 'literal')
    case 'member':
      return [expression.of]
    default:
      return []
  }
}

/** A simpler literal: the day of a timestamp, a number without decimals. */
function simpler(expression: Expression): Expression[] {
  if (expression.is !== 'literal' || expression.date) return []
  const day = /^'(\d{4}-\d\d-\d\d)T.*'$/.exec(expression.sql)?.[1]
  const whole = /^(-?\d+)\.\d+$/.exec(expression.sql)?.[1]
  const text = day ? `'${day}T00:00:00Z'` : whole
  return text === undefined || text === expression.sql ? [] : [{ is: 'literal', sql: text }]
}

const lower = (count: number): number[] =>
  [...new Set([1, 10, 100, 500, 1000, count >> 1, count - 1])].filter((other) => other > 0 && other < count)

function sourcesOf(expression: Expression): string[] {
  if (expression.is === 'column') return [expression.of]
  return parts(expression).flatMap(sourcesOf)
}

function conditionSources(condition: Condition): string[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return condition.parts.flatMap(conditionSources)
    case 'not':
      return conditionSources(condition.part)
    case 'compare':
      return [...sourcesOf(condition.left), ...sourcesOf(condition.right)]
    default:
      return sourcesOf(condition.of)
  }
}
