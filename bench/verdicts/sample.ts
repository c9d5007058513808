import { createHash } from 'node:crypto'
import type { Part } from './parts/index.ts'

type Sized = Pick<Part, 'name' | 'seconds' | 'ids' | 'varies'>

/** Two runs usually agree, see `agreed`. */
const costOf = ({ seconds, varies }: Sized, id: string): number => (varies?.(id) ? 2 * seconds : seconds)

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

/**
 * The ids of each part that fit into a budget. Parts share the budget equally; a part that needs less than its share
 * leaves the rest to the others. A larger budget with the same seed takes the same subjects and more.
 *
 * @param budget in seconds
 */
export function sample(parts: readonly Sized[], budget: number, seed: number): Map<string, string[]> {
  const needed = (part: Sized) => sum(part.ids.map((id) => costOf(part, id)))
  const taken = new Map<string, string[]>()
  let left = budget
  for (const [at, part] of parts.toSorted((one, other) => needed(one) - needed(other)).entries()) {
    const share = left / (parts.length - at)
    const ranked = part.ids.toSorted((one, other) => (rank(seed, one) < rank(seed, other) ? -1 : 1))
    const fits = new Set<string>()
    let used = 0
    for (const id of ranked) {
      used += costOf(part, id)
      if (used > share) break
      fits.add(id)
    }
    taken.set(
      part.name,
      part.ids.filter((id) => fits.has(id)),
    )
    left -= Math.min(used, share)
  }
  return taken
}

const rank = (seed: number, id: string): string => createHash('sha256').update(`${seed} ${id}`).digest('hex')
