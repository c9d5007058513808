import { Command, Option } from 'commander'
import { CommandError } from '../exit.ts'
import { count, scale } from '../options/parse.ts'
import { type PlantOptions, withPlantOptions } from '../options/plant.ts'
import { checkGalleryFile, writeGallery } from '../output/gallery.ts'

interface PlotOptions extends PlantOptions {
  run?: string[]
  runs?: number
  out: string
}

const EXAMPLES = `
Without --run and --runs, the page shows three finished runs of each process,
one in progress and every failed run.

Examples:
  $ bioprocess-sql fixtures plot
  $ bioprocess-sql fixtures plot --run BR-EC-251230-R112 --out failures.html`

/** `fixtures plot`: draws runs on one HTML page. */
export const plotCommand = (): Command =>
  withPlantOptions(
    new Command('plot').description('Plot the online and offline signals of runs on an HTML page.'),
    scale,
    'amount of data and density of online signals, 0.01 to 100',
  )
    .option('--run <id...>', 'plot these runs, by external_id or id')
    .addOption(
      new Option('--runs <n>', 'plot at most N runs, the most informative ones')
        .argParser(count)
        .conflicts('run'),
    )
    .option('--out <file>', 'output file; replaces an older gallery; - is stdout', 'gallery.html')
    .addHelpText('after', EXAMPLES)
    .action(async ({ seed, scale, asOf, run, runs, out }: PlotOptions) => {
      checkGalleryFile(out)
      const { createDataset } = await import('../../fixtures/index.ts')
      const { galleryOf } = await import('../../fixtures/plot/index.ts').catch(explainMissing)
      const choice = { ...(run && { runs: run }), ...(runs && { atMost: runs }) }
      const gallery = await galleryOf(createDataset({ seed, scale, asOf }), choice)
      writeGallery(out, gallery.page)
      if (out !== '-')
        process.stderr.write(`Plotted ${gallery.runs} ${gallery.runs === 1 ? 'run' : 'runs'} in ${out}.\n`)
    })

/** echarts is large, so the package does not install it. */
function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('echarts')) throw error
  throw new CommandError('`fixtures plot` needs echarts, which is not installed. Run: npm install echarts')
}
