import type { ConformanceReport } from '../../schemas/index.ts'
import { githubReport } from './ci/github.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './ci/junit.ts'
import { renderHtml } from './render/html.ts'
import { renderMarkdown } from './render/markdown.ts'
import { renderTerminal } from './render/terminal.ts'
import { suiteDocument } from './suite-document.ts'

/**
 * The formats that are written after a run. {@link ndjsonStream} writes during the run.
 * @example writeFileSync('conformance.xml', reportFormats.junit(report, false))
 */
export const reportFormats = {
  json: jsonReport,
  junit: junitReport,
  markdown: (unsafe: ConformanceReport) => renderMarkdown(suiteDocument(unsafe)),
  github: githubReport,
  html: (unsafe: ConformanceReport) => renderHtml(suiteDocument(unsafe)),
} satisfies Record<string, (report: ConformanceReport, allowIncomplete: boolean) => string>

interface Stream {
  isTTY?: boolean
  columns?: number
}

/**
 * The report for a terminal: verdict, table of requirements, failures and how to reproduce them, verdict.
 * @example console.log(terminalReport(report, process.stdout))
 */
export const terminalReport = (unsafe: ConformanceReport, stream: Stream = {}): string =>
  renderTerminal(suiteDocument(unsafe), stream)
