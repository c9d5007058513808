import { parentPort, workerData } from 'node:worker_threads'
import type { Artifacts } from '../../../engine/snapshot/artifacts.ts'
import { type BuildOptions, buildSnapshot } from '../../../engine/snapshot/build.ts'
import { refillSnapshot } from '../../../engine/snapshot/refill.ts'
import { datasetOf, type Tables } from '../../../../fixtures/dataset.ts'
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

/** A thread that builds one snapshot: the database blocks its thread for seconds. Another one simulates the plant meanwhile. */
const { artifacts, rows, base } = workerData as SnapshotTask
const reply = (message: SnapshotReply) => parentPort?.postMessage(message)
const { dataset, slices } =
  'tables' in rows ? { dataset: datasetOf(rows.tables) } : await generated(rows.generate)
const options: BuildOptions = {
  slices,
  allocate: (bytes) => new Uint8Array(new SharedArrayBuffer(bytes)),
  onProgress: (progress) => reply({ progress }),
}
const snapshot = await (base
  ? refillSnapshot(base, dataset, artifacts, options)
  : buildSnapshot(dataset, artifacts, options))
reply({ snapshot })

/** Loads the generator, whose word lists take a while and which a server with a cached snapshot does not need. */
async function generated(options: GeneratorOptions) {
  const [{ createDataset }, { encodedByThreads }] = await Promise.all([
    import('../../../../fixtures/index.ts'),
    import('../../../../fixtures/export/threads.ts'),
  ])
  const dataset = createDataset(options)
  const slices = encodedByThreads({ options, format: 'copy', compression: 'none' }, dataset.parts, 1)
  return { dataset, slices }
}
