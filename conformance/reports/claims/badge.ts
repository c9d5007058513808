import { createHash } from 'node:crypto'
import type { ConformanceClaim, Verdict } from '../../../schemas/index.ts'
import { plain } from '../plain.ts'

const COLORS: Record<Verdict, string> = {
  conformant: 'brightgreen',
  'conformant-with-waivers': 'yellowgreen',
  incomplete: 'yellow',
  'non-conformant': 'red',
  unreachable: 'lightgrey',
  'suite-error': 'lightgrey',
}

/** The longest version of a requirement set in a badge, and the longest part of a name in the name of a file. */
const [LONGEST_VERSION, LONGEST_NAME] = [20, 80]

/**
 * A badge as JSON for the endpoint of shields.io: https://shields.io/badges/endpoint-badge.
 * @example writeFileSync('badge.json', JSON.stringify(badgeOf(claim)))
 */
export const badgeOf = ({ verdict, requirementSet: { version } }: ConformanceClaim) => ({
  schemaVersion: 1,
  label: `bioprocess sql set ${plain(version.length > LONGEST_VERSION ? `${version.slice(0, LONGEST_VERSION)}…` : version)}`,
  message: verdict,
  color: COLORS[verdict],
})

/**
 * A file name for a target: letters, digits and hyphens. A long name is cut, and a hash tells it from others.
 * @example fileNameOf('Acme historian') // 'acme-historian'
 */
export function fileNameOf(target: string): string {
  const name = wordsOf(target)
  return name.length > LONGEST_NAME ? withHash(name, target) : name
}

/**
 * The badges by the names of their files. Of targets with one file name, all but the first have a hash in it.
 * @example for (const [name, badge] of badgesOf(claims)) writeFileSync(`${name}.json`, JSON.stringify(badge))
 */
export function badgesOf(claims: readonly ConformanceClaim[]): Map<string, ReturnType<typeof badgeOf>> {
  const badges = new Map<string, ReturnType<typeof badgeOf>>()
  for (const claim of claims) {
    const name = fileNameOf(claim.target)
    badges.set(badges.has(name) ? withHash(name, claim.target) : name, badgeOf(claim))
  }
  return badges
}

const wordsOf = (target: string): string =>
  target
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'target'

const withHash = (name: string, target: string): string =>
  `${name.slice(0, LONGEST_NAME)}-${createHash('sha256').update(target).digest('hex').slice(0, 8)}`
