import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import {
  comparisonHtml,
  comparisonMarkdown,
  readReport,
  regressions,
  ReportError,
} from '../../conformance/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { openFile } from '../reports.ts'

const FORMATS = { markdown: comparisonMarkdown, html: comparisonHtml }

interface Flags {
  format: keyof typeof FORMATS
  out: string
  gate?: boolean
}

const EXAMPLES = `
Examples:
  $ bioprocess-sql compare vendor-a.json vendor-b.json --format html --out matrix.html
      implementations side by side, what differs first
  $ bioprocess-sql compare released.json candidate.ndjson --gate
      exit 1 when the last one is worse than the one before it: a verdict, a check that passed and no longer
      does, a new failure, a check that is gone

A stream of lines without its footer is a run that was cut: it counts as failed, exit 1.`

export const compareCommand = (): Command =>
  new Command('compare')
    .description('Put reports of conformance side by side: of implementations, or of one at different dates.')
    .argument('<report...>', 'files that conformance --report json=FILE or ndjson=FILE wrote, oldest first')
    .addOption(
      new Option('--format <format>', 'what to write').choices(Object.keys(FORMATS)).default('markdown'),
    )
    .option('--out <file>', 'where to write it; - is stdout', '-')
    .option('--gate', 'exit 1 when the last report is worse than the one before it')
    .addHelpText('after', EXAMPLES)
    .action((files: string[], { format, out, gate }: Flags) => {
      if (files.length < 2)
        throw new CommandError('One report compares with nothing. Name two files or more.', EXIT.usage)
      const reports = files.map((name) => ({ name, report: read(name) }))
      const file = openFile(out)
      file.write(FORMATS[format](reports))
      file.close()
      if (!gate) return
      const [before, after] = reports.slice(-2).map(({ report }) => report)
      const worse = regressions(before!, after!)
      process.stderr.write(
        worse.length === 0
          ? `${files.at(-1)} is not worse than ${files.at(-2)}.\n`
          : `${files.at(-1)} is worse than ${files.at(-2)}:\n${worse.map((line) => `  ${line}\n`).join('')}`,
      )
      if (worse.length > 0) process.exitCode = EXIT.failed
    })

function read(name: string) {
  let text
  try {
    text = readFileSync(name, 'utf8')
  } catch (error) {
    throw new CommandError(
      `${name} can not be read (${(error as NodeJS.ErrnoException).code}). Name a file that --report json=FILE or ndjson=FILE wrote.`,
      EXIT.usage,
    )
  }
  try {
    return readReport(text, name)
  } catch (error) {
    if (!(error instanceof ReportError)) throw error
    throw new CommandError(error.message, error.cut ? EXIT.failed : EXIT.usage)
  }
}
