import { reductions } from './reductions.ts'
import { render } from './render.ts'
import type { Query } from './syntax.ts'

/** Default maximum number of statements sent to shrink one. */
const TRIES = 200
/** The same in a run without `--fuzz`. */
export const FEW_TRIES = 24

/** How something is shrunk. */
export interface Steps<S> {
  /** What is one step simpler, the simplest first. */
  reductions: (subject: S) => S[]
  /** The statement that is sent. */
  text: (subject: S) => string
}

export const stepsOfQuery: Steps<Query> = { reductions, text: render }

/**
 * Replaces a query, or what contains one, by its first reduction that still shows the difference, until none does.
 *
 * @param shows returns the difference for a reduction; undefined if there is none
 * @param tries maximum number of reductions to try
 */
export async function shrink<S, T>(
  { reductions, text }: Steps<S>,
  subject: S,
  found: T,
  shows: (subject: S) => Promise<T | undefined>,
  tries = TRIES,
): Promise<{ subject: S; found: T }> {
  const tried = new Set([text(subject)])
  let smallest = { subject, found }
  for (let candidates = reductions(subject); candidates.length > 0;) {
    const candidate = candidates.shift()!
    if (tried.has(text(candidate))) continue
    if (tried.size > tries) break
    tried.add(text(candidate))
    const seen = await shows(candidate)
    if (seen === undefined) continue
    smallest = { subject: candidate, found: seen }
    candidates = reductions(candidate)
  }
  return smallest
}
