import type { Verdict } from '../../../schemas/index.ts'
import type { Document, Table } from '../document.ts'
import { renderHtml } from '../render/html.ts'
import { renderMarkdown } from '../render/markdown.ts'
import { verdictState } from '../symbols.ts'
import { compareReports, type CheckRow, type FactRow, type NamedReport } from './matrix.ts'

function comparisonDocument(reports: readonly NamedReport[]): Document {
  const { facts, differing, agreeing, openPoints } = compareReports(reports)
  const names = reports.map(({ name }) => name)
  return {
    title: `Comparison of ${reports.length} conformance reports`,
    sections: [
      { id: 'reports', ...factTable('Report', names, facts, 'Targets and verdicts.') },
      {
        id: 'differing',
        heading: `Checks that differ (${differing.length})`,
        ...checkTable(names, differing, 'In the order of the contract.'),
      },
      {
        id: 'open-points',
        heading: `Open points with different variants (${openPoints.length})`,
        ...factTable('Open point', names, openPoints, 'Recorded only; never a failure.'),
      },
      {
        id: 'agreeing',
        heading: `Checks that agree (${agreeing.length})`,
        ...checkTable(names, agreeing, 'The same outcome in every report.'),
        isFolded: true,
      },
    ],
  }
}

const factTable = (head: string, names: string[], rows: FactRow[], caption: string): Table => ({
  kind: 'table',
  heads: [head, ...names],
  entries: rows.map(({ name, cells }) => [
    name,
    ...cells.map((cell) => (name === 'verdict' ? { state: verdictState(cell as Verdict) } : cell)),
  ]),
  caption,
  headColumn: 0,
})

const checkTable = (names: string[], rows: CheckRow[], caption: string): Table => ({
  kind: 'table',
  heads: ['Requirement', 'Check', ...names],
  entries: rows.map(({ requirement, id, title, cells }) => [
    requirement,
    { text: id, isCode: true, note: title },
    ...cells.map((cell) =>
      cell ? { state: { outcome: cell.outcome }, note: cell.message.split(/\r?\n/)[0]! } : 'absent',
    ),
  ]),
  caption,
  headColumn: 1,
})

/**
 * The comparison as Markdown: first the checks that differ, the others folded.
 * @example const page = comparisonMarkdown([{ name: 'before', report: before }, { name: 'after', report: after }])
 */
export const comparisonMarkdown = (unsafe: readonly NamedReport[]): string =>
  renderMarkdown(comparisonDocument(unsafe))

/**
 * The comparison as one HTML page: first the checks that differ, each with its messages.
 * @example const page = comparisonHtml([{ name: 'before', report: before }, { name: 'after', report: after }])
 */
export const comparisonHtml = (unsafe: readonly NamedReport[]): string =>
  renderHtml(comparisonDocument(unsafe))
