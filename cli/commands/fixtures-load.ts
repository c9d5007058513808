import { availableParallelism } from 'node:os'
import { Command } from 'commander'
import type { LoadOptions } from '../../mock/node/postgres/load/index.ts'
import { CommandError, EXIT } from '../exit.ts'
import { scale, workers } from '../options/parse.ts'
import { type PlantOptions, withPlantOptions } from '../options/plant.ts'
import { showExport } from '../output/export-progress.ts'
import { version } from '../package.ts'

interface LoadCommandOptions extends PlantOptions {
  database: string
  schema?: string
  reader?: string
  workers?: number
  restart?: boolean
  verify?: boolean
}

const mostThreads = 4

const HELP = `
The role in --database owns the tables. The role of --reader is created unless it
exists, with the password in BIOPROCESS_SQL_READER_PASSWORD; serve uses it.

Examples:
  $ bioprocess-sql fixtures load --database postgres://owner@db/plant --scale 10
  $ bioprocess-sql fixtures load --database postgres://owner@db/plant --scale 10 --verify
  $ bioprocess-sql serve --database postgres://bioprocess_reader@db/plant`

export const loadCommand = (): Command =>
  withPlantOptions(
    new Command('load').description(
      'Load the simulated plant into a PostgreSQL; an interrupted load continues.',
    ),
    scale,
  )
    .requiredOption('--database <url>', 'the primary, and the role that will own the tables')
    .option('--schema <name>', 'the schema of the views (default: public, if there are no other tables)')
    .option('--reader <role>', 'the role that serve uses (default: bioprocess_reader)')
    .option(
      '--workers <n>',
      `threads and connections (default: one more than cores, at most ${mostThreads})`,
      workers,
    )
    .option('--restart', 'delete a plant that was loaded before and load again')
    .option('--verify', 'compare what is loaded with the simulation, by counts and checksums')
    .addHelpText('after', HELP)
    .action(load)

async function load(options: LoadCommandOptions): Promise<void> {
  const { seed, scale, asOf, database, schema, reader, restart = false, verify = false } = options
  const { loadPlant, verifyPlant } = await import('../../mock/node/postgres/load/index.ts')
  const interrupt = new AbortController()
  const onInterrupt = () =>
    interrupt.abort(
      new CommandError('Interrupted. Run the same command again: it continues.', EXIT.interrupted),
    )
  process.once('SIGINT', onInterrupt)
  const progress = showExport(process.stderr)
  const readerPassword = process.env['BIOPROCESS_SQL_READER_PASSWORD']
  const task: LoadOptions = {
    url: database,
    ...(schema !== undefined && { schema }),
    ...(reader !== undefined && { reader }),
    ...(readerPassword !== undefined && { readerPassword }),
    version,
    // one more than cores: a thread waits while the database stores its rows
    threads: options.workers ?? Math.min(availableParallelism() + 1, mostThreads),
    restart,
    onProgress: ({ of, parts, rows, points }) => progress.step({ parts: of, done: parts, rows, points }),
    signal: interrupt.signal,
  }
  try {
    if (verify) return report(await verifyPlant({ seed, scale, asOf }, task).finally(progress.end))
    const { wasComplete, resumed, rows } = await loadPlant({ seed, scale, asOf }, task).finally(progress.end)
    process.stderr.write(
      wasComplete
        ? 'This plant is loaded already; nothing was changed.\n'
        : `Loaded ${rows} rows${resumed > 0 ? `; ${resumed} parts were loaded before` : ''}.\n`,
    )
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}

function report(problems: readonly string[]): void {
  for (const problem of problems) process.stdout.write(`✗ ${problem}\n`)
  if (problems.length > 0) process.exitCode = EXIT.failed
  else process.stdout.write('The nine views have the rows of the simulation.\n')
}
