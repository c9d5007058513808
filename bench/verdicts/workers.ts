import { fork } from 'node:child_process'
import { join } from 'node:path'
import { repository } from '../harness/folders.ts'
import type { Entry } from './entry.ts'

const program = join(repository, 'bench', 'verdicts', 'worker.ts')

/** The message of a worker. */
export interface Sent {
  entry: Entry
  /** Processor time of the worker. */
  cpuSeconds: number
}

/** An entry with its time. */
export interface Finished extends Sent {
  seconds: number
}

/** What has become of a subject. */
export type Judged = Finished | { id: string; failure: string }

/** Judges subjects of a part in several processes. A process that fails is replaced, and its subject has no entry. */
export async function judgeAll(
  part: string,
  ids: readonly string[],
  jobs: number,
  onJudged: (judged: Judged) => void,
): Promise<void> {
  const queue = [...ids]
  const work = async () => {
    while (queue.length > 0) {
      const worker = startWorker(part)
      for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
        const judged = await worker.judge(id)
        onJudged(judged)
        if ('failure' in judged) break
      }
      await worker.stop()
    }
  }
  await Promise.all(Array.from({ length: Math.min(jobs, ids.length) }, work))
}

function startWorker(part: string) {
  const child = fork(program, [part])
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(`the process ended with ${signal ?? code}`))
  })
  return {
    judge: async (id: string): Promise<Judged> => {
      const started = performance.now()
      const sent = new Promise<Sent>((resolve) => void child.once('message', resolve))
      child.send(id, () => {})
      const first = await Promise.race([sent, exited])
      if (typeof first === 'string') return { id, failure: first }
      return { ...first, seconds: (performance.now() - started) / 1000 }
    },
    stop: () => {
      if (child.connected) child.disconnect()
      return exited
    },
  }
}
