import type { ViewName } from '../../../schemas/index.ts'
import { pairs, single, type GeneratorContext } from './generator-context.ts'
import { columnsOf, type Query } from './syntax.ts'
import type { KnownValues } from './values.ts'

type Context = Pick<GeneratorContext, 'views' | 'as'> & { values: KnownValues }

const some = (view: ViewName, count: number): Query => ({
  items: columnsOf(single(view)).slice(0, count),
  from: single(view),
})

/** Statements that differ in their LIMIT, their WHERE, their view or their length. */
export function neighbours({ values }: Context, view: ViewName, longest: ViewName) {
  const date = values.dates(view).find((each) => values.newer(view, each) < values.size(view))
  const all: Query = { items: ['*'], from: single(view) }
  return {
    all,
    few: { ...all, limit: 2 },
    delta: date ? [{ ...some(view, 2), after: date }] : [],
    long: some(longest, 4),
  }
}

/** Pairs of statements to send at the same time: one twice, and two of the same words in another order. */
export function twins({ views, as }: Context, view: ViewName, longest: ViewName): [Query, Query][] {
  const long = some(longest, 4)
  const found: [Query, Query][] = [[long, long]]
  if (view !== longest)
    found.push([
      { ...some(view, 1), after: { newestOf: longest } },
      { ...some(longest, 1), after: { newestOf: view } },
    ])
  const [pair] = pairs({ views, ...(as && { as }) })
  if (!pair) return found
  const { from, join } = pair
  const items = [columnsOf(from)[0]!, columnsOf(join.source)[1]!]
  const on = { left: join.on.right, right: join.on.left }
  const other = { items, from: join.source, join: { ...join, source: from, on } }
  return [...found, [{ items, ...pair }, other]]
}
