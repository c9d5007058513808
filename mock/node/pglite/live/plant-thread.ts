import type { Worker } from 'node:worker_threads'
import type { Micros } from '../../../../base/time/micros.ts'
import type { ChangeStep } from '../../../engine/views/change.ts'
import type { RowChange } from '../../../statement.ts'
import { startWorker } from '../../../../base/threads/start-worker.ts'
import type { PlantReply, PlantRequest, PlantTask } from './plant-worker.ts'

interface Caller {
  resolve(changes: PlantReply['changes']): void
  reject(error: Error): void
}

/** The simulation of a plant in its own thread, so that no statement waits for it. */
export class PlantThread {
  readonly #task: PlantTask
  #worker: Worker | undefined
  #caller: Caller | undefined
  #isClosed = false
  #turn: Promise<unknown> = Promise.resolve()

  constructor(task: PlantTask) {
    this.#task = task
  }

  /**
   * The steps that change a database from one time of the plant to a later one.
   *
   * @throws Error when the simulation fails or ends meanwhile; the next request starts it again
   */
  async changes(from: Micros, to: Micros): Promise<readonly ChangeStep[]> {
    return (await this.#ask({ from, to, as: 'steps' })) as readonly ChangeStep[]
  }

  /** The same for an overlay. */
  async rowChanges(from: Micros, to: Micros): Promise<readonly RowChange[]> {
    return (await this.#ask({ from, to, as: 'rows' })) as readonly RowChange[]
  }

  /** Requests run one after the other. */
  #ask(request: PlantRequest): Promise<PlantReply['changes']> {
    const answer = this.#turn.then(() => this.#send(request))
    this.#turn = answer.catch(() => {})
    return answer
  }

  #send(request: PlantRequest): Promise<PlantReply['changes']> {
    if (this.#isClosed) return Promise.reject(new Error('The plant is closed.'))
    const worker = (this.#worker ??= this.#start())
    return new Promise((resolve, reject) => {
      this.#caller = { resolve, reject }
      worker.ref()
      worker.postMessage(request)
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = startWorker('./plant-worker.ts', import.meta.url, { workerData: this.#task })
    worker.on('message', ({ changes }: PlantReply) => {
      if (!this.#isClosed) worker.unref()
      this.#caller?.resolve(changes)
    })
    worker.on('error', ({ message }) => this.#lost(`The simulation of the plant failed: ${message}.`))
    worker.on('exit', () => this.#lost('The simulation of the plant ended.'))
    return worker
  }

  #lost(message: string): void {
    this.#worker = undefined
    this.#caller?.reject(new Error(message))
  }
}
