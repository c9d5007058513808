import { parentPort, workerData } from 'node:worker_threads'
import type { Artifacts } from '../../../engine/snapshot/artifacts.ts'
import { buildSnapshot } from '../../../engine/snapshot/build.ts'
import { refillSnapshot } from '../../../engine/snapshot/refill.ts'
import { type Dataset, datasetOf, type Tables } from '../../../../fixtures/dataset.ts'
import { share } from './share.ts'
import type { GeneratorOptions } from '../../../../fixtures/generator-options.ts'

/** The input of the thread: options of generated rows, or own rows. */
export interface SnapshotTask {
  readonly artifacts: Artifacts
  readonly rows: { readonly generate: GeneratorOptions } | { readonly tables: Tables }
  /** A snapshot with the same tables, whose rows are replaced. Saves the seconds of initdb. */
  readonly base?: Uint8Array
}

/** The messages of the thread. */
export type SnapshotReply = { readonly progress: string } | { readonly snapshot: Uint8Array }

/** A thread that builds one snapshot: the database blocks its thread for seconds. */
const { artifacts, rows, base } = workerData as SnapshotTask
const dataset = 'tables' in rows ? datasetOf(rows.tables) : await generated(rows.generate)
const reply = (message: SnapshotReply) => parentPort?.postMessage(message)
const report = (progress: string) => reply({ progress })
const snapshot = await (base
  ? refillSnapshot(base, dataset, artifacts, report)
  : buildSnapshot(dataset, artifacts, report))
reply({ snapshot: share(snapshot) })

/** Loads the generator, whose word lists take a while and which a server with a cached snapshot does not need. */
async function generated(options: GeneratorOptions): Promise<Dataset> {
  const { createDataset } = await import('../../../../fixtures/index.ts')
  return createDataset(options)
}
