import { startWorker } from '../../../../base/threads/start-worker.ts'
import { EnginePool } from '../../../engine/pool/engine-pool.ts'
import { EngineThread } from '../../../engine/pool/engine-thread.ts'
import { defaultSettings } from '../../../open-points/settings.ts'
import type { ExecuteOptions } from '../../../statement.ts'
import type { Reading } from '../../../syntax/reading.ts'
import { loadArtifacts } from '../../pglite/artifacts.ts'
import { createSnapshot } from '../../pglite/index.ts'
import { type HostFacts, stepsOf } from './host-facts.ts'

/** Most texts that are remembered, and the longest, in characters; above that number, all are forgotten. */
const [maxKnown, maxLength] = [256, 4_000]

/** The statements of a text that may run, and for how long the analysis worked, in milliseconds. */
export interface Analysed {
  readonly statements: readonly Reading[]
  readonly ms: number
}

/**
 * Lets threads analyse statements, each text once. An embedded engine in a thread can be ended at the time limit, and serves the
 * statements of owners in turns.
 */
export class Analyst {
  readonly #timeLimitMs: number
  readonly #log: (message: string) => void
  readonly #known = new Map<string, readonly Reading[]>()
  readonly #image = Promise.all([loadArtifacts(), createSnapshot({ scale: 0.01 })])
  /** The first thread loads its code while the host is asked. */
  readonly #first = [startThread()]
  #facts = ''
  #pool: Promise<EnginePool> | undefined

  /** @param timeLimitMs of a statement, in milliseconds */
  constructor(timeLimitMs: number, log: (message: string) => void) {
    // told when it is needed
    this.#image.catch(() => {})
    this.#timeLimitMs = timeLimitMs
    this.#log = log
  }

  /** Takes over the facts of a host. Those that differ replace the threads. @throws Error if a thread cannot start */
  async learn(facts: HostFacts): Promise<void> {
    const text = JSON.stringify(facts)
    if (text !== this.#facts) {
      const before = this.#pool
      this.#facts = text
      this.#known.clear()
      this.#pool = this.#open(facts)
      void before?.then((pool) => pool.close())
    }
    try {
      await this.#pool
    } catch (error) {
      this.#facts = ''
      throw error
    }
  }

  #open(facts: HostFacts): Promise<EnginePool> {
    const image = this.#image.then(([artifacts, snapshot]) => ({ artifacts, snapshot }))
    const steps = stepsOf(facts)
    return EnginePool.open({
      start: async () => {
        const thread = await EngineThread.start(image, this.#first.pop() ?? startThread())
        await thread.apply(steps)
        return thread
      },
      timeLimitMs: this.#timeLimitMs,
      readerLimitMs: this.#timeLimitMs,
      workers: 1,
      maxWorkers: 2,
      log: this.#log,
    })
  }

  /** @throws SqlError for a text that may not run; StatementTimeout; EngineBusy */
  async analyse(text: string, options: ExecuteOptions): Promise<Analysed> {
    const { settings = defaultSettings, owner = '', signal, limitShiftMs = 0 } = options
    const mayKnow = settings === defaultSettings && text.length <= maxLength
    const known = mayKnow ? this.#known.get(text) : undefined
    if (known) return { statements: known, ms: 0 }
    const started = performance.now()
    const pool = await this.#pool!
    const { chunks } = await pool.execute(text, { settings, owner, signal, limitShiftMs })
    const json = Buffer.concat(chunks as readonly Uint8Array[]).toString()
    const statements = (JSON.parse(json) as readonly Reading[]).map((one) => ({
      ...one,
      spelled: new Map(one.spelled),
    }))
    if (mayKnow) this.#remember(text, statements)
    return { statements, ms: performance.now() - started }
  }

  #remember(text: string, statements: readonly Reading[]): void {
    if (this.#known.size >= maxKnown) this.#known.clear()
    this.#known.set(text, statements)
  }

  async close(): Promise<void> {
    for (const worker of this.#first.splice(0)) await worker.terminate()
    await this.#pool?.then(
      (pool) => pool.close(),
      () => {},
    )
  }
}

/** With a large stack, a deeply nested statement fails with an SQL error and does not break the engine. */
const startThread = () =>
  startWorker('./analysis-worker.ts', import.meta.url, {
    resourceLimits: { stackSizeMb: 64, maxOldGenerationSizeMb: 512 },
  })
