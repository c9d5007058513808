import type { ConformanceClaim, Verdict } from '../../schemas/index.ts'

const COLORS: Record<Verdict, string> = {
  conformant: 'brightgreen',
  'conformant-with-waivers': 'yellowgreen',
  incomplete: 'yellow',
  'non-conformant': 'red',
  unreachable: 'lightgrey',
  'suite-error': 'lightgrey',
}

/** A badge as JSON for the endpoint of shields.io: https://shields.io/badges/endpoint-badge. */
export const badgeOf = ({ verdict, requirementSet }: ConformanceClaim) => ({
  schemaVersion: 1,
  label: `bioprocess sql ${requirementSet.version}`,
  message: verdict,
  color: COLORS[verdict],
})

/** A file name for a target: letters, digits and hyphens. */
export const fileNameOf = (target: string): string =>
  target
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'target'
