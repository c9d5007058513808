import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** Two engines for statements and a spare one that takes over when an engine is terminated. */
const ENGINES = 3

/**
 * A query blocks the thread of PGlite and cannot be cancelled, so each engine is a worker. A worker that misses the deadline
 * is terminated and replaced.
 */
export async function openPGlite({ ddl, fixtures, timeLimitMs }) {
  const idle = []
  const waiting = []
  let snapshot

  function release(worker) {
    const next = waiting.shift()
    if (next) next(worker)
    else idle.push(worker)
  }

  async function boot() {
    const worker = new Worker(new URL('./worker.mjs', import.meta.url), {
      workerData: { ddl, fixtures, snapshot },
    })
    const [ready] = await once(worker, 'message')
    snapshot ??= ready.snapshot
    release(worker)
  }

  await boot()
  await Promise.all(Array.from({ length: ENGINES - 1 }, boot))

  return async function execute(statement) {
    const worker = idle.pop() ?? (await new Promise((resolve) => waiting.push(resolve)))
    const answered = once(worker, 'message', { signal: AbortSignal.timeout(timeLimitMs) })
    worker.postMessage(statement)
    const [{ rows, error }] = await answered.catch((cause) => {
      worker.terminate()
      boot()
      throw cause.name === 'AbortError' ? { code: '57014' } : cause
    })
    release(worker)
    if (error) throw error
    return rows
  }
}
