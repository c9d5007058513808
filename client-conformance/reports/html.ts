import { html, raw } from 'hono/html'
import { page } from '../../conformance/reports/html/page.ts'
import { breakable, tableOf } from '../../conformance/reports/html/table.ts'
import { plain } from '../../conformance/reports/plain.ts'
import { counts } from '../habits/outcome.ts'
import type { HabitReport, HabitResult } from '../habits/types.ts'
import { detailsOf, factsOf, failuresOf, resultsOf } from './summary.ts'
import { svgMatrix } from './svg.ts'

const CLASSES = { passed: 'good', stopped: 'bad', incomplete: 'warn' } as const

/** The report as one page without scripts or requests: the picture, what stops the client, every habit. */
export function htmlReport(unsafe: HabitReport): string {
  const report = plain(unsafe)
  const { verdict, plain: without, notes } = report
  return page(
    `${verdict}: habits of services`,
    html`<header>
        <h1><span class="badge ${CLASSES[verdict]}">${verdict}</span> habits of services</h1>
        <p>${factsOf(report)}</p>
        <p class="muted">Contract ${report.contract}, started at ${report.startedAt}</p>
        ${notes.map((note) => html`<p>${note}</p>`)}
      </header>
      <main>
        <div class="scroll">${raw(svgMatrix(report))}</div>
        <h2>Stopped</h2>
        ${failuresOf(report).map(article)}
        <h2>Requirements of clients, without any habit</h2>
        ${tableOf(
          ['Outcome', 'Requirement', 'Finding'],
          without.findings.map(
            ({ outcome, requirement, sentence }) =>
              html`<tr>
                <td>${outcome}</td>
                <th scope="row">${requirement}</th>
                <td>${sentence}</td>
              </tr>`,
          ),
          'What the traffic shows',
        )}
        <h2>Every habit</h2>
        ${tableOf(
          ['Outcome', 'Habit', 'Standing', 'What it is'],
          resultsOf(report).map(
            ({ id, outcome, standing, title, failure }) =>
              html`<tr>
                <td>${outcome}</td>
                <th scope="row">${breakable(id)}</th>
                <td>${standing}</td>
                <td>${title} ${failure && html`<span class="muted">${failure.message}</span>`}</td>
              </tr>`,
          ),
          'Each habit with its outcome',
        )}
      </main>`,
  )
}

const article = (result: HabitResult) =>
  html`<article class="${counts(result) ? 'bad' : 'warn'}">
    <h3>${breakable(result.id)}</h3>
    <dl>
      ${detailsOf(result).map(
        ([name, text]) =>
          html`<dt>${name}</dt>
            <dd>${name === 'output' ? html`<pre>${text}</pre>` : text}</dd>`,
      )}
    </dl>
  </article>`
