import { contract } from '../../../schemas/index.ts'
import type { Bound, Join, Query } from './syntax.ts'

const { column: updated } = contract.delta

/** The SQL of a query, on one line. */
export function render({ items, from, join, after, limit }: Query): string {
  const as = join?.as ?? ' '
  const qualified = (of: string, name: string) => (join ? `${of}.${name}` : name)
  return [
    `SELECT ${items.map((item) => (item === '*' ? '*' : qualified(item.of, item.name))).join(', ')}`,
    `FROM ${from.view}${join ? `${as}${from.alias}` : ''}`,
    join && `LEFT JOIN ${join.source.view}${as}${join.source.alias} ON ${equality(from.alias, join)}`,
    after && `WHERE ${qualified(from.alias, updated)} > ${boundText(after)}`,
    limit !== undefined && `LIMIT ${limit}`,
  ]
    .filter(Boolean)
    .join(' ')
}

function equality(alias: string, { on, source, rightFirst }: Join): string {
  const sides = [`${alias}.${on.left}`, `${source.alias}.${on.right}`]
  return (rightFirst ? sides.toReversed() : sides).join(' = ')
}

const boundText = (bound: Bound): string =>
  'newestOf' in bound ? `(SELECT MAX(${updated}) FROM ${bound.newestOf})` : bound.sql
