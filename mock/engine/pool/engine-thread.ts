import type { Artifacts } from '../snapshot/artifacts.ts'
import type { ChangeStep } from '../views/change.ts'
import { type EngineSettings, type Overlay, SqlError } from '../../statement.ts'
import type { Ending, Reply, Request } from './protocol.ts'
import { Execution, type ExecutionListener, type Send, SetBack } from './execution.ts'
import { SentOverlays } from './sent-overlays.ts'
import { pipelineDepth, SmallReplies } from './small-replies.ts'

/** The data that an engine starts from, shared by all threads. */
export interface EngineImage {
  /** The data directory as a tar archive, in shared memory. */
  readonly snapshot: Uint8Array
  readonly artifacts: Artifacts
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
export interface RunOptions {
  readonly settings?: EngineSettings
  readonly overlay?: Overlay
}

interface Waiting {
  resolve(): void
  reject(reason: unknown): void
}

/** An engine that does not react to `stop` within this time is terminated. */
const stopGraceMs = 250

/**
 * One engine in its own thread, controlled from the main thread. It runs one statement at a time. Further ones may wait in the
 * thread if they can be taken back, for which a page lacks the shared memory.
 */
export class EngineThread {
  /** Called once, when the thread ends or is terminated. */
  onGone: (ending: Ending, detail: unknown) => void = () => {}
  readonly #worker: EngineWorker
  #claims = 0
  /** The running statement, and those behind it. */
  readonly #executions: Execution[] = []
  readonly #withdrawn = globalThis.SharedArrayBuffer && new Int32Array(new SharedArrayBuffer(8))
  readonly #replies = globalThis.SharedArrayBuffer && new SmallReplies()
  /** The names of the columns of the last page. */
  #columns: readonly string[] = []
  #isReserved = false
  #sent = 0
  /** The callers that wait for changes, in order. */
  readonly #changes: Waiting[] = []
  readonly #overlays = new SentOverlays()
  #isGone = false

  private constructor(worker: EngineWorker) {
    this.#worker = worker
    worker.on('message', (reply: Reply) => {
      if (reply.type === 'applied') this.#applied()
      else this.#receive(reply)
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
      const { snapshot, artifacts } = await image
      const [withdrawn, replies] = [thread.#withdrawn, thread.#replies?.shared]
      worker.postMessage({
        type: 'boot',
        snapshot,
        artifacts,
        ...(withdrawn && { withdrawn }),
        ...(replies && { replies }),
      } satisfies Request)
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

  /** The number of statements that have a place in this engine. */
  get claims(): number {
    return this.#claims
  }

  /** Whether the engine has rows of sessions. */
  get hasOverlays(): boolean {
    return this.#overlays.any
  }

  /** Whether another statement may have a place. A slow one gets an idle engine. */
  hasPlace(isSlow: boolean): boolean {
    if (this.#isGone) return false
    if (this.#claims === 0) return true
    return !isSlow && !this.#isReserved && this.#withdrawn !== undefined && this.#claims < pipelineDepth
  }

  /** Takes a place for a statement, which keeps it until {@link release}. */
  claim(isSlow: boolean): void {
    this.#claims++
    this.#isReserved = isSlow
  }

  release(): void {
    this.#claims--
  }

  /** Sends a statement to the engine, which runs it after those sent before. */
  run(statement: string, { settings, overlay }: RunOptions, listener: ExecutionListener): Execution {
    const send: Send = (request) => this.#worker.postMessage(request)
    if (this.#executions.length === 0) this.#worker.ref()
    const requests = overlay ? this.#overlays.update(overlay) : []
    const hasOverlayChanges = requests.some(({ type }) => type === 'overlay')
    const onEnd: ExecutionListener['onEnd'] = (reason) => {
      this.#executions.shift()
      this.#isReserved = false
      this.#unrefIfIdle()
      listener.onEnd(reason)
      if (!reason && !this.#isGone) this.#begin()
    }
    const execution = new Execution((this.#sent += 1), send, { ...listener, onEnd }, hasOverlayChanges)
    this.#executions.push(execution)
    for (const request of requests) send(request)
    send({
      type: 'run',
      number: execution.number,
      statement,
      ...(settings && { settings }),
      ...(overlay && { overlay: overlay.id }),
    })
    if (this.#executions.length === 1) this.#begin()
    return execution
  }

  #receive(reply: Exclude<Reply, { type: 'applied' }>): void {
    const [running] = this.#executions
    if (reply.type !== 'page') return running?.receive(reply)
    const { columns = this.#columns, small, final } = reply
    this.#columns = columns
    if (!running) return
    const chunks = small === undefined ? reply.chunks : this.#replies.read(running.number, small)
    running.receive({ type: 'page', columns, chunks, final })
  }

  #begin(): void {
    const [next] = this.#executions
    if (!next?.failed) return next?.begin()
    this.#interrupt(next, 'client-left', new SetBack())
  }

  /** Keeps the engine for the running statement: those behind it fail with SetBack, and no other gets a place. */
  reserve(): void {
    this.#isReserved = true
    const [running, ...waiting] = this.#executions
    if (!this.#withdrawn || !running || waiting.length === 0) return
    this.#withdraw(running.number, this.#sent)
    for (const execution of waiting) execution.fail(new SetBack())
  }

  /** Fails a statement before it begins to run. The engine goes on to take over its rows, and does not run it. */
  skip(execution: Execution, reason: unknown): void {
    execution.fail(reason)
    this.#withdraw(execution.number - 1, execution.number)
  }

  /** Takes back the statements after one, up to another. */
  #withdraw(after: number, to: number): void {
    if (!this.#withdrawn) return
    Atomics.store(this.#withdrawn, 0, after)
    Atomics.store(this.#withdrawn, 1, to)
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
    if (!this.#isGone && this.#changes.length === 0 && this.#executions.length === 0) this.#worker.unref()
  }

  /** Fails a statement with `reason`. Frees the engine if it runs the statement, or terminates it if it does not react. */
  stop(execution: Execution, ending: Ending, reason: unknown): void {
    if (execution.ended) return
    execution.fail(reason)
    if (execution === this.#executions[0]) this.#interrupt(execution, ending, reason)
  }

  #interrupt(execution: Execution, ending: Ending, reason: unknown): void {
    this.#worker.postMessage({ type: 'stop', number: execution.number } satisfies Request)
    setTimeout(() => {
      if (!execution.ended) this.end(ending, reason)
    }, stopGraceMs)
  }

  /** Terminates the thread at once. The running statement fails with `reason`, those behind it with SetBack. */
  end(ending: Ending, reason: unknown): Promise<number> {
    const terminated = this.#worker.terminate()
    if (this.#isGone) return terminated
    this.#isGone = true
    // those that ended before keep the pages that have arrived
    for (const execution of this.#executions.splice(0)) {
      execution.fail(execution.hasBegun ? reason : new SetBack())
      execution.end()
    }
    for (const { reject } of this.#changes.splice(0)) reject(reason)
    this.onGone(ending, reason)
    return terminated
  }
}

function engineLost(detail: string): SqlError {
  return new SqlError('other', `The engine's thread ended: ${detail}.`, '57P02')
}
