import { Command } from 'commander'
import { exportCommand } from './fixtures-export.ts'
import { loadCommand } from './fixtures-load.ts'
import { verifyCommand } from './fixtures-verify.ts'

const EXAMPLES = `
Without a command, \`export\` runs; its options: fixtures export --help

Examples:
  $ bioprocess-sql fixtures --format ndjson --out plant
  $ bioprocess-sql fixtures --format sql --scale 1 --seed 7 --out plant
  $ bioprocess-sql fixtures --format parquet --compress zstd --out plant`

export const fixturesCommand = () =>
  new Command('fixtures')
    .description('Export, verify or load the simulated plant of the reference server.')
    .addCommand(exportCommand(), { isDefault: true })
    .addCommand(loadCommand())
    .addCommand(verifyCommand())
    .addHelpText('after', EXAMPLES)
