import { parentPort, workerData } from 'node:worker_threads'
import type { Artifacts } from '../../engine/artifacts.ts'
import { buildSnapshot } from '../../engine/snapshot/build.ts'
import { type Dataset, datasetOf, type Tables } from '../../../fixtures/dataset.ts'
import { share } from './share.ts'
import type { GeneratorOptions } from '../../engine/generator-options.ts'

/** What the thread is started with: rows to generate, or rows of one's own. */
export interface SnapshotTask {
  readonly artifacts: Artifacts
  readonly rows: { readonly generate: GeneratorOptions } | { readonly tables: Tables }
}

/** What the thread answers. */
export type SnapshotReply = { readonly progress: string } | { readonly snapshot: Uint8Array }

/** A thread that builds one snapshot: the database blocks its thread for seconds. */
const { artifacts, rows } = workerData as SnapshotTask
const dataset = 'tables' in rows ? datasetOf(rows.tables) : await generated(rows.generate)
const reply = (message: SnapshotReply) => parentPort?.postMessage(message)
reply({ snapshot: share(await buildSnapshot(dataset, artifacts, (progress) => reply({ progress }))) })

/** Loaded only here: the generator's word lists take a while, and a server with a snapshot never needs them. */
async function generated(options: GeneratorOptions): Promise<Dataset> {
  const { createDataset } = await import('../../../fixtures/index.ts')
  return createDataset(options)
}
