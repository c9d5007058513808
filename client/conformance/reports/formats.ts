import { renderHtml } from '../../../conformance/reports/render/html.ts'
import { renderMarkdown } from '../../../conformance/reports/render/markdown.ts'
import { renderTerminal } from '../../../conformance/reports/render/terminal.ts'
import type { HabitReport } from '../habits/types.ts'
import { habitDocument } from './document.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'

/** The formats of `--report`. */
export const habitFormats = {
  json: jsonReport,
  junit: junitReport,
  markdown: (unsafe: HabitReport) => renderMarkdown(habitDocument(unsafe)),
  html: (unsafe: HabitReport) => renderHtml(habitDocument(unsafe)),
} satisfies Record<string, (report: HabitReport) => string>

/** The report for a terminal: verdict, what stops the client, what is worth knowing, verdict. */
export const terminalReport = (unsafe: HabitReport, stream: { isTTY?: boolean } = {}): string =>
  renderTerminal(habitDocument(unsafe), stream)
