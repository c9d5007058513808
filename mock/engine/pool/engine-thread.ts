import type { Artifacts } from '../snapshot/artifacts.ts'
import type { ChangeStep } from '../views/change.ts'
import { type ExecuteOptions, SqlError } from '../../statement.ts'
import type { Ending, Reply, Request } from './protocol.ts'
import { Execution, type ExecutionListener } from './execution.ts'
import { SentOverlays } from './sent-overlays.ts'

/** The data that an engine starts from, shared by all threads. */
export interface EngineImage {
  /** The data directory as a tar archive, in shared memory. */
  readonly snapshot: Uint8Array
  readonly artifacts: Artifacts
  /** Change the data before the first statement. */
  readonly steps?: readonly ChangeStep[]
}

/** A worker thread of node, or a worker of a page with the same methods. */
export interface EngineWorker {
  postMessage(request: Request): void
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

/** What a statement runs with. */
export type RunOptions = Pick<ExecuteOptions, 'settings' | 'overlay' | 'now'>

interface Waiting {
  resolve(): void
  reject(reason: unknown): void
}

/** One engine in its own thread, controlled from the main thread. It runs one statement at a time. */
export class EngineThread {
  /** Called once, when the thread ends or is terminated. */
  onGone: (ending: Ending, detail: unknown) => void = () => {}
  /** Whether a statement has or will have the engine. */
  isTaken = false
  readonly #worker: EngineWorker
  #execution: Execution | undefined
  #sent = 0
  /** The callers that wait for changes, in order. */
  readonly #changes: Waiting[] = []
  readonly #overlays = new SentOverlays()
  #isGone = false

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
      worker.postMessage({ type: 'boot', ...(await image) } satisfies Request)
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

  get isIdle(): boolean {
    return !this.isTaken && !this.#isGone
  }

  /** Whether the running statement may run again on another engine: it has no rows yet, and somebody waits for it. */
  get canSetBack(): boolean {
    return this.#execution !== undefined && !this.#execution.hasPages && !this.#execution.failed
  }

  /** Whether the engine has rows of sessions. */
  get hasOverlays(): boolean {
    return this.#overlays.any
  }

  /** Runs a statement. The engine must have no other. */
  run(statement: string, { settings, overlay, now }: RunOptions, listener: ExecutionListener): Execution {
    const send = (request: Request) => this.#worker.postMessage(request)
    this.#worker.ref()
    const requests = overlay ? this.#overlays.update(overlay) : []
    const execution = new Execution((this.#sent += 1), send, {
      ...listener,
      onEnd: (reason) => {
        this.#execution = undefined
        this.#unrefIfIdle()
        listener.onEnd(reason)
      },
    })
    this.#execution = execution
    for (const request of requests) send(request)
    send({
      type: 'run',
      number: execution.number,
      statement,
      ...(settings && { settings }),
      ...(overlay && { overlay: overlay.id }),
      ...(now !== undefined && { now }),
    })
    if (!requests.some(({ type }) => type === 'overlay')) listener.onBegin()
    return execution
  }

  /** Asks the engine to end a statement: before it begins, or after a page. */
  skip({ number }: Execution): void {
    this.#worker.postMessage({ type: 'stop', number } satisfies Request)
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

  /** An idle engine does not keep the process alive; one that is being terminated does, for whoever waits for its end. */
  #unrefIfIdle(): void {
    if (!this.#isGone && this.#changes.length === 0 && !this.#execution) this.#worker.unref()
  }

  /** Terminates the thread at once. The running statement fails with `reason`. */
  end(ending: Ending, reason: unknown): Promise<number> {
    const terminated = this.#worker.terminate()
    if (this.#isGone) return terminated
    this.#isGone = true
    this.#execution?.fail(reason)
    this.#execution?.end()
    for (const { reject } of this.#changes.splice(0)) reject(reason)
    this.onGone(ending, reason)
    return terminated
  }
}

function engineLost(detail: string): SqlError {
  return new SqlError('other', `The engine's thread ended: ${detail}.`, '57P02')
}
