import {
  comparisonHtml,
  comparisonMarkdown,
  readReport,
  regressions,
  ReportError,
} from '../../conformance/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { readInput } from '../files/input-file.ts'
import { openFile } from '../files/output-file.ts'
import { say } from '../output/log.ts'

/** Regressions that --gate prints; a report in which every check changed has more than a hundred. */
const MOST_LINES = 20
/** Characters of one of them: a message may quote the target. */
const MOST_CHARACTERS = 300

const FORMATS = { markdown: comparisonMarkdown, html: comparisonHtml }

export interface CompareOptions {
  format: keyof typeof FORMATS
  out: string
  gate?: boolean
}

/** Writes the table of `compare`; with `gate`, sets the exit code. */
export function compareReports(files: readonly string[], { format, out, gate }: CompareOptions): void {
  if (files.length < 2) throw new CommandError('compare needs at least two reports. Name more.', EXIT.usage)
  const reports = files.map((name) => ({ name, report: readSuiteReport(name) }))
  openFile(out).write(FORMATS[format](reports))
  if (!gate) return
  const [before, after] = reports.slice(-2).map(({ report }) => report)
  const worse = regressions(before!, after!)
  say(`${files.at(-1)} is ${worse.length === 0 ? 'not worse' : 'worse'} than ${files.at(-2)}.`)
  for (const line of worse.slice(0, MOST_LINES))
    say(`  ${line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS)}…` : line}`)
  if (worse.length > MOST_LINES)
    say(`  ${worse.length - MOST_LINES} more are in the table: --out FILE writes it, --format html too.`)
  if (worse.length > 0) process.exitCode = EXIT.failed
}

/**
 * Reads a report of the suite.
 *
 * @throws CommandError if the file is none, or is truncated
 */
export function readSuiteReport(name: string) {
  const text = readInput('report', name, 'Name a file that --report json=FILE or ndjson=FILE wrote.')
  try {
    return readReport(text, name)
  } catch (error) {
    if (!(error instanceof ReportError)) throw error
    throw new CommandError(error.message, error.cut ? EXIT.failed : EXIT.usage)
  }
}
