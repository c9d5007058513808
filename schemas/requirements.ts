import type { RequirementRegister } from './generated/types.ts'
import data from './requirements.json' with { type: 'json' }

/** A testable sentence of the contract. */
export type Requirement = RequirementRegister[number]

/** The place of a sentence in the contract. */
export type Clause = Requirement['clause']

/** The register of requirements (requirements.json), in the order of the suite. */
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
