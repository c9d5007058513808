import type { Query } from './syntax.ts'

/**
 * The SQL features of a query. Two statements that differ for the same reason share the features of the smaller one.
 */
export function features({ items, from, join, after, limit }: Query): Set<string> {
  const clauses = [
    join && 'LEFT JOIN',
    after && 'WHERE',
    after && 'newestOf' in after && 'MAX',
    limit !== undefined && 'LIMIT',
  ].filter((feature) => typeof feature === 'string')
  // Without other features, the cause is in the columns.
  const columns = items.map((item) => (item === '*' ? '*' : `${from.view}.${item.name}`))
  return new Set(clauses.length > 0 ? clauses : columns)
}
