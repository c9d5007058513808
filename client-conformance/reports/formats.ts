import type { HabitReport } from '../habits/types.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'
import { svgMatrix } from './svg.ts'

/** The formats of `--report`. */
export const habitFormats = {
  json: jsonReport,
  junit: junitReport,
  markdown: markdownReport,
  html: htmlReport,
  svg: svgMatrix,
} satisfies Record<string, (report: HabitReport) => string>
