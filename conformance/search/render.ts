import { sqlLiteral } from '../../schemas/formats/sql-literal.ts'
import type { Condition, Expression, Item, Join, Query, Term } from './syntax.ts'

/** The SQL of a query, on one line and without unnecessary parentheses. */
export function render(query: Query): string {
  const { distinct, items, from, join, where, groupBy, having, orderBy, limit, offset } = query
  const qualified = join !== undefined
  const as = join?.as ?? ' '
  const text = (expression: Expression) => write(expression, qualified)
  return [
    `SELECT ${distinct ? 'DISTINCT ' : ''}${items.map((item) => writeItem(item, qualified)).join(', ')}`,
    `FROM ${from.view}${join ? `${as}${from.alias}` : ''}`,
    join && `${join.kind} ${join.source.view}${as}${join.source.alias} ON ${equality(from.alias, join)}`,
    where && `WHERE ${writeCondition(where, qualified)}`,
    groupBy && `GROUP BY ${groupBy.map(text).join(', ')}`,
    having !== undefined && `HAVING COUNT(*) > ${having}`,
    orderBy && `ORDER BY ${orderBy.map((term) => writeTerm(term, qualified)).join(', ')}`,
    limit !== undefined && `LIMIT ${limit}`,
    offset !== undefined && `OFFSET ${offset}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function equality(alias: string, { on, source, rightFirst }: Join): string {
  const sides = [`${alias}.${on.left}`, `${source.alias}.${on.right}`]
  return (rightFirst ? sides.toReversed() : sides).join(' = ')
}

function writeItem(item: Item, qualified: boolean): string {
  if (item === '*') return '*'
  const text = write(item.expression, qualified)
  const named = item.expression.is === 'column' && item.expression.name === item.name
  return named ? text : `${text} AS ${item.name}`
}

function writeTerm({ expression, direction, nulls }: Term, qualified: boolean): string {
  const descending = direction === 'DESC' ? ' DESC' : ''
  return `${write(expression, qualified)}${descending}${nulls ? ` NULLS ${nulls}` : ''}`
}

function write(expression: Expression, qualified: boolean): string {
  switch (expression.is) {
    case 'column':
      return qualified ? `${expression.of}.${expression.name}` : expression.name
    case 'literal':
      return expression.sql
    case 'extreme':
      return `(SELECT ${expression.function}(${expression.column}) FROM ${expression.view})`
    case 'call': {
      const written = expression.arguments.map((argument) => write(argument, qualified))
      return `${expression.function}(${written.join(', ') || '*'})`
    }
    case 'member':
      return `${write(expression.of, qualified)} ->> ${sqlLiteral(expression.key)}`
  }
}

function writeCondition(condition: Condition, qualified: boolean): string {
  const operand = (expression: Expression) =>
    expression.is === 'member' ? `(${write(expression, qualified)})` : write(expression, qualified)
  const not = 'not' in condition && condition.not ? 'NOT ' : ''
  switch (condition.is) {
    case 'compare':
      return `${operand(condition.left)} ${condition.operator} ${operand(condition.right)}`
    case 'null':
      return `${operand(condition.of)} IS ${not}NULL`
    case 'in':
      return `${operand(condition.of)} ${not}IN (${condition.list.map(operand).join(', ')})`
    case 'between':
      return `${operand(condition.of)} BETWEEN ${operand(condition.low)} AND ${operand(condition.high)}`
    case 'like':
      return `${operand(condition.of)} ${not}LIKE ${sqlLiteral(condition.pattern)}`
    case 'among':
      return `${operand(condition.of)} ${not}IN (SELECT ${condition.column} FROM ${condition.view})`
    case 'and':
      return condition.parts.map((part) => parenthesised(part, part.is === 'or', qualified)).join(' AND ')
    case 'or':
      return condition.parts.map((part) => writeCondition(part, qualified)).join(' OR ')
    case 'not':
      return `NOT ${parenthesised(condition.part, condition.part.is === 'and' || condition.part.is === 'or', qualified)}`
  }
}

const parenthesised = (condition: Condition, needed: boolean, qualified: boolean): string =>
  needed ? `(${writeCondition(condition, qualified)})` : writeCondition(condition, qualified)
