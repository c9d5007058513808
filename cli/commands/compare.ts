import { Command, Option } from 'commander'
import type { CompareFlags } from '../compare-reports.ts'

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
      new Option('--format <format>', 'what to write').choices(['markdown', 'html']).default('markdown'),
    )
    .option('--out <file>', 'where to write it; - is stdout', '-')
    .option('--gate', 'exit 1 when the last report is worse than the one before it')
    .addHelpText('after', EXAMPLES)
    .action(async (files: string[], flags: CompareFlags) => {
      const { compareReports } = await import('../compare-reports.ts')
      compareReports(files, flags)
    })
