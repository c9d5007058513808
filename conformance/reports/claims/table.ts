import { requirementSets, type ConformanceClaim } from '../../../schemas/index.ts'
import { tableOf, type Document } from '../document.ts'
import { renderHtml } from '../render/html.ts'
import { renderMarkdown } from '../render/markdown.ts'
import { setOf } from '../summary.ts'
import { verdictState } from '../symbols.ts'
import { versionText } from '../version-text.ts'

/**
 * The newest claim of each target, by the names of the targets.
 * @example const page = claimsMarkdown(newest(claims))
 */
export function newest(claims: readonly ConformanceClaim[]): ConformanceClaim[] {
  const byTarget = new Map<string, ConformanceClaim>()
  for (const claim of claims) {
    const known = byTarget.get(claim.target)
    if (known === undefined || claim.date >= known.date) byTarget.set(claim.target, claim)
  }
  return [...byTarget.values()].toSorted((a, b) => (a.target < b.target ? -1 : 1))
}

const judgedBy = (set: ConformanceClaim['requirementSet']): string =>
  `${Object.values(requirementSets).some(({ hash }) => hash === set.hash) ? '' : 'another '}${setOf(set)}`

/** Ids that a cell shows; a service that refuses everything fails more than a hundred. */
const MOST_IDS = 5

const listOf = (ids: readonly string[]): string =>
  ids.length > MOST_IDS
    ? `${ids.length}: ${ids.slice(0, MOST_IDS).join(', ')} …`
    : [ids.length, ids.join(', ')].filter((part) => part !== '').join(': ')

const claimsDocument = (claims: readonly ConformanceClaim[]): Document => ({
  title: 'Conformance claims',
  facts: 'Each row is the claim of a service about itself: its newest run of the suite.',
  sections: [
    {
      id: 'claims',
      ...tableOf(claims, 0, {
        Service: ({ target }) => target,
        Verdict: ({ verdict }) => ({ state: verdictState(verdict) }),
        'Judged by': (claim) => judgedBy(claim.requirementSet),
        Run: ({ date }) => date,
        Suite: ({ suite }) => versionText(suite),
        Passed: ({ passed }) => String(passed),
        Failed: ({ failed }) => listOf(failed),
        Waived: ({ waived }) => listOf(Object.keys(waived)),
        'Not exercised': ({ notExercised }) => listOf(Object.keys(notExercised)),
      }),
    },
  ],
})

/**
 * The claims as a Markdown page.
 * @example writeFileSync('CLAIMS.md', claimsMarkdown(claims))
 */
export const claimsMarkdown = (unsafe: readonly ConformanceClaim[]): string =>
  renderMarkdown(claimsDocument(unsafe))

/**
 * The claims as an HTML page without scripts.
 * @example writeFileSync('claims.html', claimsHtml(claims))
 */
export const claimsHtml = (unsafe: readonly ConformanceClaim[]): string => renderHtml(claimsDocument(unsafe))
