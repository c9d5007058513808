import {
  EngineBusy,
  type ExecuteOptions,
  type StatementEngine,
  type StatementResult,
  StatementTimeout,
} from '../../statement.ts'
import type { EngineStatus } from './engine-status.ts'
import { Countdown } from './countdown.ts'
import { type Ending, explainEnding } from './ending.ts'
import { EngineQueue } from './engine-queue.ts'
import type { EngineThread } from './engine-thread.ts'
import type { ArrivedPage, Execution } from './execution.ts'

export interface PoolOptions {
  /** Starts another engine. */
  readonly start: () => Promise<EngineThread>
  /** Limit of one statement in milliseconds: the time its engine may work. */
  readonly timeLimitMs: number
  /** Longest time in milliseconds that an engine waits for its reader to take rows. */
  readonly readerLimitMs: number
  /** Number of engines that serve; one more is kept as a spare. */
  readonly workers: number
  /** Highest number of engines; more are started while statements are slow. */
  readonly maxWorkers: number
  readonly log: (message: string) => void
}

/** The reader took no rows for too long, so its answer is truncated. */
export class ReaderStalled extends Error {
  override readonly name = 'ReaderStalled'
}

/** A statement is slow after this time: another engine starts in place of its engine. */
const slowAfterMs = 100

/** A reader that took nothing for this time loses its engine if statements wait for one. */
const stalledAfterMs = 3_000

/** The first spare starts this long after the pool, so that it takes no processor time from the first answer. */
const spareAfterMs = 250

/** Surplus engines are kept this long for the next slow statements. */
const surplusAfterMs = 10_000

/**
 * Runs statements on a changing number of engines. A statement cannot be interrupted; only its thread can be terminated.
 * Therefore the pool keeps a spare engine, and grows while statements are stuck so that the others need not wait.
 */
export class EnginePool implements StatementEngine {
  readonly #options: PoolOptions
  readonly #engines = new Set<EngineThread>()
  readonly #idle: EngineThread[] = []
  readonly #queue = new EngineQueue()
  /** Functions that end the statements of stalled readers, the longest stalled first. */
  readonly #stalled = new Set<() => void>()
  readonly #endings = new Map<Ending, number>()
  #starting = 0
  #slow = 0
  #retiring: ReturnType<typeof setTimeout> | undefined
  #spare: ReturnType<typeof setTimeout> | undefined
  #closed = false

  private constructor(options: PoolOptions) {
    this.#options = options
  }

  /** Resolves when the first engine is ready; the spare follows in the background. */
  static async open(options: PoolOptions): Promise<EnginePool> {
    const pool = new EnginePool(options)
    await pool.#start()
    pool.#spare = idleTimer(() => pool.#balance(), spareAfterMs)
    return pool
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const thread = await this.#acquire(options.signal)
    if (options.signal.aborted) {
      this.#release(thread)
      throw options.signal.reason
    }
    const execution = this.#run(thread, statement, options)
    const first = await execution.nextPage()
    const chunks = first.final ? first.chunks : this.#chunks(thread, execution, first)
    return { columns: first.columns, chunks }
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
    clearTimeout(this.#spare)
    const reason = new EngineBusy('The server is closing.')
    this.#queue.rejectAll(reason)
    await Promise.all([...this.#engines].map((engine) => engine.end('closing', reason)))
  }

  async *#chunks(thread: EngineThread, execution: Execution, first: ArrivedPage): AsyncGenerator<Uint8Array> {
    try {
      for (let page = first; ; page = await execution.nextPage()) {
        yield* page.chunks
        if (page.final) return
      }
    } finally {
      thread.stop(execution, 'client-left', new Error('The reader of the rows disconnected.'))
    }
  }

  #run(thread: EngineThread, statement: string, options: ExecuteOptions): Execution {
    const { timeLimitMs, readerLimitMs } = this.#options
    const { signal, limitShiftMs = 0, runsOn } = options
    let slow = false
    const slowTimer = setTimeout(() => {
      slow = true
      this.#slow++
      this.#balance()
    }, slowAfterMs)
    const leave = () => thread.stop(execution, 'client-left', signal.reason)
    const truncate = () =>
      thread.stop(execution, 'reader-stalled', new ReaderStalled('The client stopped reading the rows.'))
    const end = () => void thread.end('deadline', new StatementTimeout(timeLimitMs))
    const lastLimit = new Countdown(timeLimitMs, end)
    const runOn = () => {
      signal.removeEventListener('abort', leave)
      execution.fail(new StatementTimeout(timeLimitMs))
      lastLimit.start()
    }
    const limit = new Countdown(Math.max(timeLimitMs + limitShiftMs, 1), runsOn ? runOn : end)
    const readerLimit = new Countdown(readerLimitMs, truncate)
    const stalled = new Countdown(stalledAfterMs, () => {
      this.#stalled.add(truncate)
      this.#makeRoom()
    })
    const resetReader = () => {
      readerLimit.reset()
      stalled.reset()
      this.#stalled.delete(truncate)
    }
    const execution = thread.run(statement, options.settings, {
      onWork: () => {
        resetReader()
        limit.start()
      },
      onWait: () => {
        limit.pause()
        readerLimit.start()
        stalled.start()
      },
      onEnd: (reason) => {
        clearTimeout(slowTimer)
        resetReader()
        limit.reset()
        lastLimit.reset()
        signal.removeEventListener('abort', leave)
        if (slow) this.#slow--
        if (reason) void thread.end(reason, new EngineBusy())
        else if (!thread.isGone) this.#release(thread)
      },
    })
    limit.start()
    signal.addEventListener('abort', leave, { once: true })
    return execution
  }

  /** Takes an idle engine, or the next one that becomes free. */
  async #acquire(signal: AbortSignal): Promise<EngineThread> {
    signal.throwIfAborted()
    if (this.#closed) throw new EngineBusy('The server is closing.')
    const idle = this.#idle.pop()
    if (idle) return idle
    const next = this.#queue.wait(signal)
    this.#balance()
    this.#makeRoom()
    return next
  }

  /** Ends the statements of stalled readers, one for each waiting statement that no starting engine will serve. */
  #makeRoom(): void {
    let wanted = this.#queue.length - this.#starting
    for (const truncate of this.#stalled) {
      if (wanted-- <= 0) return
      this.#stalled.delete(truncate)
      truncate()
    }
  }

  #release(thread: EngineThread): void {
    if (this.#queue.offer(thread)) return
    this.#idle.push(thread)
    if (this.#surplus() > 0) this.#retiring ??= idleTimer(() => this.#retire(), surplusAfterMs)
  }

  /** Ends surplus engines that are idle, the longest idle first. */
  #retire(): void {
    this.#retiring = undefined
    for (let left = this.#surplus(); left > 0; left--) {
      void this.#idle[0]?.end('surplus', new EngineBusy())
    }
  }

  /** Removes an engine that ended and starts another one if necessary. */
  #forget(thread: EngineThread, ending: Ending, reason: unknown): void {
    this.#engines.delete(thread)
    const at = this.#idle.indexOf(thread)
    if (at >= 0) this.#idle.splice(at, 1)
    if (ending === 'closing') return
    this.#endings.set(ending, (this.#endings.get(ending) ?? 0) + 1)
    const message = explainEnding(ending, reason)
    if (message) this.#options.log(message)
    this.#balance()
  }

  /** Number of engines, including starting ones, above those that serve, run a slow statement or are the spare. */
  #surplus(): number {
    const { workers, maxWorkers } = this.#options
    const wanted = Math.min(workers + 1 + this.#slow, maxWorkers)
    return this.#engines.size + this.#starting - wanted
  }

  #balance(): void {
    while (!this.#closed && this.#surplus() < 0)
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
      // An error thrown synchronously must not lower #starting before #balance looks at it: that loop would never end.
      await undefined
      const thread = await this.#options.start()
      if (this.#closed) return void thread.end('closing', new EngineBusy())
      this.#engines.add(thread)
      thread.onGone = (ending, reason) => this.#forget(thread, ending, reason)
      this.#release(thread)
    } finally {
      this.#starting--
    }
  }
}

/** A timer that does not keep the process alive. In a page, timers are numbers without `unref`. */
function idleTimer(act: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(act, ms)
  timer.unref?.()
  return timer
}
