import type { ConformanceReport, Profile } from '../../schemas/index.ts'
import { contract } from '../../schemas/index.ts'

/**
 * The profile of a target, as `serve --profile` reads it: its variant at each observed open point. `unmatched` has the
 * observations that match no known variant.
 * @example writeFileSync('profile.json', JSON.stringify(profileOf(report)))
 */
export function profileOf({ observations }: Pick<ConformanceReport, 'observations'>): Profile {
  const variants: Record<string, string> = {}
  const unmatched: Record<string, string> = {}
  // reports of earlier versions have no `point`
  for (const { knob, point = knob, variant, seen } of Object.values(observations)) {
    if (variant === undefined) unmatched[point] = seen
    else variants[point] = variant
  }
  return {
    contract: contract.version,
    variants: sorted(variants),
    ...(Object.keys(unmatched).length > 0 ? { unmatched: sorted(unmatched) } : {}),
  }
}

/** Sorts by name, so that profiles can be compared line by line. */
const sorted = (record: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)))
