import { Command } from 'commander'
import { interruptible } from '../interruption.ts'
import { type OptionsOf, withOptions } from '../options/command-options.ts'
import { scale } from '../options/parse.ts'
import { plantOptions } from '../options/plant.ts'
import { showExport } from '../output/export-progress.ts'

const HELP = `
The role in --database owns the tables. The role of --reader is created unless it
exists, with the password in BIOPROCESS_SQL_READER_PASSWORD; serve uses it. All is
one transaction: a load that fails changes nothing.

Examples:
  $ bioprocess-sql fixtures load --database postgres://owner@db/plant --scale 10
  $ bioprocess-sql serve --database postgres://bioprocess_reader@db/plant`

const loadOptions = () =>
  withOptions(
    new Command('load').description('Load the simulated plant into a PostgreSQL.'),
    plantOptions(scale),
  )
    .requiredOption('--database <url>', 'the primary, and the role that will own the tables')
    .option('--schema <name>', 'the schema of the views (default: public, if there are no other tables)')
    .option('--reader <role>', 'the role that serve uses (default: bioprocess_reader)')
    .addHelpText('after', HELP)

export const loadCommand = () => loadOptions().action(load)

async function load(options: OptionsOf<typeof loadOptions>): Promise<void> {
  const { seed, scale, asOf, database, schema, reader } = options
  const { loadPlant } = await import('../../mock/node/postgres/load/load-plant.ts')
  const interruption = interruptible('Interrupted. Nothing was loaded.')
  const progress = showExport(process.stderr)
  const readerPassword = process.env['BIOPROCESS_SQL_READER_PASSWORD']
  try {
    const rows = await loadPlant(
      { seed, scale, asOf },
      {
        url: database,
        schema,
        reader,
        readerPassword,
        signal: interruption.signal,
        onProgress: progress.step,
      },
    ).finally(progress.end)
    process.stderr.write(`Loaded ${rows} rows.\n`)
  } finally {
    interruption.end()
  }
}
