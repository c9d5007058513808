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
