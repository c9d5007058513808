import { EngineQueue, Usage } from '../../../engine/pool/engine-queue.ts'
import { defaultSettings } from '../../../open-points/settings.ts'
import { EngineBusy, type ExecuteOptions, StatementTimeout } from '../../../statement.ts'
import type { Admitted } from './admitted.ts'
import { GateThread } from './gate-thread.ts'

/** Most statements that are remembered, and the longest, in characters; above that number, all are forgotten. */
const [maxKnown, maxLength] = [256, 4_000]

/** What the gate says of a statement. */
export interface GateAnswer {
  readonly statements: readonly Admitted[]
  /** For how long the gate worked, in milliseconds: this counts for the time limit. */
  readonly ms: number
}

/**
 * The gate, which asks its thread once for a statement that is sent again and again. Statements take turns as for an engine: owners
 * by the time that they used.
 */
export class Gate {
  readonly #schema: string
  readonly #timeLimitMs: number
  readonly #thread = new GateThread()
  readonly #known = new Map<string, readonly Admitted[]>()
  readonly #queue = new EngineQueue<void>()
  readonly #usage = new Usage()
  #isBusy = false
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

  ready(): Promise<void> {
    return this.#thread.ready()
  }

  /** @throws StatementRefused; StatementTimeout; EngineBusy if the thread is not free in time; SqlError if it ends meanwhile */
  async admit(statement: string, options: ExecuteOptions): Promise<GateAnswer> {
    const { settings = defaultSettings, owner = '', signal, limitShiftMs = 0 } = options
    const mayKnow = settings === defaultSettings && statement.length <= maxLength
    const known = mayKnow ? this.#known.get(statement) : undefined
    if (known) return { statements: known, ms: 0 }
    if (this.#isBusy) await this.#queue.wait({ owner, isSlow: () => false }, signal)
    this.#isBusy = true
    let started = performance.now()
    try {
      await this.#thread.ready()
      started = performance.now()
      const limitMs = Math.max(this.#timeLimitMs + limitShiftMs, 1)
      const statements = await this.#thread.admit(
        { statement, settings, schema: this.#schema, columns: this.#columns },
        limitMs,
        new StatementTimeout(this.#timeLimitMs),
      )
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

  #remember(statement: string, statements: readonly Admitted[]): void {
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(statement, statements)
  }

  close(): Promise<void> {
    this.#queue.rejectAll(new EngineBusy('The server is closing.'))
    return this.#thread.close()
  }
}
