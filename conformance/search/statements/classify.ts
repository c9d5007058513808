import type { Query } from './syntax.ts'

/** The documented kinds of statements, with their requirements. */
export const documentedKinds = {
  select: 'REQ-SQL-2',
  limit: 'REQ-SQL-3',
  'delta-by-date': 'REQ-DELTA-6',
  'delta-by-newest': 'REQ-DELTA-7',
  join: 'REQ-JOIN-1',
} as const

export type DocumentedKind = keyof typeof documentedKinds

/** The kind of a statement. */
export function documentedKind({ join, after, limit }: Query): DocumentedKind {
  if (join) return 'join'
  if (after) return 'newestOf' in after ? 'delta-by-newest' : 'delta-by-date'
  return limit === undefined ? 'select' : 'limit'
}

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
