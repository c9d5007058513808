import type { ViewName } from '../../schemas/generated/types.ts'
import type { SettingId, VariantOf } from '../../schemas/open-points.ts'
import { views } from '../../schemas/views.ts'
import { implement } from './implement.ts'

/**
 * A column as an SQL expression over the table of its view, whose alias is `base`.
 *
 * @param own the column without this change
 * @param of another column of the same row
 */
export type Expression = (own: string, of: (column: string) => string) => string

/** The change of one view. */
export interface ViewChange {
  /** Changed columns; null removes a column, a new name adds one after the others. */
  readonly columns?: Readonly<Record<string, Expression | null>>
  /** Keeps the rows that meet a condition over `base`. */
  readonly where?: string
  /** Whether no statement may read the view. */
  readonly isWithheld?: true
}

/** The changes of several views. */
export type ViewChanges = Readonly<Partial<Record<ViewName, ViewChange>>>

/** Implements a setting that only changes views; undefined: no change. */
export const changeViews = <Id extends SettingId>(
  id: Id,
  branches: Readonly<Record<VariantOf<Id>, ViewChanges | undefined>>,
) => implement<Id, ViewChanges | undefined>(id, branches)

/** A change of a single column. */
export const column = (view: ViewName, name: string, expression: Expression): ViewChanges => ({
  [view]: { columns: { [name]: expression } },
})

/** The same change of every view, or of every view that has a column `having`. */
export function everyView(change: ViewChange, having?: string): ViewChanges {
  const names = views
    .filter(({ columns }) => having === undefined || columns.some(({ name }) => name === having))
    .map(({ name }) => name)
  return Object.fromEntries(names.map((name): [ViewName, ViewChange] => [name, change]))
}

/** A JSON list made of the items of another, in their order. The alias of an item is `item`. */
export const eachItem = (list: string, item: string): string =>
  `coalesce((SELECT jsonb_agg(${item}) FROM jsonb_array_elements(${list}) AS item), '[]')`

/** The time between two timestamps in milliseconds. */
export const milliseconds = (from: string, to: string): string =>
  `round(extract(epoch FROM ${to} - ${from}) * 1000)`
