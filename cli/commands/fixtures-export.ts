import { availableParallelism } from 'node:os'
import { Command, Option } from 'commander'
import { interruptible } from '../interruption.ts'
import { type OptionsOf, withOptions } from '../options/command-options.ts'
import { outputFile, scale, workers } from '../options/parse.ts'
import { plantOptions, reportByExceptionText } from '../options/plant.ts'
import { showExport } from '../output/export-progress.ts'
import { version } from '../package.ts'

/** Below this scale, starting threads takes longer than the export. */
const threadedScale = 0.5
const mostThreads = 4

const exportOptions = () =>
  withOptions(
    new Command('export').description('Write the nine views to files, with a manifest.'),
    plantOptions(scale),
  )
    .addOption(
      new Option('--format <format>', 'file format; sql: COPY into the tables of `contract ddl`')
        .choices(['ndjson', 'csv', 'sql', 'parquet'])
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--compress <method>', 'compression; Parquet uses Snappy unless given')
        .choices(['none', 'gzip', 'zstd'])
        .default('none'),
    )
    .requiredOption('--out <dir>', 'folder to write to, empty or new', outputFile)
    .option(
      '--workers <n>',
      `threads (default: one per core, at most ${mostThreads}; 1 below --scale ${threadedScale})`,
      workers,
    )
    .option('--report-by-exception', reportByExceptionText)
    .option('--restart', 'delete what an interrupted export left in --out and start again')

export const exportCommand = () => exportOptions().action(exportFixtures)

async function exportFixtures(options: OptionsOf<typeof exportOptions>): Promise<void> {
  const { seed, scale, asOf, format, compress, out, restart = false, reportByException = false } = options
  const threads =
    options.workers ?? (scale < threadedScale ? 1 : Math.min(availableParallelism(), mostThreads))
  const { exportDataset } = await import('../../fixtures/export/index.ts')
  const interruption = interruptible(
    `Interrupted: the export in ${out} is incomplete. Start it again with --restart.`,
  )
  const progress = showExport(process.stderr)
  try {
    const { views } = await exportDataset(
      { seed, scale, asOf, reportByException },
      {
        format,
        compression: compress,
        dir: out,
        version,
        threads,
        restart,
        onProgress: progress.step,
        signal: interruption.signal,
      },
    ).finally(progress.end)
    const files = Object.values(views!)
    const rows = files.reduce((sum, file) => sum + file.rows, 0)
    process.stderr.write(`Wrote ${rows} rows of ${files.length} views to ${out}.\n`)
  } finally {
    interruption.end()
  }
}
