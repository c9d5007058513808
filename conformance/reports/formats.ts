import type { ConformanceReport } from '../../schemas/index.ts'
import { githubReport } from './github.ts'
import { htmlReport } from './html/report.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'

/** The formats that are written after a run. {@link ndjsonStream} writes during the run. */
export const reportFormats = {
  json: jsonReport,
  junit: junitReport,
  markdown: markdownReport,
  github: githubReport,
  html: htmlReport,
} satisfies Record<string, (report: ConformanceReport, allowIncomplete: boolean) => string>
