import { contract, type ViewName } from '../../schemas/index.ts'
import { columnsOf } from './columns.ts'
import { item, joinedItems, pairs, single, type GeneratorContext } from './generator-context.ts'
import type { ColumnUse, Literal, Query } from './syntax.ts'

const { column: updated, views: deltaViews } = contract.delta

/** The LIMIT of the samples: a target may confuse two statements with the same beginning and end. */
const SAMPLE_LIMIT = 200

/**
 * A small spread of documented statements for every run: each form on each view, and a join by each relation. Most have
 * no LIMIT, like the documented delta and the documented join.
 */
export function spread(context: GeneratorContext): Query[] {
  const { views, values } = context
  const changing = views.filter((view) => (deltaViews as readonly ViewName[]).includes(view))
  return [
    ...views.map((view): Query => ({ items: ['*'], from: single(view) })),
    ...views.map((view, index): Query => ({
      items: keyAndOthers(context, view),
      from: single(view),
      ...(index % 2 === 0 && { limit: index % 4 === 0 ? SAMPLE_LIMIT : Math.max(1, values.size(view) - 1) }),
    })),
    ...changing.flatMap((view, index): Query[] => {
      const dates = values.dates(view)
      const since = (date: Literal | undefined, rest: Pick<Query, 'items' | 'limit'>): Query[] => {
        const left = columnsOf(single(view)).find(({ name }) => name === updated)!
        return date
          ? [{ ...rest, from: single(view), where: { is: 'compare', operator: '>', left, right: date } }]
          : []
      }
      // Fewer rows are newer than a late date, so this LIMIT shows whether it is applied before the filter.
      if (index === 1)
        return since(dates[Math.floor(dates.length * 0.8)], {
          items: keyAndOthers(context, view),
          limit: Math.ceil(values.size(view) / 2),
        })
      return since(dates[dates.length >> 1], { items: ['*'] })
    }),
    ...newerThanOthers(changing),
    ...pairs(context).map((sources): Query => ({ items: joinedItems(context, sources), ...sources })),
  ]
}

/** The key of a view and two other columns. */
function keyAndOthers({ random }: GeneratorContext, view: ViewName) {
  const [key, ...others] = columnsOf(single(view)) as [ColumnUse, ...ColumnUse[]]
  return [key, ...random.some(others, 2)].map(item)
}

/** Deltas above the newest row of the next view, and the documented one. */
function newerThanOthers(views: readonly ViewName[]): Query[] {
  const documented = (['v_timeseries', 'v_bioprocesses'] as const).filter((view) => views.includes(view))
  const others = views.filter((_, index) => index % 3 === 1)
  const bounds: [ViewName, ViewName][] = [
    ...(documented.length === 2 ? [documented as [ViewName, ViewName]] : []),
    ...others.map((view): [ViewName, ViewName] => [view, views[(views.indexOf(view) + 1) % views.length]!]),
  ]
  return bounds.map(([view, other]) => {
    const columns = columnsOf(single(view))
    const left = columns.find(({ name }) => name === updated)!
    return {
      items: ['*'],
      from: single(view),
      where: {
        is: 'compare',
        operator: '>',
        left,
        right: { is: 'extreme', function: 'MAX', column: updated, view: other },
      },
    }
  })
}
