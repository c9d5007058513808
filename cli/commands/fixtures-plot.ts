import { Command, Option } from 'commander'
import { CommandError } from '../exit.ts'
import { count, instant, integer, scale } from '../parse.ts'
import { openGallery } from '../gallery-file.ts'

interface Flags {
  seed: number
  scale: number
  asOf: string
  run?: string[]
  runs?: number
  out: string
}

const EXAMPLES = `
Without --run and --runs: of each process three runs that went well, one in progress, and all that failed.
  $ bioprocess-sql fixtures plot
  $ bioprocess-sql fixtures plot --scale 1 --run BR-EC-0009 BR-EC-0014 --out failures.html`

/** `fixtures plot`: runs as pictures, in one HTML file. */
export const plotCommand = (): Command =>
  new Command('plot')
    .description('Draw runs of the simulated plant: one HTML page with online and offline signals.')
    .option('--seed <n>', 'another seed is another plant', integer, 1)
    .option('--scale <s>', 'how much, and how often online signals are recorded: 0.01 to 100', scale, 0.1)
    .option('--as-of <time>', 'the moment the data describe', instant, '2026-01-01T00:00:00Z')
    .option('--run <code...>', 'these runs, by external_id or id')
    .addOption(
      new Option('--runs <n>', 'so many runs at most, those that tell most')
        .argParser(count)
        .conflicts('run'),
    )
    .option('--out <file>', 'the page; an older gallery there is replaced; - is stdout', 'gallery.html')
    .addHelpText('after', EXAMPLES)
    .action(async ({ seed, scale, asOf, run, runs, out }: Flags) => {
      const file = openGallery(out)
      const { createDataset } = await import('../../fixtures/index.ts')
      const { galleryOf } = await import('../../fixtures/plot/index.ts').catch(explainMissing)
      const wish = { ...(run && { runs: run }), ...(runs && { atMost: runs }) }
      const gallery = await galleryOf(createDataset({ seed, scale, asOf }), wish)
      file.write(gallery.page)
      if (out !== '-')
        process.stderr.write(
          `${gallery.runs} ${gallery.runs === 1 ? 'run is' : 'runs are'} drawn in ${out}\n`,
        )
    })

/** The drawing library is large, so it does not come with the package. */
function explainMissing(error: NodeJS.ErrnoException): never {
  if (error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.includes('echarts')) throw error
  throw new CommandError(
    '`fixtures plot` draws with echarts, which is not installed. Run: npm install echarts',
  )
}
