import { createHash } from 'node:crypto'
import type { Requirement, RequirementSet } from '../../schemas/index.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** What a requirement set keeps of a requirement: its level, and a hash of all that decides a verdict. */
const frozen = ({ text, side, level, conditional }: Requirement): string =>
  `${level} ${sha256(JSON.stringify([text, side, level, conditional ?? false])).slice(0, 16)}`

/**
 * The requirement set of some requirements and checks. Equal input gives an equal hash.
 *
 * @param checks ids of checks, each with its requirement
 */
export function freeze(
  version: string,
  contract: string,
  requirements: readonly Requirement[],
  checks: readonly { id: string; requirement: string }[],
): RequirementSet {
  const content = {
    version,
    contract,
    requirements: byId(requirements.map((requirement) => [requirement.id, frozen(requirement)])),
    checks: byId(checks.map(({ id, requirement }) => [id, requirement])),
  }
  return { hash: `sha256:${sha256(JSON.stringify(content))}`, ...content }
}

const byId = (entries: [id: string, value: string][]): Record<string, string> =>
  Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))
