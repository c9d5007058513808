import { validators, type ConformanceReport } from '../../../schemas/index.ts'
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
  const validate = validators.report
  if (validate(report)) return report as ConformanceReport
  const [error] = validate.errors ?? []
  const where = plain(error?.instancePath || 'the document')
  throw new ReportError(
    `${name} is not a conformance report: ${where} ${error?.message ?? 'does not match'}. Pass a file of --report json=FILE or ndjson=FILE.`,
  )
}
