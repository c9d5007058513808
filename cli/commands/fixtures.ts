import { Command, Option } from 'commander'
import { instant, integer, scale } from '../parse.ts'
import { version } from '../package.ts'
import { plotCommand } from './fixtures-plot.ts'
import { verifyCommand } from './fixtures-verify.ts'

interface Flags {
  seed: number
  scale: number
  asOf: string
  format: 'ndjson' | 'sql'
  out: string
}

const EXAMPLES = `
\`export\` is what happens without a command:
  $ bioprocess-sql fixtures --format ndjson --out plant
  $ bioprocess-sql fixtures --format sql --scale 1 --seed 7 --out plant
  $ bioprocess-sql fixtures export --help`

const exportCommand = (): Command =>
  new Command('export')
    .description('Write the simulated plant to files, one for each view, and a manifest.')
    .option('--seed <n>', 'another seed is another plant', integer, 1)
    .option('--scale <s>', 'how much: 0.01 to 100', scale, 0.1)
    .option('--as-of <time>', 'the moment the data describe', instant, '2026-01-01T00:00:00Z')
    .addOption(
      new Option('--format <format>', 'how rows are written; sql: INSERTs for the tables of `contract ddl`')
        .choices(['ndjson', 'sql'])
        .makeOptionMandatory(),
    )
    .requiredOption('--out <dir>', 'a folder that is empty or does not exist yet')
    .action(async ({ seed, scale, asOf, format, out }: Flags) => {
      const { createDataset } = await import('../../fixtures/index.ts')
      const { exportDataset } = await import('../../fixtures/export.ts')
      const manifest = await exportDataset(createDataset({ seed, scale, asOf }), {
        format,
        dir: out,
        version,
      })
      const rows = Object.values(manifest.views).reduce((sum, view) => sum + view.rows, 0)
      process.stderr.write(`${rows} rows of ${Object.keys(manifest.views).length} views are in ${out}\n`)
    })

export const fixturesCommand = (): Command =>
  new Command('fixtures')
    .description('The simulated plant behind the reference server.')
    .addCommand(exportCommand(), { isDefault: true })
    .addCommand(plotCommand())
    .addCommand(verifyCommand())
    .addHelpText('after', EXAMPLES)
