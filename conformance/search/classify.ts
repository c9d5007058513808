import { contract } from '../../schemas/index.ts'
import type { Condition, Query } from './syntax.ts'

/** The documented kinds of statements, with their requirements. Only these can fail. */
export const documentedKinds = {
  select: 'REQ-SQL-2',
  limit: 'REQ-SQL-3',
  'delta-by-date': 'REQ-DELTA-6',
  'delta-by-newest': 'REQ-DELTA-7',
  join: 'REQ-JOIN-1',
} as const

export type DocumentedKind = keyof typeof documentedKinds

const { column } = contract.delta

/** The documented kind of a query; undefined for undocumented SQL. */
export function documentedKind(query: Query): DocumentedKind | undefined {
  const { distinct, items, join, where, groupBy, having, orderBy, limit, offset } = query
  if (distinct || groupBy || having !== undefined || orderBy || offset !== undefined) return undefined
  if (!items.every((item) => item === '*' || isPlain(item))) return undefined
  const delta = where && deltaKind(where)
  if (where && !delta) return undefined
  if (join) return join.kind === 'LEFT JOIN' && !items.includes('*') ? 'join' : undefined
  return delta ?? (limit === undefined ? 'select' : 'limit')
}

const isPlain = (item: Exclude<Query['items'][number], '*'>): boolean =>
  item.expression.is === 'column' && item.expression.name === item.name

function deltaKind(where: Condition): DocumentedKind | undefined {
  if (where.is !== 'compare' || where.operator !== '>') return undefined
  const { left, right } = where
  if (left.is !== 'column' || left.name !== column) return undefined
  if (right.is === 'literal' && right.date) return 'delta-by-date'
  return right.is === 'extreme' && right.function === 'MAX' && right.column === column
    ? 'delta-by-newest'
    : undefined
}
