import { html } from 'hono/html'
import { requirementSet, type ConformanceClaim } from '../../schemas/index.ts'
import { verdictBadge } from '../reports/html/badge.ts'
import { page } from '../reports/html/page.ts'
import { tableOf } from '../reports/html/table.ts'
import { inline, table } from '../reports/markdown-syntax.ts'
import { versionText } from '../reports/version-text.ts'
import { plain } from '../reports/plain.ts'

const TITLE = 'Conformance claims'
const CAPTION = 'Each row is the claim of a service about itself: its newest run of the suite.'
const HEADS = [
  'Service',
  'Verdict',
  'Requirements',
  'Run',
  'Suite',
  'Passed',
  'Failed',
  'Waived',
  'Not exercised',
]

/** The newest claim of each target, by the names of the targets. */
export function newest(claims: readonly ConformanceClaim[]): ConformanceClaim[] {
  const byTarget = new Map<string, ConformanceClaim>()
  for (const claim of claims) {
    const known = byTarget.get(claim.target)
    if (known === undefined || claim.date >= known.date) byTarget.set(claim.target, claim)
  }
  return [...byTarget.values()].toSorted((a, b) => (a.target < b.target ? -1 : 1))
}

/** The cells after the verdict. */
function cellsOf({
  requirementSet: set,
  date,
  suite,
  passed,
  failed,
  waived,
  notExercised,
}: ConformanceClaim) {
  const isOurs = set.hash === requirementSet.hash
  return [
    isOurs ? set.version : `${set.version}, another set`,
    date,
    versionText(suite),
    String(passed),
    listOf(failed),
    listOf(Object.keys(waived)),
    listOf(Object.keys(notExercised)),
  ]
}

/** Ids that a cell shows; a service that refuses everything fails more than a hundred. */
const MOST_IDS = 5

const listOf = (ids: readonly string[]): string =>
  ids.length > MOST_IDS
    ? `${ids.length}: ${ids.slice(0, MOST_IDS).join(', ')} …`
    : [ids.length, ids.join(', ')].filter((part) => part !== '').join(': ')

/** The claims as a Markdown page. */
export function claimsMarkdown(unsafe: readonly ConformanceClaim[]): string {
  const claims = plain(unsafe)
  const rows = claims.map((claim) => [inline(claim.target), claim.verdict, ...cellsOf(claim).map(inline)])
  return `# ${TITLE}\n\n${CAPTION}\n\n${table(HEADS, rows)}\n`
}

/** The claims as an HTML page without scripts. */
export function claimsHtml(unsafe: readonly ConformanceClaim[]): string {
  const claims = plain(unsafe)
  const rows = claims.map(
    (claim) =>
      html`<tr>
        <th scope="row">${claim.target}</th>
        <td data-column="Verdict">${verdictBadge(claim.verdict)}</td>
        ${cellsOf(claim).map((cell, index) => html`<td data-column="${HEADS[index + 2]}" class="short">${cell}</td>`)}
      </tr> `,
  )
  return page(
    TITLE,
    html`<header><h1>${TITLE}</h1></header>
      <main>${tableOf(HEADS, rows, CAPTION)}</main>`,
  )
}
