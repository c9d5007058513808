import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../base/threads/start-worker.ts'

let early: Worker | undefined

/**
 * With a large stack, a deeply nested statement fails with an SQL error and does not break the engine. A large young generation
 * would fill with a big result, whose objects live for a moment.
 */
export const startEngineWorker = () =>
  startWorker('./engine-worker.ts', import.meta.url, {
    resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 3 },
  })

/** Starts the thread of the first engine, which loads its code while the caller loads the rest. */
export function startEarly(): void {
  early ??= startEngineWorker()
  early.unref()
}

/** The thread that {@link startEarly} started, or another one. */
export function firstEngineWorker(): Worker {
  const worker = early ?? startEngineWorker()
  early = undefined
  worker.ref()
  return worker
}
