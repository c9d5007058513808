import { contract, type ViewName } from '../../../schemas/index.ts'
import { splittingDate, marginOf } from '../../comparisons/splitting-date.ts'
import { DAY } from '../../connection/values/instant.ts'
import { LONG_AGO, type DateSpelling } from '../../connection/values/date-literal.ts'
import { LONG_LIMIT } from '../../samples/whole.ts'
import { canonical, type JsonObject } from '../../connection/values/json.ts'
import { newest, updatedAt, updatesOf } from '../../connection/values/updates.ts'
import { POINTS, single } from './generator-context.ts'
import { columnsOf, type ColumnUse, type Join, type Query } from './syntax.ts'

/** The facts about the rows of a target that the statements need. */
export interface Known {
  views: readonly ViewName[]
  rows(view: ViewName): readonly JsonObject[]
  isShort(view: ViewName, column: ColumnUse): boolean
}

/** Values that a program may take for no value, as JSON. */
const EMPTY = ['null', 'false', '0']
/** Numbers of rows that programs often read at once, and one more. */
export const BATCHES = [128, 129, 257, 1001, 1025]

/**
 * Documented statements that are at an edge: a single column with values that look like none, a date before all rows, joins, and numbers
 * of rows at which batches end.
 */
export function edges(known: Known, spelling: DateSpelling, as: Join['as']): Query[] {
  const { views, rows } = known
  const bySize = views.toSorted((one, other) => rows(other).length - rows(one).length)
  const columns = views.flatMap((view) => columnsOf(single(view)))
  const alone = EMPTY.flatMap((text) => {
    const isEmpty = (row: JsonObject, name: string) => canonical(row[name] ?? null) === text
    const item = columns.find(({ of, name }) => {
      const count = rows(of as ViewName).filter((row) => isEmpty(row, name)).length
      return count > 0 && count < rows(of as ViewName).length
    })
    return item ? [item] : []
  })
  const changing = bySize.filter((view) => (contract.delta.views as readonly ViewName[]).includes(view))
  const after = { date: LONG_AGO, sql: spelling.write(LONG_AGO) }
  return [
    ...[...new Set(alone)].map((item): Query => ({ items: [item], from: single(item.of as ViewName) })),
    ...[...new Set([...changing.slice(0, 1), ...changing.slice(-1)])].map((view): Query => {
      const items = columnsOf(single(view)).filter((column) => known.isShort(view, column))
      return { items, from: single(view), after }
    }),
    ...joins(known, spelling, as),
    ...BATCHES.map((limit, index): Query => {
      const enough = bySize.filter((view) => rows(view).length > limit)
      const from = single(enough[index % Math.max(1, enough.length)] ?? POINTS)
      return { items: columnsOf(from).slice(0, 3), from, limit }
    }),
    { items: ['*'], from: single(POINTS), limit: LONG_LIMIT },
  ]
}

/**
 * The documented join with all rows, with all columns, and with the newest row of another view as its bound; a join of points; and a join
 * of two ids that have nothing in common, with columns of every type, and a date between its rows: those without a partner are filtered
 * like any other.
 */
function joins({ views, rows, isShort }: Known, spelling: DateSpelling, as: Join['as']): Query[] {
  const join = (view: ViewName, left: string): Join => ({
    source: { view, alias: 'b' },
    on: { left, right: 'id' },
    ...(as && { as }),
  })
  const runs = join('v_bioprocesses', 'bioprocess_id')
  const from = { view: 'v_timeseries', alias: 't' } as const
  const [left, right] = [columnsOf(from), columnsOf(runs.source)]
  const items = [
    ...left.filter(({ name }) => name === 'id' || !right.some((other) => other.name === name)),
    ...right.filter(
      (item) => !left.some(({ name }) => name === item.name) && isShort('v_bioprocesses', item),
    ),
  ]
  const splits = (other: ViewName) => {
    const bound = newest(updatesOf(rows(other))) ?? 0n
    const newer = rows(from.view).filter((row) => (updatedAt(row) ?? 0n) > bound).length
    return other !== from.view && newer > 0 && newer < rows(from.view).length
  }
  const newestOf = contract.delta.views.find((view) => views.includes(view) && splits(view))
  const points = { view: POINTS, alias: 't' } as const
  const experiments = { view: 'v_experiments', alias: 't' } as const
  const quantities = join('v_quantities', 'id')
  const margin = marginOf(rows(experiments.view))
  const date = splittingDate(updatesOf(rows(experiments.view)), margin, DAY + margin)
  const unit = columnsOf({ ...from, alias: 'b' }).filter(({ name }) => name === 'unit')
  return [
    { items, from, join: runs, ...(!views.includes(from.view) && { limit: Math.max(...BATCHES) }) },
    { items: ['*'], from, join: runs, limit: 129 },
    ...(newestOf ? [{ items, from, join: runs, after: { newestOf } }] : []),
    { items: [...columnsOf(points), ...unit], from: points, join: join(from.view, 'id'), limit: LONG_LIMIT },
    {
      items: [...columnsOf(experiments).slice(0, 1), ...columnsOf(quantities.source).slice(1)],
      from: experiments,
      join: quantities,
      ...(date !== undefined && { after: { date, sql: spelling.write(date) } }),
    },
  ]
}
