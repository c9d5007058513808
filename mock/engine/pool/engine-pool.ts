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
import { EngineQueue, Usage, type Waiting } from './engine-queue.ts'
import type { EngineThread } from './engine-thread.ts'
import { type ArrivedPage, type Execution, SetBack } from './execution.ts'
import { SlowStatements } from './slow-statements.ts'

export interface PoolOptions {
  /** Starts another engine. */
  readonly start: () => Promise<EngineThread>
  /** Limit of one statement in milliseconds: the time its engine may work. */
  readonly timeLimitMs: number
  /** Longest time in milliseconds that an engine waits for its reader to take rows. */
  readonly readerLimitMs: number
  /** Number of engines that serve. */
  readonly workers: number
  /** Highest number of engines; more are started while statements are slow. */
  readonly maxWorkers: number
  readonly log: (message: string) => void
}

/** A place in an engine for a statement. */
interface Grant {
  readonly thread: EngineThread
  /** Whether the statement got it as a slow one. */
  readonly isSlow: boolean
}

/** A statement is slow after this time: short ones get another engine. */
const slowAfterMs = 100

/**
 * While a statement is slow, another engine starts when a statement waits, and after this time at the latest, or half of the time
 * limit: its start must not delay the answer at the limit. In milliseconds.
 */
const startAfterMs = 1_000

/** Surplus engines are kept this long for the next slow statements. */
const surplusAfterMs = 10_000

/**
 * Runs statements on a changing number of engines. A statement cannot be interrupted; only its thread can be terminated.
 * Therefore the pool grows while statements are slow, and keeps an engine for short ones: a slow statement that would take
 * the last engine is ended, and waits until it may have one.
 */
export class EnginePool implements StatementEngine {
  readonly #options: PoolOptions
  readonly #engines = new Set<EngineThread>()
  readonly #queue = new EngineQueue<Grant>()
  readonly #slowStatements = new SlowStatements()
  readonly #usage = new Usage()
  readonly #readers: StalledReaders
  readonly #endings = new Map<Ending, number>()
  #starting = 0
  #slow = 0
  #retiring: ReturnType<typeof setTimeout> | undefined
  #closed = false

  private constructor(options: PoolOptions) {
    this.#options = options
    this.#readers = new StalledReaders(options.readerLimitMs, () => this.#queue.length - this.#starting)
  }

  /** Resolves when the first engine is ready; further ones follow in the background. */
  static async open(options: PoolOptions): Promise<EnginePool> {
    const pool = new EnginePool(options)
    await pool.#start()
    pool.#balance()
    return pool
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const { owner = '' } = options
    const waiting = {
      owner,
      isSlow: this.#slowStatements.watch(owner, statement),
      patienceMs: Math.max(options.limitShiftMs ?? 0, 0),
    }
    for (;;) {
      const grant = await this.#acquire(waiting, options.signal)
      const { thread } = grant
      if (options.signal.aborted || thread.isGone) {
        if (grant.isSlow) this.#slow--
        this.#release(thread)
        options.signal.throwIfAborted()
        continue
      }
      const execution = this.#run(grant, statement, options)
      try {
        const first = await execution.nextPage()
        const chunks = first.final ? first.chunks : this.#chunks(thread, execution, first)
        return { columns: first.columns, chunks }
      } catch (error) {
        if (!(error instanceof SetBack)) throw error
      }
    }
  }

  status(): EngineStatus {
    const idle = [...this.#engines].filter(isIdle).length
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

  #run({ thread, isSlow }: Grant, statement: string, options: ExecuteOptions): Execution {
    const { timeLimitMs } = this.#options
    const { signal, owner = '', limitShiftMs = 0, runsOn } = options
    let started: number | undefined
    let slow = isSlow
    let slowTimer: ReturnType<typeof setTimeout> | undefined
    const onSlow = () => {
      slowTimer = setTimeout(() => this.#balance(), Math.min(startAfterMs, timeLimitMs / 2) - slowAfterMs)
      this.#slowStatements.add(owner, statement)
      if (slow) return
      if (!this.#mayBeSlow && !execution.hasPages) return void thread.end('set-back', new SetBack())
      slow = true
      this.#slow++
      thread.reserve()
      if (this.#queue.length > 0) this.#balance()
    }
    const leave = () => thread.stop(execution, 'client-left', signal.reason)
    const end = () => void thread.end('deadline', new StatementTimeout(timeLimitMs))
    const lastLimit = new Countdown(timeLimitMs, end)
    const runOn = () => {
      signal.removeEventListener('abort', leave)
      execution.fail(new StatementTimeout(timeLimitMs))
      lastLimit.start()
    }
    // the next statement finds the rows that the engine still takes over
    let isLate = false
    const late = () => {
      isLate = true
      signal.removeEventListener('abort', leave)
      thread.skip(execution, new StatementTimeout(timeLimitMs))
    }
    const limitMs = Math.min(Math.max(timeLimitMs + limitShiftMs, 1), longestTimerMs)
    const limit = new Countdown(limitMs, () => (started === undefined ? late : runsOn ? runOn : end)())
    const reader = this.#readers.watch((reason) => thread.stop(execution, 'reader-stalled', reason))
    const execution = thread.run(statement, options, {
      onStart: () => limit.start(),
      onBegin: () => {
        started = performance.now()
        if (isLate) return lastLimit.start()
        slowTimer = setTimeout(onSlow, slowAfterMs)
      },
      onWork: () => {
        reader.reads()
        limit.start()
      },
      onWait: () => {
        limit.pause()
        reader.waits()
      },
      onEnd: (reason) => {
        clearTimeout(slowTimer)
        reader.reads()
        limit.reset()
        lastLimit.reset()
        signal.removeEventListener('abort', leave)
        if (slow) {
          this.#slow--
          this.#retireLater()
        }
        const now = performance.now()
        const ms = now - (started ?? now)
        this.#usage.add(owner, ms)
        if (isSlow && ms < slowAfterMs) this.#slowStatements.except(owner, statement)
        if (reason) void thread.end(reason, new EngineBusy())
        this.#release(thread)
      },
    })
    signal.addEventListener('abort', leave, { once: true })
    return execution
  }

  /** Whether another statement may be slow and leave an engine for short ones. */
  get #mayBeSlow(): boolean {
    const { workers, maxWorkers } = this.#options
    return this.#slow < Math.max(maxWorkers - workers, 1)
  }

  /** Takes a place in an engine, or the next one that becomes free. */
  async #acquire(waiting: Waiting, signal: AbortSignal): Promise<Grant> {
    signal.throwIfAborted()
    if (this.#closed) throw new EngineBusy('The server is closing.')
    const isSlow = waiting.isSlow()
    // short statements come before slow ones, also if the queue is full of those
    const isNext = this.#queue.length === 0 || (!isSlow && this.#queue.slow === this.#queue.length)
    if (isNext && (isSlow ? this.#takesSlow : this.#engineFor(false))) return this.#claim(isSlow)
    const next = this.#queue.wait(waiting, signal)
    this.#serve()
    this.#balance()
    this.#readers.makeRoom()
    return next
  }

  /** Gives places to waiting statements. Surplus engines that stay idle end later. */
  #serve(): void {
    const usedBy = (owner: string) => this.#usage.of(owner)
    const place = (isSlow: boolean) => this.#claim(isSlow)
    while (this.#engineFor(false) && this.#queue.serve(place, this.#takesSlow, usedBy));
    if (this.#surplus() > 0) this.#retireLater()
  }

  get #takesSlow(): boolean {
    return this.#mayBeSlow && this.#engineFor(true) !== undefined
  }

  /** Of the engines with a place for a statement, the one with the fewest statements. */
  #engineFor(isSlow: boolean): EngineThread | undefined {
    let best: EngineThread | undefined
    for (const engine of this.#engines)
      if (engine.hasPlace(isSlow) && !(best && best.claims <= engine.claims)) best = engine
    return best
  }

  /** Takes a place. A slow statement counts from here on: another engine may become free before it runs. */
  #claim(isSlow: boolean): Grant {
    const thread = this.#engineFor(isSlow)!
    thread.claim(isSlow)
    if (isSlow) this.#slow++
    return { thread, isSlow }
  }

  #release(thread: EngineThread): void {
    thread.release()
    this.#serve()
  }

  #retireLater(): void {
    if (!this.#closed) this.#retiring ??= idleTimer(() => this.#retire(), surplusAfterMs)
  }

  /**
   * Ends surplus engines that are idle, the oldest first, because the memory of an engine never shrinks. Those with rows of sessions
   * are the last.
   */
  #retire(): void {
    this.#retiring = undefined
    const idle = [...this.#engines].filter(isIdle)
    if (idle.length < this.#engines.size) this.#retireLater()
    idle.sort((a, b) => Number(a.hasOverlays) - Number(b.hasOverlays))
    for (let left = this.#surplus(); left > 0; left--) void idle.shift()?.end('surplus', new EngineBusy())
  }

  /** Removes an engine that ended and starts another one if necessary. */
  #forget(thread: EngineThread, ending: Ending, reason: unknown): void {
    this.#engines.delete(thread)
    if (ending === 'closing') return
    this.#endings.set(ending, (this.#endings.get(ending) ?? 0) + 1)
    const message = explainEnding(ending, reason)
    if (message) this.#options.log(message)
    this.#balance()
    // if its statement was slow, another slow one may now have an idle engine
    this.#serve()
  }

  /** Number of engines, including starting ones, above those that serve short statements, or run or will run a slow one. */
  #surplus(): number {
    const { workers, maxWorkers } = this.#options
    const wanted = Math.min(workers + this.#slow + this.#queue.slow, maxWorkers)
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
      this.#serve()
    } finally {
      this.#starting--
    }
  }
}

const isIdle = ({ claims }: EngineThread): boolean => claims === 0

/** A timer that does not keep the process alive. In a page, timers are numbers without `unref`. */
function idleTimer(act: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(act, ms)
  timer.unref?.()
  return timer
}
