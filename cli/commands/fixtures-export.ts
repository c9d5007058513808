import { availableParallelism } from 'node:os'
import { Command, Option } from 'commander'
import type { Compression, FormatName } from '../../fixtures/export/index.ts'
import { showExport } from '../export-progress.ts'
import { CommandError, EXIT } from '../exit.ts'
import { version } from '../package.ts'
import { count, instant, integer, scale } from '../parse.ts'

interface Flags {
  seed: number
  scale: number
  asOf: string
  format: FormatName
  compress: Compression
  out: string
  workers?: number
  restart: boolean
}

/** Below this scale the threads take longer to start than the plant to be made. */
const manyRows = 0.5
const mostThreads = 4

export const exportCommand = (): Command =>
  new Command('export')
    .description('Write the simulated plant to files, one for each view, and a manifest.')
    .option('--seed <n>', 'another seed is another plant', integer, 1)
    .option('--scale <s>', 'how much: 0.01 to 100', scale, 0.1)
    .option('--as-of <time>', 'the moment the data describe', instant, '2026-01-01T00:00:00Z')
    .addOption(
      new Option('--format <format>', 'how rows are written; sql: COPY for the tables of `contract ddl`')
        .choices(['ndjson', 'csv', 'sql', 'parquet'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--compress <how>', 'files are named .gz or .zst; Parquet compresses inside, else by Snappy')
        .choices(['none', 'gzip', 'zstd'])
        .default('none'),
    )
    .requiredOption('--out <dir>', 'a folder that is empty or does not exist yet')
    .option(
      '--workers <n>',
      `threads. Default: one a core, at most ${mostThreads}, for small scales 1`,
      count,
    )
    .option('--restart', 'delete what an interrupted export left in --out, and start over', false)
    .action(exportFixtures)

async function exportFixtures(flags: Flags): Promise<void> {
  const { seed, scale, asOf, format, compress, out, restart } = flags
  const threads = flags.workers ?? (scale < manyRows ? 1 : Math.min(availableParallelism(), mostThreads))
  const { exportDataset } = await import('../../fixtures/export/index.ts')
  const interrupt = new AbortController()
  const onInterrupt = () =>
    interrupt.abort(
      new CommandError(
        `Interrupted. What is in ${out} is not complete, and its manifest says so. Start over with --restart.`,
        EXIT.interrupted,
      ),
    )
  process.once('SIGINT', onInterrupt)
  const progress = showExport(process.stderr)
  try {
    const { views } = await exportDataset(
      { seed, scale, asOf },
      {
        format,
        compression: compress,
        dir: out,
        version,
        threads,
        restart,
        onProgress: progress.step,
        signal: interrupt.signal,
      },
    ).finally(progress.end)
    const files = Object.values(views!)
    const rows = files.reduce((sum, file) => sum + file.rows, 0)
    process.stderr.write(`${rows} rows of ${files.length} views are in ${out}\n`)
  } finally {
    process.off('SIGINT', onInterrupt)
  }
}
