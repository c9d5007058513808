import { html } from 'hono/html'
import type { Verdict } from '../../../schemas/index.ts'
import { outcomeBadge, verdictBadge } from '../html/badge.ts'
import { page } from '../html/page.ts'
import { breakable, tableOf, type Markup } from '../html/table.ts'
import { plain } from '../plain.ts'
import { compareReports, type CheckRow, type FactRow, type NamedReport } from './matrix.ts'

/** The comparison as one HTML page: first the checks that differ, each with its messages. */
export function comparisonHtml(unsafe: readonly NamedReport[]): string {
  const reports = plain(unsafe)
  const { facts, differing, agreeing, openPoints } = compareReports(reports)
  const names = reports.map(({ name }) => name)
  const checkTable = (caption: string, rows: CheckRow[]) =>
    tableOf(['Check', ...names], rows.map(checkRow(names)), caption)
  const title = `Comparison of ${reports.length} conformance reports`
  return page(
    title,
    html`<header><h1>${title}</h1></header>
      <main>
        ${tableOf(['Report', ...names], facts.map(factRow(names)), 'Targets and verdicts.')}
        <h2>Checks that differ (${differing.length})</h2>
        ${differing.length > 0 && checkTable('In the order of the contract.', differing)}
        ${
          openPoints.length > 0 &&
          html`<h2>Open points with different variants (${openPoints.length})</h2>
            ${tableOf(['Open point', ...names], openPoints.map(factRow(names)), 'Recorded only; never a failure.')}`
        }
        <h2>Checks that agree (${agreeing.length})</h2>
        ${agreeing.length > 0 && checkTable('The same outcome in every report.', agreeing)}
      </main>`,
  )
}

const factRow =
  (names: string[]) =>
  ({ name, cells }: FactRow): Markup =>
    html`<tr>
      <th scope="row">${name}</th>
      ${cells.map(
        (cell, index) =>
          html`<td data-column="${names[index]}">
            ${name === 'verdict' ? verdictBadge(cell as Verdict) : cell}
          </td>`,
      )}
    </tr> `

const checkRow =
  (names: string[]) =>
  ({ id, requirement, title, cells }: CheckRow): Markup =>
    html`<tr>
      <th scope="row">
        ${requirement}<br /><code>${breakable(id)}</code><br /><span class="muted">${title}</span>
      </th>
      ${cells.map(
        (cell, index) =>
          html`<td data-column="${names[index]}">
            ${cell ? html`${outcomeBadge(cell.outcome)} <span class="muted">${cell.message.split('\n')[0]}</span>` : 'absent'}
          </td> `,
      )}
    </tr> `
