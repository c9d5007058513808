import { columnsOf, type Item, type Query } from './syntax.ts'

/** All queries that are one step simpler, the simplest first. */
export function reductions(query: Query): Query[] {
  const { join, after, limit, ...rest } = query
  const bounded = { ...(after && { after }) }
  const limited = { ...(limit !== undefined && { limit }) }
  const joined = { ...(join && { join }) }
  return [
    ...(after ? [{ ...rest, ...joined, ...limited }] : []),
    ...(join ? unjoined(query) : []),
    ...(limit === undefined ? [] : [{ ...rest, ...joined, ...bounded }]),
    ...fewerItems(query).map((items) => ({ ...query, items })),
    ...(limit === undefined ? [] : lower(limit).map((count) => ({ ...query, limit: count }))),
  ]
}

/** The query on each of its two views, with the parts that use only that view. */
function unjoined({ items, from, join, after, limit }: Query): Query[] {
  return [from, join!.source].map((source) => {
    const kept = items.filter((item) => item === '*' || item.of === source.alias)
    return {
      items: kept.length > 0 ? kept : columnsOf(source).slice(0, 1),
      from: source,
      ...(after && source === from && { after }),
      ...(limit !== undefined && { limit }),
    }
  })
}

/** Single items, then halves. `*` becomes the list of columns. */
function fewerItems({ items, from }: Query): Item[][] {
  const all = items.flatMap((item) => (item === '*' ? columnsOf(from) : [item]))
  if (all.length < 2) return []
  const half = all.length >> 1
  return [...all.map((item) => [item]), all.slice(0, half), all.slice(half)]
}

const lower = (count: number): number[] =>
  [...new Set([1, 10, 100, 500, 1000, count >> 1, count - 1])].filter((other) => other > 0 && other < count)
