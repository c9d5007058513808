import type { Verdict } from '../../../schemas/index.ts'
import { outcomeBadge, verdictBadge } from '../html/badge.ts'
import { page } from '../html/page.ts'
import { tableOf } from '../html/table.ts'
import { breakable, html, type Markup } from '../html/tag.ts'
import { plain } from '../plain.ts'
import { compareReports, type CheckRow, type FactRow, type NamedReport } from './matrix.ts'

/** The comparison as one page like that of a report: rows that differ first, each with what was found. */
export function comparisonHtml(unsafe: readonly NamedReport[]): string {
  const reports = plain(unsafe)
  const { facts, differing, agreeing, openPoints } = compareReports(reports)
  const names = reports.map(({ name }) => name)
  const checkTable = (caption: string, rows: CheckRow[]) =>
    tableOf(caption, ['Check', ...names], rows.map(checkRow(names)))
  const title = `Comparison of ${reports.length} conformance reports`
  return page(
    title,
    html`<header><h1>${title}</h1></header>
      <main>
        ${tableOf('Who was judged, and what came out.', ['', ...names], facts.map(factRow(names)))}
        <h2>Checks that differ (${differing.length})</h2>
        ${differing.length > 0 && checkTable('In the order of the contract.', differing)}
        ${
          openPoints.length > 0 &&
          html`<h2>Open points of the contract that are filled differently (${openPoints.length})</h2>
            ${tableOf('Observed; never a failure.', ['Open point', ...names], openPoints.map(factRow(names)))}`
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
