import { Command, Option } from 'commander'
import { outputFile } from '../options/parse.ts'

const EXAMPLES = `
With --gate, these make a report worse: a worse verdict, a new failure, a check
that passed before and no longer does, a missing check. A truncated ndjson
report counts as failed (exit 1).

Examples:
  $ bioprocess-sql compare a.json b.json --format html --out table.html
      compares two implementations; differences come first
  $ bioprocess-sql compare released.json candidate.ndjson --gate
      exits with 1 if the candidate is worse than the release`

export const compareCommand = () =>
  new Command('compare')
    .description('Compare conformance reports of several implementations or dates in one table.')
    .argument('<report...>', 'files that --report json=FILE or ndjson=FILE wrote, oldest first')
    .addOption(
      new Option('--format <format>', 'output format').choices(['markdown', 'html']).default('markdown'),
    )
    .option('--out <file>', 'output file; - is stdout', outputFile, '-')
    .option('--gate', 'exit with 1 if the last report is worse than the one before it')
    .addHelpText('after', EXAMPLES)
    .action(async (files, options) => {
      const { compareReports } = await import('../suite/compare-reports.ts')
      compareReports(files, options)
    })
