import type { ConformanceReport } from '../../../schemas/index.ts'
import { plain } from '../plain.ts'
import { factsOf, judgedOf, notesOf, waivedOf, withOutcome } from '../summary.ts'
import {
  brief,
  dataQuality,
  everyCheck,
  findings,
  observations,
  requirementResults,
  requirementTexts,
  runFacts,
  why,
  type Section,
} from './sections.ts'
import { html } from 'hono/html'
import { verdictBadge } from './badge.ts'
import { versionText } from '../version-text.ts'
import { page } from './page.ts'

/** The report as one page without scripts or requests, for a browser, a phone or a printer. */
export function htmlReport(unsafe: ConformanceReport): string {
  const report = plain(unsafe)
  const { verdict } = report
  const judged = judgedOf(report)
  const sections = [
    why(report),
    findings('failures', 'Failures', withOutcome(report, 'fail', 'error')),
    findings('warnings', 'Warnings', withOutcome(report, 'warn')),
    brief('waived', 'Waived', waivedOf(report)),
    brief('inconclusive', 'Inconclusive', withOutcome(report, 'inconclusive')),
    brief('not-exercised', 'Not exercised', withOutcome(report, 'not-exercised')),
    brief('notes', 'Notes', notesOf(report)),
    requirementResults(report),
    dataQuality(report),
    observations(report),
    everyCheck(report),
    requirementTexts(report),
    runFacts(report),
  ].filter((section): section is Section => section !== undefined)
  return page(
    `${verdict}: ${judged}`,
    html`<header>
        <h1>${verdictBadge(verdict)} ${judged}</h1>
        <p>${factsOf(report)}</p>
        <p class="muted">
          Checked by ${report.suite.name} ${versionText(report.suite)}, started at ${report.startedAt}
        </p>
        <nav aria-label="Sections">
          <ul>
            ${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}
          </ul>
        </nav>
      </header>
      <main>
        ${sections.map(
          ({ id, heading, body }) =>
            html`<section id="${id}" aria-labelledby="${id}-heading">
              <h2 id="${id}-heading">${heading}</h2>
              ${body}
            </section> `,
        )}
      </main>
      <footer>
        <h2>Verdict</h2>
        <p>${verdictBadge(verdict)} ${judged}</p>
      </footer>`,
  )
}
