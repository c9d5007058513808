import { Command } from 'commander'
import { exportCommand } from './fixtures-export.ts'
import { plotCommand } from './fixtures-plot.ts'
import { verifyCommand } from './fixtures-verify.ts'

const EXAMPLES = `
\`export\` is what happens without a command:
  $ bioprocess-sql fixtures --format ndjson --out plant
  $ bioprocess-sql fixtures --format sql --scale 1 --seed 7 --out plant
  $ bioprocess-sql fixtures --format parquet --compress zstd --scale 100 --out plant
  $ bioprocess-sql fixtures export --help`

export const fixturesCommand = (): Command =>
  new Command('fixtures')
    .description('The simulated plant behind the reference server.')
    .addCommand(exportCommand(), { isDefault: true })
    .addCommand(plotCommand())
    .addCommand(verifyCommand())
    .addHelpText('after', EXAMPLES)
