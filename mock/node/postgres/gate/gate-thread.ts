import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../../fixtures/threads/start-worker.ts'
import { fromPlainError } from '../../../engine/pool/plain-error.ts'
import { EngineBusy, type EngineSettings } from '../../../statement.ts'
import type { Admitted } from './admitted.ts'
import type { GateReply, GateRequest } from './gate-worker.ts'

interface Waiting {
  readonly resolve: (admitted: readonly Admitted[]) => void
  readonly reject: (error: Error) => void
}

/**
 * The gate in a thread: a statement of a megabyte takes the parser a second, and a deeply nested one needs a large stack or breaks
 * the parser, whose thread is then replaced.
 */
export class GateThread {
  readonly #schema: string
  #worker: Worker
  #waiting = new Map<number, Waiting>()
  #number = 0
  #closed = false

  /** @param schema of the views */
  constructor(schema: string) {
    this.#schema = schema
    this.#worker = this.#start()
  }

  /** @throws StatementRefused; EngineBusy if the thread ends meanwhile */
  admit(statement: string, settings: EngineSettings): Promise<readonly Admitted[]> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(new EngineBusy('The server is closing.'))
      const number = this.#number++
      this.#waiting.set(number, { resolve, reject })
      const request: GateRequest = { number, statement, settings, schema: this.#schema }
      this.#worker.postMessage(request)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#worker.terminate()
  }

  #start(): Worker {
    const worker = startWorker('./gate-worker.ts', import.meta.url, {
      resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 512 },
    })
    const waiting = this.#waiting
    worker.on('message', ({ number, admitted, refused, isBroken }: GateReply) => {
      const { resolve, reject } = waiting.get(number)!
      waiting.delete(number)
      if (admitted) resolve(admitted)
      else reject(fromPlainError(refused!))
      // statements that wait for the broken parser are sent again by their clients
      if (isBroken) void worker.terminate()
    })
    worker.on('error', () => {})
    worker.on('exit', () => {
      for (const { reject } of waiting.values()) reject(new EngineBusy())
      waiting.clear()
      if (!this.#closed) this.#worker = this.#start()
    })
    worker.unref()
    return worker
  }
}
