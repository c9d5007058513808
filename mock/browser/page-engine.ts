import type { Dataset, Tables } from '../../fixtures/dataset.ts'
import { views } from '../../schemas/views.ts'
import type { AdminAccess } from '../app/admin/guard.ts'
import { createApp } from '../app/app.ts'
import type { Call } from '../app/call.ts'
import { createSettings } from '../app/settings.ts'
import { connectSession } from '../control/connect-session.ts'
import type { Faults } from '../app/faults/faults.ts'
import { delivered } from '../app/truncated-body.ts'
import { remembering } from '../engine/remembered.ts'
import { EnginePool } from '../engine/pool/engine-pool.ts'
import { type EngineImage, EngineThread } from '../engine/pool/engine-thread.ts'
import type { ImageReply, ImageTask } from './image.ts'
import { packed } from './packed.ts'
import { packedPlant } from './packed-plant.ts'
import { explainFailure, openWorker, pageThread, requireWorker } from './page-thread.ts'
import { type GeneratorOptions, generatorOf } from '../../fixtures/generator-options.ts'

/** Any plant but that of seed 1 and scale 0.01 is simulated in the page, which takes seconds. */
export interface PageReferenceOptions extends GeneratorOptions {
  readonly dataset?: Dataset
  readonly variants: Readonly<Record<string, string>>
  readonly tokens: readonly string[] | 'any'
  readonly basePath: string
  readonly faults: Faults
  /** Limit of one statement in milliseconds. */
  readonly timeLimitMs: number
  /** Access to `/_mock/*`. Default: none. */
  readonly admin?: AdminAccess
}

/**
 * The reference server in a page. The application runs in the page; its engines run in workers, so that no
 * statement blocks the page and a statement over the limit ends with its worker.
 *
 * @throws PageRefuses if there are no workers or the page's Content-Security-Policy forbids them
 */
export async function createPageReference(options: PageReferenceOptions) {
  const { timeLimitMs, variants, tokens, basePath, faults, admin = {} } = options
  if (!packed) throw new Error('This copy of the package has no engine for a page. Build it: npm run build.')
  // checked first, because a simulated page has no URLs of blobs either
  requireWorker()
  const url = URL.createObjectURL(new Blob([packed.worker], { type: 'text/javascript' }))
  const image = requestImage(url, { type: 'image', packed, ...rowsOf(options) })
  // if no thread can be opened, nothing awaits the image, and the page would report an unhandled rejection
  image.catch(() => {})
  const pool = await EnginePool.open({
    start: () => EngineThread.start(image, pageThread(url)),
    timeLimitMs,
    readerLimitMs: 60_000,
    workers: 1,
    // the memory of a page is small: one engine that serves, and another one while a statement is slow
    maxWorkers: 2,
    log: (message) => console.warn(`[bioprocess-sql-contract] ${message}`),
  })
  const engine = remembering(pool)
  const app = createApp({
    engine: () => engine,
    settings: createSettings(variants),
    ...(tokens !== 'any' && { tokens }),
    faults,
    plant: { now: () => undefined, asOf: options.dataset ? undefined : options.asOf },
    basePath: basePath.replace(/\/$/, ''),
    admin,
  })
  const answer = async (call: Call) => delivered(await app.fetch(call))
  return {
    answer,
    reset: () => app.sessions.common.reset(),
    session: () =>
      connectSession({
        id: '',
        baseUrl: 'http://localhost',
        fetch: (input, init) => answer(new Request(input, init)),
      }),
    async close() {
      await pool.close()
      URL.revokeObjectURL(url)
    },
  }
}

function rowsOf(options: PageReferenceOptions): Pick<ImageTask, 'rows'> {
  if (options.dataset) return { rows: { tables: tablesOf(options.dataset) } }
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
