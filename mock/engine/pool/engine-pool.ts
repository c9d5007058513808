import {
  EngineBusy,
  type ExecuteOptions,
  type StatementEngine,
  type StatementResult,
  StatementTimeout,
} from '../../statement.ts'
import type { EngineStatus } from './engine-status.ts'
import { longestTimerMs } from '../../../base/time/duration.ts'
import { Countdown, StalledReaders } from './stalled-readers.ts'
import { type Ending, explainEnding } from './protocol.ts'
import { StatementQueue } from './statement-queue.ts'
import type { EngineThread } from './engine-thread.ts'
import { type ArrivedPage, type Execution, SetBack } from './execution.ts'

export interface PoolOptions {
  /** Starts another engine. */
  readonly start: () => Promise<EngineThread>
  /** Limit of one statement in milliseconds: the time its engine may work, and the time it waits for an engine. */
  readonly timeLimitMs: number
  /** Longest time in milliseconds that an engine waits for its reader to take rows. */
  readonly readerLimitMs: number
  /** Number of engines that stay. */
  readonly workers: number
  /** Highest number of engines. */
  readonly maxWorkers: number
  readonly log: (message: string) => void
}

/** If no engine is idle when a statement has waited and worked for this time, another one starts. In milliseconds. */
const growAfterMs = 500

/** An engine that does not react to `stop` within this time is replaced, in milliseconds. */
const stopGraceMs = 250

/** Engines that are idle after this time end, except those that stay. In milliseconds. */
const retireAfterMs = 30_000

/**
 * Runs statements on engines, each of which has one at a time. A statement cannot be interrupted; only its thread can be ended. Another
 * engine is ready before that, if there may be one more.
 */
export class EnginePool implements StatementEngine {
  readonly #options: PoolOptions
  readonly #engines = new Set<EngineThread>()
  readonly #queue: StatementQueue<EngineThread>
  readonly #readers: StalledReaders
  /** Engines that end when another one is ready, unless their statement ends before. */
  readonly #doomed = new Map<EngineThread, () => void>()
  /** The owners of the running statements, the newest last. */
  readonly #running = new Map<EngineThread, string>()
  readonly #endings = new Map<Ending, number>()
  #starting = 0
  #retiring: ReturnType<typeof setTimeout> | undefined
  #closed = false

  private constructor(options: PoolOptions) {
    this.#options = options
    this.#queue = new StatementQueue(options.maxWorkers, () => this.#takeIdle())
    this.#readers = new StalledReaders(options.readerLimitMs, () => this.#queue.length - this.#starting)
  }

  /** Resolves when the first engine is ready; further ones follow in the background. */
  static async open(options: PoolOptions): Promise<EnginePool> {
    const pool = new EnginePool(options)
    await pool.#start()
    pool.#keep()
    return pool
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const { owner = '', signal, limitShiftMs = 0 } = options
    const maxWaitMs = Math.min(this.#options.timeLimitMs + Math.max(limitShiftMs, 0), longestTimerMs)
    for (;;) {
      if (this.#closed) throw new EngineBusy('The server is closing.')
      const growing = setTimeout(() => this.#grow(), growAfterMs)
      const place = this.#queue.take({ owner, maxWaitMs, signal })
      this.#makeRoom()
      const engine = await place.catch((error: unknown) => {
        clearTimeout(growing)
        throw error
      })
      const done = () => {
        clearTimeout(growing)
        this.#release(engine, owner)
      }
      if (signal.aborted || engine.isGone) {
        done()
        signal.throwIfAborted()
        continue
      }
      const execution = this.#run(engine, statement, options, done)
      try {
        const first = await execution.nextPage()
        const chunks = first.final ? first.chunks : this.#chunks(execution, first)
        return { columns: first.columns, chunks }
      } catch (error) {
        if (!(error instanceof SetBack)) throw error
      }
    }
  }

  status(): EngineStatus {
    const idle = this.#idle.length
    return {
      idle,
      busy: this.#engines.size - idle,
      starting: this.#starting,
      waiting: this.#queue.length,
      ended: Object.fromEntries(this.#endings),
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    clearTimeout(this.#retiring)
    const reason = new EngineBusy('The server is closing.')
    this.#queue.rejectAll(reason)
    await Promise.all([...this.#engines].map((engine) => engine.end('closing', reason)))
  }

  async *#chunks(execution: Execution, first: ArrivedPage): AsyncGenerator<Uint8Array> {
    try {
      for (let page = first; ; page = await execution.nextPage()) {
        yield* page.chunks
        if (page.final) return
      }
    } finally {
      execution.stop('client-left', new Error('The reader of the rows disconnected.'))
    }
  }

  #run(engine: EngineThread, statement: string, options: ExecuteOptions, done: () => void): Execution {
    const { timeLimitMs } = this.#options
    const { signal, limitShiftMs = 0, runsOn } = options
    let hasBegun = false
    const timeout = new StatementTimeout(timeLimitMs)
    const leave = () => execution.stop('client-left', signal.reason)
    const end = () => {
      execution.fail(timeout)
      this.#replace(engine, 'deadline', timeout)
    }
    const lastLimit = new Countdown(timeLimitMs, end)
    const runOn = () => {
      signal.removeEventListener('abort', leave)
      execution.fail(timeout)
      lastLimit.start()
    }
    // the next statement finds the rows that the engine still takes over
    const skip = () => {
      runOn()
      engine.skip(execution)
    }
    const limitMs = Math.min(Math.max(timeLimitMs + limitShiftMs, 1), longestTimerMs)
    const limit = new Countdown(limitMs, () => (!hasBegun ? skip : runsOn ? runOn : end)())
    const reader = this.#readers.watch((reason) => execution.stop('reader-stalled', reason))
    const execution = engine.run(statement, options, {
      onBegin: () => (hasBegun = true),
      onWork: () => {
        reader.reads()
        limit.start()
      },
      onWait: () => {
        limit.pause()
        reader.waits()
      },
      onStop: (ending, reason) => {
        engine.skip(execution)
        setTimeout(() => {
          if (!execution.ended) this.#replace(engine, ending, reason)
        }, stopGraceMs)
      },
      onEnd: (reason) => {
        reader.reads()
        limit.reset()
        lastLimit.reset()
        signal.removeEventListener('abort', leave)
        this.#doomed.delete(engine)
        this.#running.delete(engine)
        if (reason) void engine.end(reason, new EngineBusy())
        done()
      },
    })
    this.#running.set(engine, options.owner ?? '')
    limit.start()
    signal.addEventListener('abort', leave, { once: true })
    return execution
  }

  #takeIdle(): EngineThread | undefined {
    for (const engine of this.#engines) {
      if (!engine.isIdle) continue
      engine.isTaken = true
      return engine
    }
    return undefined
  }

  #release(engine: EngineThread, owner: string): void {
    engine.isTaken = false
    this.#queue.release(owner)
    this.#onIdle()
  }

  /** An engine is idle, or ended: it serves a statement, or takes the place of one that has to end. */
  #onIdle(): void {
    this.#endDoomed()
    this.#queue.serve()
    this.#retireLater()
  }

  get #idle(): EngineThread[] {
    return [...this.#engines].filter(({ isIdle }) => isIdle)
  }

  get #isFull(): boolean {
    return this.#engines.size + this.#starting >= this.#options.maxWorkers
  }

  /** Ends an engine when another one is ready. */
  #replace(engine: EngineThread, ending: Ending, reason: unknown): void {
    this.#doomed.set(engine, () => void engine.end(ending, reason))
    this.#grow()
    this.#endDoomed()
  }

  #endDoomed(): void {
    if (this.#doomed.size === 0) return
    const hasIdle = this.#idle.length > 0
    // if there may be no other engine, one ends before another is ready
    const isStuck = !hasIdle && this.#isFull && this.#starting === 0
    for (const [engine, end] of this.#doomed) {
      if (!hasIdle && !isStuck) return
      this.#doomed.delete(engine)
      end()
      if (isStuck) return this.#grow()
    }
  }

  /** Takes an engine from readers that have stalled, or from the newest statement of an owner who has too many of them. */
  #makeRoom(): void {
    if (this.#queue.length === 0) return
    this.#readers.makeRoom()
    if (!this.#isFull || this.#starting > 0 || this.#idle.length > 0) return
    const newest = [...this.#running].toReversed()
    const found = newest.find(([engine, owner]) => engine.canSetBack && this.#queue.hasTooMany(owner))
    void found?.[0].end('set-back', new SetBack())
  }

  /** Starts another engine if none is idle and there may be one more. */
  #grow(): void {
    if (!this.#closed && !this.#isFull && this.#idle.length === 0) this.#startLater()
  }

  /** Starts engines up to the number of those that stay, and one for statements that wait. */
  #keep(): void {
    if (this.#closed) return
    while (this.#engines.size + this.#starting < this.#options.workers) this.#startLater()
    if (this.#queue.length > this.#starting) this.#grow()
  }

  #retireLater(): void {
    if (this.#closed || this.#engines.size <= this.#options.workers) return
    this.#retiring ??= idleTimer(() => this.#retire(), retireAfterMs)
  }

  /** Ends idle engines, because the memory of an engine never shrinks. Those with rows of sessions are the last. */
  #retire(): void {
    this.#retiring = undefined
    const idle = this.#idle
    idle.sort((a, b) => Number(a.hasOverlays) - Number(b.hasOverlays))
    for (let left = this.#engines.size - this.#options.workers; left > 0; left--)
      void idle.shift()?.end('surplus', new EngineBusy())
    this.#retireLater()
  }

  /** Removes an engine that ended and starts another one if necessary. */
  #forget(engine: EngineThread, ending: Ending, reason: unknown): void {
    this.#engines.delete(engine)
    if (ending === 'closing') return
    this.#endings.set(ending, (this.#endings.get(ending) ?? 0) + 1)
    const message = explainEnding(ending, reason)
    if (message) this.#options.log(message)
    this.#keep()
  }

  #startLater(): void {
    this.#start().catch((error: Error) => this.#onStartFailed(error))
  }

  /** Fails the waiting statements if there is no other engine. The next waiting statement starts one. */
  #onStartFailed(error: Error): void {
    if (this.#closed) return
    this.#options.log(`An engine did not start: ${error.message}`)
    if (this.#engines.size + this.#starting > 0) return
    const message = 'No engine could be started. Send the statement again in a moment.'
    this.#queue.rejectAll(new EngineBusy(message, { cause: error }))
  }

  async #start(): Promise<void> {
    this.#starting++
    try {
      // An error thrown synchronously must not lower #starting before #keep looks at it: that loop would never end.
      await undefined
      const engine = await this.#options.start()
      if (this.#closed) return void engine.end('closing', new EngineBusy())
      engine.onGone = (ending, reason) => this.#forget(engine, ending, reason)
      this.#engines.add(engine)
    } finally {
      this.#starting--
    }
    this.#onIdle()
  }
}

/** A timer that does not keep the process alive. In a page, timers are numbers without `unref`. */
function idleTimer(act: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(act, ms)
  timer.unref?.()
  return timer
}
