import type { RequirementRegister } from './generated/types.ts'
import data from './requirements.json' with { type: 'json' }

/** A sentence of the contract that can be tested. */
export type Requirement = RequirementRegister[number]

/** Where in the contract a sentence stands. */
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
