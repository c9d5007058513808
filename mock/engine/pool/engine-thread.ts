import type { Artifacts } from '../artifacts.ts'
import type { ChangeStep } from '../change.ts'
import { MemoryTurn } from '../memory-turn.ts'
import { type EngineSettings, SqlError } from '../../statement.ts'
import type { Ending } from './ending.ts'
import { Execution, type ExecutionListener, type Send } from './execution.ts'
import type { Reply, Request } from './protocol.ts'

/** The data that an engine starts from, shared by all threads. */
export interface EngineImage {
  /** The data directory as a tar archive, in shared memory. */
  readonly snapshot: Uint8Array
  readonly artifacts: Artifacts
  /** Lets one engine at a time use much memory, see MemoryTurn. Default: all may. */
  readonly turn?: SharedArrayBuffer
}

/** A worker thread of node, or a worker of a page with the same methods. */
export interface EngineWorker {
  postMessage(request: Request, transfer?: readonly ArrayBuffer[]): void
  on(event: 'message', listener: (reply: Reply) => void): unknown
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'exit', listener: (code: number) => void): unknown
  once(event: 'message', listener: (reply: Reply) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit', listener: (code: number) => void): unknown
  terminate(): Promise<number>
  ref(): void
  unref(): void
}

interface Waiting {
  resolve(): void
  reject(reason: unknown): void
}

/** An engine that does not react to `stop` within this time is terminated. */
const stopGraceMs = 250

/** The number of threads so far, which tells them apart. */
let threads = 0

/** One engine in its own thread, controlled from the main thread. It runs one statement at a time. */
export class EngineThread {
  /** Called once, when the thread ends or is terminated. */
  onGone: (ending: Ending, detail: unknown) => void = () => {}
  readonly #worker: EngineWorker
  #execution: Execution | undefined
  /** The callers that wait for changes, in order. */
  readonly #changes: Waiting[] = []
  #isGone = false
  #turn: MemoryTurn | undefined

  private constructor(worker: EngineWorker) {
    this.#worker = worker
    worker.on('message', (reply: Reply) => {
      if (reply.type === 'applied') this.#applied()
      else this.#execution?.receive(reply)
    })
    worker.on('error', (error) => this.end('crash', engineLost(error.message)))
    worker.on('exit', (code) => this.end('crash', engineLost(`exit code ${code}`)))
  }

  /**
   * Boots an engine in a started thread; resolves when it is ready. The thread loads its code while the image is being
   * loaded. An idle engine does not keep the process alive.
   *
   * @throws Error when the engine cannot start or fails its self-test
   */
  static async start(image: Promise<EngineImage>, worker: EngineWorker): Promise<EngineThread> {
    const thread = new EngineThread(worker)
    const ready = new Promise<void>((resolve, reject) => {
      worker.once('message', (reply: Reply) =>
        reply.type === 'unfit' ? reject(new Error(reply.message)) : resolve(),
      )
      worker.once('error', reject)
      worker.once('exit', (code) => reject(engineLost(`exit code ${code}`)))
    })
    // a thread may end while the image is being loaded
    ready.catch(() => {})
    try {
      const { snapshot, artifacts, turn: shared } = await image
      const turn = shared && { shared, id: ++threads }
      if (turn) thread.#turn = new MemoryTurn(turn.shared, turn.id)
      worker.postMessage({ type: 'boot', snapshot, artifacts, ...(turn && { turn }) } satisfies Request)
      await ready
    } catch (error) {
      await worker.terminate()
      throw error
    }
    worker.unref()
    return thread
  }

  /** Whether the thread has ended or is being terminated. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** Sends a statement to the engine. */
  run(statement: string, settings: EngineSettings | undefined, listener: ExecutionListener): Execution {
    const send: Send = (request, transfer) => this.#worker.postMessage(request, transfer)
    this.#worker.ref()
    this.#execution = new Execution(send, {
      ...listener,
      onEnd: (reason) => {
        this.#unrefIfIdle()
        listener.onEnd(reason)
      },
    })
    send({ type: 'run', statement, ...(settings && { settings }) })
    return this.#execution
  }

  /**
   * Changes the data of the engine after its running statement and before the next one. Resolves when the data are changed.
   *
   * @throws the reason for which the thread ended
   */
  apply(steps: readonly ChangeStep[]): Promise<void> {
    if (this.#isGone) return Promise.reject(engineLost('it had already ended'))
    return new Promise((resolve, reject) => {
      this.#worker.ref()
      this.#changes.push({ resolve, reject })
      this.#worker.postMessage({ type: 'apply', steps } satisfies Request)
    })
  }

  #applied(): void {
    this.#changes.shift()?.resolve()
    this.#unrefIfIdle()
  }

  /** An idle engine does not keep the process alive. */
  #unrefIfIdle(): void {
    if (this.#changes.length === 0 && (this.#execution?.ended ?? true)) this.#worker.unref()
  }

  /** Fails the running statement with `reason` and frees the engine, or terminates it if it does not react. */
  stop(execution: Execution, ending: Ending, reason: unknown): void {
    if (execution.ended) return
    execution.fail(reason)
    this.#worker.postMessage({ type: 'stop' } satisfies Request)
    setTimeout(() => {
      if (!execution.ended) this.end(ending, reason)
    }, stopGraceMs)
  }

  /** Terminates the thread at once; a running statement fails with `reason`. */
  end(ending: Ending, reason: unknown): Promise<number> {
    const terminated = this.#worker.terminate()
    if (this.#isGone) return terminated
    this.#isGone = true
    void terminated.then(() => this.#turn?.release())
    // pages that have arrived are still delivered
    if (!this.#execution?.ended) this.#execution?.fail(reason)
    this.#execution?.end()
    for (const { reject } of this.#changes.splice(0)) reject(reason)
    this.onGone(ending, reason)
    return terminated
  }
}

function engineLost(detail: string): SqlError {
  return new SqlError('other', `The engine's thread ended: ${detail}.`, '57P02')
}
