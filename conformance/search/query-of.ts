import type { Statement } from '../answers/statement.ts'
import { columnsOf, type Query } from './statements/syntax.ts'

/** The statement as a query without columns of one name, which are open (rows.duplicates); undefined if it names some. */
export function queryOf({ sources, items, on, filtered, after, limit }: Statement): Query | undefined {
  const [from, source] = [...sources].map(([alias, view]) => ({ alias, view }))
  const date = after && 'literal' in after ? /^\d{4}-\d\d-\d\d/.exec(after.literal)?.[0] : undefined
  const bound = after && 'newestOf' in after ? after : date === undefined ? undefined : { date, sql: '' }
  const [left, right] = [from, source].map((each) => on?.find(({ alias }) => alias === each?.alias)?.column)
  const all = items
    ? items.map(({ alias, column }) => ({ of: alias, name: column, isJson: false }))
    : [from!, ...(source ? [source] : [])].flatMap(columnsOf)
  const unique = all.filter(({ name }) => all.filter((other) => other.name === name).length === 1)
  if ((filtered && !bound) || (source && !(left && right)) || (items && unique.length < all.length))
    return undefined
  return {
    items: unique,
    from: from!,
    ...(source && { join: { source, on: { left: left!, right: right! } } }),
    ...(bound && { after: bound }),
    ...(limit !== undefined && { limit }),
  }
}
