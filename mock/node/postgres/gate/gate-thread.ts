import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../../base/threads/start-worker.ts'
import { longestTimerMs } from '../../../../base/time/duration.ts'
import { fromPlainError } from '../../../engine/pool/plain-error.ts'
import { EngineBusy, SqlError } from '../../../statement.ts'
import type { Admitted, Asked } from './admitted.ts'
import { type GateReply, ready } from './gate-messages.ts'

interface Waiting {
  readonly resolve: (admitted: readonly Admitted[]) => void
  readonly reject: (error: Error) => void
}

/**
 * The gate in a thread: a statement of a megabyte takes the parser a second, and a deeply nested one needs a large stack or breaks
 * the parser, whose thread is then replaced. One statement at a time.
 */
export class GateThread {
  #worker: Worker | undefined
  #isReady = Promise.resolve<unknown>(undefined)
  #waiting: Waiting | undefined
  #closed = false

  /** Waits until the thread has loaded the parser. Starts one unless it runs. */
  async ready(): Promise<void> {
    if (!this.#closed) this.#worker ??= this.#start()
    await this.#isReady
  }

  /**
   * Asks the gate. Must not be called before {@link ready}, and the answer to the statement before.
   *
   * @param limitMs longest time in milliseconds; the thread is replaced then
   * @param timeout thrown at the limit
   * @throws StatementRefused; EngineBusy if the thread is closed; SqlError if the statement ends it
   */
  async admit(request: Asked, limitMs: number, timeout: Error): Promise<readonly Admitted[]> {
    if (this.#closed) throw closing()
    const worker = this.#worker
    if (!worker) throw ended()
    const timer = setTimeout(() => this.#end(timeout), Math.min(limitMs, longestTimerMs))
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject }
        worker.postMessage(request)
      })
    } finally {
      clearTimeout(timer)
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#end(closing())
  }

  /** Ends the thread, and its statement with an error. The next statement starts another one. */
  async #end(error: Error): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#waiting?.reject(error)
    await worker?.terminate()
  }

  #start(): Worker {
    const worker = startWorker('./gate-worker.ts', import.meta.url, {
      resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 512 },
    })
    this.#isReady = new Promise((resolve) => {
      worker.once('message', resolve)
      worker.once('exit', resolve)
    })
    worker.on('message', (reply: GateReply | typeof ready) => {
      if (worker !== this.#worker || reply === ready) return
      const { admitted, refused, isBroken } = reply
      if (admitted) this.#waiting?.resolve(admitted)
      else this.#waiting?.reject(fromPlainError(refused!))
      if (isBroken) void this.#end(fromPlainError(refused!))
    })
    worker.on('error', () => {})
    worker.on('exit', () => {
      if (worker === this.#worker) void this.#end(ended())
    })
    worker.unref()
    return worker
  }
}

const ended = () => new SqlError('other', 'The thread of the gate ended.', '57P02')
const closing = () => new EngineBusy('The server is closing.')
