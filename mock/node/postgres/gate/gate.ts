import { once } from 'node:events'
import type { Worker } from 'node:worker_threads'
import { startWorker } from '../../../../base/threads/start-worker.ts'
import { longestTimerMs } from '../../../../base/time/duration.ts'
import { EngineQueue, Usage } from '../../../engine/pool/engine-queue.ts'
import { fromPlainError } from '../../../engine/pool/plain-error.ts'
import { defaultSettings } from '../../../open-points/settings.ts'
import { EngineBusy, type ExecuteOptions, SqlError, StatementTimeout } from '../../../statement.ts'
import type { Admitted, Asked } from './admitted.ts'
import type { GateReply } from './gate-worker.ts'

/** Most statements that are remembered, and the longest, in characters; above that number, all are forgotten. */
const [maxKnown, maxLength] = [256, 4_000]

/** What the gate says of a statement. */
export interface GateAnswer {
  readonly statements: readonly Admitted[]
  /** For how long the gate worked, in milliseconds: this counts for the time limit. */
  readonly ms: number
}

/**
 * The gate in a thread: a statement of a megabyte takes the parser a second, and a deeply nested one needs a large stack or breaks
 * the parser. The thread is replaced then, and at the time limit. It is asked once for a statement that is sent again and again.
 * Statements take turns as for an engine: owners by the time that they used.
 */
export class Gate {
  readonly #schema: string
  readonly #timeLimitMs: number
  readonly #known = new Map<string, readonly Admitted[]>()
  readonly #queue = new EngineQueue<void>()
  readonly #usage = new Usage()
  /** Settles when the thread has loaded the parser. */
  #thread: Promise<Worker> | undefined
  /** Ends the statement in the thread. */
  #asking = new AbortController()
  #isBusy = false
  #isClosed = false
  #columns: readonly string[] = []

  /** @param schema of the views @param timeLimitMs of a statement, in milliseconds */
  constructor(schema: string, timeLimitMs: number) {
    this.#schema = schema
    this.#timeLimitMs = timeLimitMs
  }

  /** The columns that the views have beyond the contract. */
  set columns(columns: readonly string[]) {
    if (columns.join() !== this.#columns.join()) this.#known.clear()
    this.#columns = columns
  }

  /** Starts the thread unless it runs. */
  async ready(): Promise<void> {
    await (this.#thread ??= this.#start())
  }

  /** @throws StatementRefused; StatementTimeout; EngineBusy if the thread is not free in time; SqlError if it ends meanwhile */
  async admit(statement: string, options: ExecuteOptions): Promise<GateAnswer> {
    const { settings = defaultSettings, owner = '', signal, limitShiftMs = 0 } = options
    const mayKnow = settings === defaultSettings && statement.length <= maxLength
    const known = mayKnow ? this.#known.get(statement) : undefined
    if (known) return { statements: known, ms: 0 }
    if (this.#isClosed) throw closing()
    if (this.#isBusy) await this.#queue.wait({ owner, isSlow: () => false }, signal)
    this.#isBusy = true
    let started = performance.now()
    try {
      await this.ready()
      started = performance.now()
      const asked = { statement, settings, schema: this.#schema, columns: this.#columns }
      const statements = await this.#ask(asked, Math.max(this.#timeLimitMs + limitShiftMs, 1))
      if (mayKnow) this.#remember(statement, statements)
      return { statements, ms: performance.now() - started }
    } finally {
      this.#usage.add(owner, performance.now() - started)
      const served = this.#queue.serve(
        () => {},
        true,
        (name) => this.#usage.of(name),
      )
      // the next one has its turn already
      this.#isBusy = served
    }
  }

  async #ask(asked: Asked, limitMs: number): Promise<readonly Admitted[]> {
    const worker = await this.#thread
    if (!worker || this.#isClosed) throw this.#isClosed ? closing() : ended()
    const { signal } = (this.#asking = new AbortController())
    const timeout = new StatementTimeout(this.#timeLimitMs)
    const timer = setTimeout(() => this.#asking.abort(timeout), Math.min(limitMs, longestTimerMs))
    let isBroken = true
    try {
      const arrived = once(worker, 'message', { signal })
      worker.postMessage(asked)
      const [reply] = (await arrived) as [GateReply]
      isBroken = reply.isBroken
      if (reply.refused) throw fromPlainError(reply.refused)
      return reply.admitted!
    } catch (error) {
      if (error instanceof SqlError) throw error
      throw signal.aborted ? signal.reason : ended()
    } finally {
      clearTimeout(timer)
      if (isBroken) {
        this.#thread = undefined
        void worker.terminate()
      }
    }
  }

  #remember(statement: string, statements: readonly Admitted[]): void {
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(statement, statements)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#queue.rejectAll(closing())
    this.#asking.abort(closing())
    const worker = await this.#thread?.catch(() => undefined)
    await worker?.terminate()
  }

  /** The first message of the thread says that it has loaded the parser. */
  async #start(): Promise<Worker> {
    const worker = startWorker('./gate-worker.ts', import.meta.url, {
      resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 512 },
    })
    worker.on('error', () => (this.#thread = undefined))
    await once(worker, 'message')
    worker.unref()
    return worker
  }
}

const ended = () => new SqlError('other', 'The thread of the gate ended.', '57P02')
const closing = () => new EngineBusy('The server is closing.')
