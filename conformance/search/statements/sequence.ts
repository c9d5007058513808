import type { ViewName } from '../../../schemas/index.ts'
import { pairs, single, type GeneratorContext } from './generator-context.ts'
import { columnsOf, type DateBound, type Query } from './syntax.ts'
import type { KnownValues } from './values.ts'

type Context = Pick<GeneratorContext, 'views' | 'as'> & { values: KnownValues }

const some = (view: ViewName, count: number): Query => ({
  items: columnsOf(single(view)).slice(0, count),
  from: single(view),
})

/** Deltas of one shape: a service that prepares statements changes their plan at the sixth execution, at the latest. */
const DELTAS = 7

/** Deltas that differ in their date only, those with other rows first. The view is the first with enough of them, or the one with most. */
function deltasOf(values: KnownValues, views: readonly ViewName[]): Query[] {
  let best: { view: ViewName; dates: DateBound[] } | undefined
  for (const view of views) {
    const byCount = new Map(values.dates(view).map((date) => [values.newer(view, date), date]))
    byCount.delete(values.size(view))
    const dates = [...byCount.values()]
    if (dates.length > (best?.dates.length ?? 0)) best = { view, dates }
    if (dates.length >= DELTAS) break
  }
  if (!best) return []
  const { view, dates } = best
  const shown = Math.min(dates.length, DELTAS)
  return Array.from({ length: DELTAS }, (_, n) => {
    const after = dates[Math.floor(((n % shown) * dates.length) / shown)]!
    return { ...some(view, 2), after }
  })
}

/** Statements that differ in their LIMIT, their WHERE, their view or their length. */
export function neighbours({ values, views }: Context, view: ViewName) {
  const all: Query = { items: ['*'], from: single(view) }
  return {
    all,
    few: { ...all, limit: 2 },
    deltas: deltasOf(values, views),
    long: some(views.at(-1)!, 4),
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
