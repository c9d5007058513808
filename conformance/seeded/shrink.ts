import { reductions } from './reductions.ts'
import { render } from './render.ts'
import type { Query } from './syntax.ts'

/** Statements that making one smaller may cost. */
const MOST_TRIES = 200

/**
 * The smallest query that still shows what the given one shows: of every query that asks a little less, the first
 * that does takes its place, until none does.
 *
 * @param shows whether a query still shows it; may be asked anything that {@link reductions} makes
 */
export async function shrink<T>(
  query: Query,
  found: T,
  shows: (query: Query) => Promise<T | undefined>,
): Promise<{ query: Query; found: T }> {
  const tried = new Set([render(query)])
  let smallest = { query, found }
  for (let candidates = reductions(query); candidates.length > 0;) {
    const candidate = candidates.shift()!
    const text = render(candidate)
    if (tried.has(text)) continue
    if (tried.size >= MOST_TRIES) break
    tried.add(text)
    const seen = await shows(candidate)
    if (seen === undefined) continue
    smallest = { query: candidate, found: seen }
    candidates = reductions(candidate)
  }
  return smallest
}
