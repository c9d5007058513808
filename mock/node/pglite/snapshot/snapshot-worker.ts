import { parentPort, workerData } from 'node:worker_threads'
import type { Artifacts } from '../../../engine/snapshot/artifacts.ts'
import { type BuildOptions, buildSnapshot } from '../../../engine/snapshot/build.ts'
import { refillSnapshot } from '../../../engine/snapshot/refill.ts'
import { datasetOf, type Tables } from '../../../../fixtures/dataset.ts'
import { encodedByThreads } from '../../../../fixtures/export/threads.ts'
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

/**
 * A thread that builds one snapshot: the database blocks its thread for seconds. Another one simulates the plant meanwhile, and it alone loads
 * the generator.
 */
const { artifacts, rows: given, base } = workerData as SnapshotTask
const reply = (message: SnapshotReply) => parentPort?.postMessage(message)
const rows =
  'tables' in given
    ? datasetOf(given.tables)
    : encodedByThreads({ options: given.generate, format: 'copy', compression: 'none' }, 1)
const options: BuildOptions = {
  allocate: (bytes) => new Uint8Array(new SharedArrayBuffer(bytes)),
  onProgress: (progress) => reply({ progress }),
}
const snapshot = await (base
  ? refillSnapshot(base, rows, artifacts, options)
  : buildSnapshot(rows, artifacts, options))
reply({ snapshot })
