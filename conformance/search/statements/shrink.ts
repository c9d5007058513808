import { reductions } from './reductions.ts'
import { render } from './render.ts'
import type { Query } from './syntax.ts'

/** Default maximum number of statements sent to shrink one. */
const TRIES = 200

/**
 * Shrinks a query: replaces it by its first reduction that still shows the difference, until none does.
 *
 * @param shows returns the difference for a reduction; undefined if there is none
 * @param tries maximum number of reductions to try
 */
export async function shrink<T>(
  query: Query,
  found: T,
  shows: (query: Query) => Promise<T | undefined>,
  tries = TRIES,
): Promise<{ query: Query; found: T }> {
  const tried = new Set([render(query)])
  let smallest = { query, found }
  for (let candidates = reductions(query); candidates.length > 0;) {
    const candidate = candidates.shift()!
    const text = render(candidate)
    if (tried.has(text)) continue
    if (tried.size > tries) break
    tried.add(text)
    const seen = await shows(candidate)
    if (seen === undefined) continue
    smallest = { query: candidate, found: seen }
    candidates = reductions(candidate)
  }
  return smallest
}
