import { contract, type ViewName } from '../../../schemas/index.ts'
import { columnsOf, type ColumnUse, type Join, type Pair, type Source } from './syntax.ts'
import type { Random } from '../../connection/values/random.ts'
import type { Values } from './values.ts'

/** The source of random statements. */
export interface GeneratorContext {
  random: Random
  values: Values
  /** The views that can be read whole. */
  views: readonly ViewName[]
  /** How the target writes an alias. Default: after a space */
  as?: Join['as']
}

/** Too large to be read whole. */
export const POINTS = 'v_timeseries_data'
/** The views that may be small enough to be read whole. */
export const readable: readonly ViewName[] = contract.views.filter((name) => name !== POINTS)

function endOf(text: string): { view: ViewName; column: string } {
  const [view, column] = text.split('.') as [ViewName, string]
  return { view, column }
}

/** A view as the only source. */
export const single = (view: ViewName): Source => ({ view, alias: view })

/** Some columns of a view, usually with the key. */
export function someColumns({ random }: GeneratorContext, columns: readonly ColumnUse[]): ColumnUse[] {
  const chosen = random.some(columns, random.whole(1, 4))
  const key = columns[0]!
  return chosen.includes(key) || random.chance(0.4) ? chosen : [key, ...chosen]
}

/** A number of rows for LIMIT: one, all but one, all, more than all, or any. */
export function rowCount({ random, values }: GeneratorContext, view: ViewName): number {
  const size = values.size(view)
  return random.pick([
    1,
    2,
    random.whole(1, size),
    random.whole(1, size),
    Math.max(1, size - 1),
    size,
    size + 1,
  ])
}

/** Joins of two views by each documented relation, in both directions. */
export function pairs({ views, as }: Pick<GeneratorContext, 'views' | 'as'>): Pair[] {
  return contract.relations.flatMap(({ from, to }, index) => {
    const [one, other] = [endOf(from), endOf(to)]
    if (!views.includes(one.view) || !views.includes(other.view)) return []
    return [
      [one, other],
      [other, one],
    ].map(([left, right], direction): Pair => ({
      from: { view: left!.view, alias: 'l' },
      join: {
        source: { view: right!.view, alias: 'r' },
        on: { left: left!.column, right: right!.column },
        // As in the documented join, the column that refers to the other view comes first.
        ...(direction === 1 && index % 2 === 0 && { rightFirst: true }),
        ...(as && { as }),
      },
    }))
  })
}

/** A join by a documented relation; undefined if no two views have one. */
export function pair(context: GeneratorContext): Pair | undefined {
  const all = pairs(context)
  return all.length === 0 ? undefined : context.random.pick(all)
}

/** Columns with different names, because equal names are an open point (rows.duplicates). */
export function joinedItems({ random }: Pick<GeneratorContext, 'random'>, { from, join }: Pair): ColumnUse[] {
  const left = random.some(columnsOf(from), random.whole(1, 2))
  const names = left.map(({ name }) => name)
  const others = columnsOf(join.source).filter(({ name }) => !names.includes(name))
  return [...left, ...random.some(others, random.whole(1, 2))]
}
