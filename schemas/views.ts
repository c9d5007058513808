import type { ViewName } from './generated/types.ts'
import { views } from './generated/views.ts'
import type { ColumnDefinition, ViewDefinition } from './view-definition.ts'

/** The definition of one view. */
export function view(name: ViewName): ViewDefinition {
  return views.find((candidate) => candidate.name === name)!
}

/** The columns in the table of a view, in its order. Optional columns follow from other sentences of the contract. */
export const tableColumns = (name: ViewName): ColumnDefinition[] =>
  view(name).columns.filter(({ optional }) => !optional)

/** The view of the simplest statement: any client reads it, and it has few rows. */
export const PLAIN_VIEW = 'v_bioprocesses' satisfies ViewName

/** The view of measured points, by far the longest: some hundred thousand rows. */
export const POINT_VIEW = 'v_timeseries_data' satisfies ViewName

/** Says that there is no view of this name, and which there are. */
export const noView = (name: string): string =>
  `There is no view ${name}. The views are: ${views.map((one) => one.name).join(', ')}.`

export { views }
export type { ColumnDefinition, ViewDefinition } from './view-definition.ts'
