import type { ConformanceReport } from '../../../schemas/index.ts'
import { problemIn } from '../../../schemas/problem.ts'
import { plain } from '../plain.ts'
import { parseReport, ReportError } from './parse-report.ts'

/**
 * Reads a file of `--report json=FILE` or `ndjson=FILE`.
 * @example const report = readReport(readFileSync('report.json', 'utf8'), 'report.json')
 * @param name names the file in errors
 * @throws ReportError when the text is not a report, is a truncated stream, or does not match the schema of reports.
 */
export function readReport(text: string, name: string): ConformanceReport {
  const report = parseReport(text, name)
  const problem = problemIn('report', report)
  if (problem === undefined) return report as ConformanceReport
  throw new ReportError(
    `${name} is not a conformance report: ${plain(problem)}. Pass a file of --report json=FILE or ndjson=FILE.`,
  )
}
