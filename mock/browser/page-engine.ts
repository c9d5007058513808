import type { Dataset, Tables } from '../../fixtures/dataset.ts'
import { views } from '../../schemas/views.ts'
import { EnginePool } from '../engine/pool/engine-pool.ts'
import { type EngineImage, EngineThread } from '../engine/pool/engine-thread.ts'
import type { ImageReply, ImageTask } from './image.ts'
import type { Packed } from './packed.ts'
import { packedPlant } from './packed-plant.ts'
import { explainFailure, openWorker, pageThread, requireWorker } from './page-thread.ts'
import { type GeneratorOptions, generatorOf } from '../../fixtures/generator-options.ts'
import type { StatementEngine } from '../statement.ts'
import { gunzip } from './unpack.ts'

/** Any plant but that of seed 1 and scale 0.01, and those of scenarios, is simulated in the page, which takes seconds. */
export interface PageEngineOptions extends GeneratorOptions {
  readonly dataset?: Dataset
  /** Limit of one statement in milliseconds. */
  readonly timeLimitMs: number
}

/**
 * The engine of the reference server in a page. It runs in workers, so that no statement blocks the page and a statement
 * over the limit ends with its worker.
 *
 * @throws PageRefuses if there are no workers or the page's Content-Security-Policy forbids them
 */
export async function createPageEngine(options: PageEngineOptions): Promise<StatementEngine> {
  // checked first, because a simulated page has no URLs of blobs either
  requireWorker()
  const packed = await loadPacked()
  if (!packed) throw new Error('This copy of the package has no engine for a page. Build it: npm run build.')
  const script = await gunzip(packed.worker).arrayBuffer()
  const url = URL.createObjectURL(new Blob([script], { type: 'text/javascript' }))
  const image = requestImage(url, { type: 'image', packed, ...(await rowsOf(options)) })
  // if no thread can be opened, nothing awaits the image, and the page would report an unhandled rejection
  image.catch(() => {})
  const pool = await EnginePool.open({
    start: () => EngineThread.start(image, pageThread(url)),
    timeLimitMs: options.timeLimitMs,
    readerLimitMs: 60_000,
    workers: 1,
    // the memory of a page is small: one engine that serves, and another one while a statement is slow
    maxWorkers: 2,
    log: (message) => console.warn(`[bioprocess-sql-contract] ${message}`),
  })
  return {
    execute: (statement, asked) => pool.execute(statement, asked),
    async close() {
      await pool.close()
      URL.revokeObjectURL(url)
    },
  }
}

/**
 * Loads the packed files. Vite's development server puts dependencies into modules of its own, with their source map inline, which for these
 * megabytes is larger than they are. It serves the file of the package as it is, if the package is where npm installs it.
 */
async function loadPacked(): Promise<Packed | undefined> {
  const [, nodeModules] = /^(https?:.*\/node_modules\/)\..*\/deps\//.exec(import.meta.url) ?? []
  if (nodeModules)
    try {
      const served = `${nodeModules}bioprocess-sql-contract/dist/mock/browser/packed.js`
      return ((await import(/* @vite-ignore */ /* webpackIgnore: true */ served)) as { packed: Packed })
        .packed
    } catch {
      // it is installed in another place
    }
  return (await import('./packed.ts')).packed
}

async function rowsOf(options: PageEngineOptions): Promise<Pick<ImageTask, 'rows'>> {
  const { dataset, scenario } = options
  if (dataset) return { rows: { tables: tablesOf(dataset) } }
  if (scenario) {
    const { packedScenarios: scenarios } = await import('./packed-scenarios.ts')
    if (scenarios !== undefined) return { rows: { scenario, scenarios } }
  }
  const generate = generatorOf(options)
  return JSON.stringify(generate) === JSON.stringify(packedPlant) ? {} : { rows: { generate } }
}

function tablesOf(dataset: Dataset): Tables {
  return Object.fromEntries(views.map(({ name }) => [name, [...dataset.rows(name)]])) as unknown as Tables
}

/** Unpacks the image in a worker of its own: megabytes would block the page. */
async function requestImage(url: string, task: ImageTask): Promise<EngineImage> {
  const worker = openWorker(url)
  try {
    return await new Promise((resolve, reject) => {
      worker.addEventListener('message', ({ data }: { data: ImageReply }) =>
        data.type === 'image' ? resolve(data.image) : reject(explainFailure(data.message)),
      )
      worker.addEventListener('error', ({ message }) => reject(explainFailure(message)))
      worker.postMessage(task)
    })
  } finally {
    worker.terminate()
  }
}
