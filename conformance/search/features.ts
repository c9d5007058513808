import { isGrouped, type Condition, type Expression, type Query } from './syntax.ts'

/**
 * The SQL features of a query. Two statements that differ for the same reason share the features of the smaller one.
 */
export function features(query: Query): Set<string> {
  const { distinct, items, from, join, where, having, orderBy, limit, offset } = query
  const own = [
    distinct && 'DISTINCT',
    join?.kind,
    isGrouped(query) && 'grouped',
    having !== undefined && 'HAVING',
    orderBy && 'ORDER BY',
    limit !== undefined && 'LIMIT',
    offset !== undefined && 'OFFSET',
    ...(where ? ofCondition(where) : []),
    ...items.flatMap((item) => (item === '*' ? [] : ofExpression(item.expression))),
  ].filter((feature) => typeof feature === 'string')
  // Without other features, the cause is in the columns.
  const columns = items.flatMap((item) => (item === '*' ? '*' : `${from.view}.${item.name}`))
  return new Set(own.length > 0 ? own : columns)
}

/**
 * The features that cause a smallest query to differ: all of them. If it still has AND or OR, neither operand is the
 * cause, so only the connective counts.
 */
export function causeOf(smallest: Query): Set<string> {
  const all = features(smallest)
  const connectives = [...all].filter((feature) => feature === 'AND' || feature === 'OR')
  return connectives.length > 0 ? new Set(connectives) : all
}

/** The clauses of a query, such as WHERE, a join or LIMIT. */
export const clausesOf = (query: Query): (keyof Query)[] =>
  (['distinct', 'join', 'where', 'groupBy', 'having', 'orderBy', 'limit', 'offset'] as const).filter(
    (clause) => query[clause] !== undefined,
  )

function ofCondition(condition: Condition): string[] {
  switch (condition.is) {
    case 'and':
    case 'or':
      return [condition.is.toUpperCase(), ...condition.parts.flatMap(ofCondition)]
    case 'not':
      return ['NOT', ...ofCondition(condition.part)]
    case 'compare': {
      const { operator, left, right } = condition
      return [`${kindOf(left)} ${operator}`, ...ofExpression(left), ...ofExpression(right)]
    }
    case 'null':
      return [condition.not ? 'IS NOT NULL' : 'IS NULL', ...ofExpression(condition.of)]
    default: {
      const not = 'not' in condition && condition.not ? 'NOT ' : ''
      return [`${kindOf(condition.of)} ${not}${condition.is.toUpperCase()}`, ...ofExpression(condition.of)]
    }
  }
}

const kindOf = (expression: Expression): string =>
  expression.is === 'column' ? expression.kind : expression.is

function ofExpression(expression: Expression): string[] {
  switch (expression.is) {
    case 'column':
    case 'literal':
      return []
    case 'extreme':
      return [`(SELECT ${expression.function})`]
    case 'call':
      return [expression.function, ...expression.arguments.flatMap(ofExpression)]
    case 'member':
      return ['->>', ...ofExpression(expression.of)]
  }
}
