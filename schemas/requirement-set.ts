import v2 from './requirement-sets/v2.json' with { type: 'json' }

/** The requirements and checks that count for a verdict. A set is frozen: a later check is a note until the next one. */
export interface RequirementSet {
  /** Hash of the rest, `sha256:<hex>`. Equal hashes mean equal sets. */
  readonly hash: string
  readonly version: string
  /** Version of the contract. */
  readonly contract: string
  /** By id: the level, and a hash of the text, side and level. */
  readonly requirements: Readonly<Record<string, string>>
  /** The requirement of each check, by the id of the check. */
  readonly checks: Readonly<Record<string, string>>
}

/** The frozen sets by version. */
export const requirementSets: Readonly<Record<'v2', RequirementSet>> = { v2 }

/** The version of {@link requirementSet}. */
export const currentSet = 'v2' satisfies keyof typeof requirementSets

/** The set that verdicts refer to, unless another one is chosen. */
export const requirementSet: RequirementSet = requirementSets[currentSet]

/** The version of a set, or `next` for everything that the next set may contain. */
export type RequirementSetName = keyof typeof requirementSets | 'next'

/** The frozen set of a name; undefined for `next`. */
const frozenSet = (set: RequirementSetName): RequirementSet | undefined =>
  set === 'next' ? undefined : requirementSets[set]

/** Whether a check can fail a target. Those of the seeded mode can, because a user asks for them. */
export const isScored = ({ id }: { id: string }, set: RequirementSetName): boolean => {
  const frozen = frozenSet(set)
  return !frozen || Object.hasOwn(frozen.checks, id) || id.startsWith('seeded.')
}

/** Whether a conformant target has to meet a requirement. */
export const isInSet = (requirement: string, set: RequirementSetName): boolean => {
  const frozen = frozenSet(set)
  return !frozen || Object.hasOwn(frozen.requirements, requirement)
}
