import type { RequirementRegister, ViewName } from './generated/types.ts'
import { tableColumns } from './views.ts'
import data from './generated/requirements.json' with { type: 'json' }

/** A testable sentence of the contract. */
export type Requirement = RequirementRegister[number]

/** The place of a sentence in the contract. */
export type Clause = Requirement['clause']

/** The register of requirements, in the order of the suite: requirements.json, with one entry of a family for each view. */
export const requirements = data as readonly Requirement[]

/**
 * The requirement with this id.
 *
 * @throws Error for an unknown id
 */
export function requirement(id: string): Requirement {
  const found = requirements.find((candidate) => candidate.id === id)
  if (!found) throw new Error(`There is no requirement ${id}: use an id of schemas/requirements.json.`)
  return found
}

/** The place of a column in the contract: its row in the table of its view; undefined if the table lacks it. */
export function columnClause(view: ViewName, column: string): string | undefined {
  const row = tableColumns(view).findIndex(({ name }) => name === column)
  return row < 0
    ? undefined
    : `Resources and their fields > ${view}, table of fields, row ${row + 1} (${column})`
}
