import type { ViewName } from './generated/types.ts'
import { views } from './generated/views.ts'
import type { ViewDefinition } from './view-definition.ts'

/** The definition of one view. */
export function view(name: ViewName): ViewDefinition {
  return views.find((candidate) => candidate.name === name)!
}

export { views }
export type { ColumnDefinition, ViewDefinition } from './view-definition.ts'
