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

/** Says that there is no view of this name, and which there are. */
export const noView = (name: string): string =>
  `There is no view ${name}. The views are: ${views.map((one) => one.name).join(', ')}.`

export { views }
export type { ColumnDefinition, ViewDefinition } from './view-definition.ts'
