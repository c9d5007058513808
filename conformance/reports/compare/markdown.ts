import { inline, table } from '../markdown-syntax.ts'
import { SYMBOLS } from '../symbols.ts'
import { plain } from '../plain.ts'
import { compareReports, type CheckRow, type NamedReport } from './matrix.ts'

/** The comparison as Markdown: first the checks that differ, the others folded. */
export function comparisonMarkdown(unsafe: readonly NamedReport[]): string {
  const reports = plain(unsafe)
  const { facts, differing, agreeing, openPoints } = compareReports(reports)
  const names = reports.map(({ name }) => inline(name))
  const factTable = (heading: string, rows: typeof facts) =>
    table(
      [heading, ...names],
      rows.map(({ name, cells }) => [inline(name), ...cells.map(inline)]),
    )
  const blocks = [
    `# Comparison of ${reports.length} conformance reports`,
    factTable('', facts),
    `## Checks that differ (${differing.length})`,
    ...(differing.length > 0 ? [checkTable(names, differing)] : []),
    ...(openPoints.length > 0
      ? [`## Open points with different variants (${openPoints.length})`, factTable('Open point', openPoints)]
      : []),
    `## Checks that agree (${agreeing.length})`,
    ...(agreeing.length > 0
      ? [`<details><summary>Show them</summary>\n\n${checkTable(names, agreeing)}\n\n</details>`]
      : []),
  ]
  return `${blocks.join('\n\n')}\n`
}

const checkTable = (names: string[], rows: CheckRow[]): string =>
  table(
    ['Requirement', 'Check', ...names],
    rows.map(({ requirement, id, cells }) => [
      inline(requirement),
      inline(id),
      ...cells.map((cell) => (cell ? `${SYMBOLS[cell.outcome].mark} ${cell.outcome}` : 'absent')),
    ]),
  )
