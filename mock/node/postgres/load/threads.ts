import { collectSeldom } from '../../../../fixtures/export/garbage.ts'
import type { ViewName } from '../../../../schemas/generated/types.ts'
import { startWorker } from '../../../../fixtures/threads/start-worker.ts'
import type { LoadReply, LoadTask, Sum } from './load-worker.ts'

/** What the threads have done. */
export interface Done {
  readonly parts: number
  readonly rows: number
  readonly points: number
}

export interface ThreadsOptions extends Omit<LoadTask, 'parts'> {
  readonly threads: number
  /** Called after each batch of parts with all that is done. */
  readonly onDone: (done: Done) => void
  readonly signal?: AbortSignal | undefined
}

/**
 * Loads or compares parts in threads, each with a connection of its own.
 *
 * @returns what they have done, and the sums of the rows if they compare them
 * @throws the first error of a thread with its SQLSTATE, or the reason of the signal; all threads have ended then
 */
export async function runThreads(
  parts: readonly number[],
  { threads, onDone, signal, ...task }: ThreadsOptions,
): Promise<Done & { readonly sums: ReadonlyMap<ViewName, Sum> }> {
  signal?.throwIfAborted()
  const done = { parts: 0, rows: 0, points: 0 }
  const sums = new Map<ViewName, Sum>()
  collectSeldom(threads)
  const workers = Array.from({ length: Math.min(threads, parts.length) }, (_, index) =>
    startWorker('./load-worker.ts', import.meta.url, {
      workerData: { ...task, parts: parts.filter((_, at) => at % threads === index) } satisfies LoadTask,
      resourceLimits: { maxYoungGenerationSizeMb: 16 },
    }),
  )
  const ends = workers.map(
    (worker) =>
      new Promise<void>((resolve, reject) => {
        worker.on('message', (message: LoadReply) => {
          if ('error' in message)
            return reject(Object.assign(new Error(message.error.message), message.error))
          for (const [name, sum] of Object.entries(message.sums ?? {})) add(sums, name as ViewName, sum)
          done.parts += message.parts
          done.rows += message.rows
          done.points += message.points
          onDone({ ...done })
        })
        worker.on('error', reject)
        worker.on('exit', () => resolve())
      }),
  )
  const aborted = new Promise<never>((_, reject) =>
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true }),
  )
  try {
    await Promise.race([Promise.all(ends), aborted])
  } finally {
    // an open transaction ends with its connection, so nothing of a part stays
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
  return { ...done, sums }
}

function add(sums: Map<ViewName, Sum>, name: ViewName, { rows, sum }: Sum): void {
  const before = sums.get(name) ?? { rows: 0, sum: '0' }
  sums.set(name, { rows: before.rows + rows, sum: String(BigInt(before.sum) + BigInt(sum)) })
}
