import { setTimeout as sleep } from 'node:timers/promises'
import { day, iso, microsOf, type Micros } from '../../../fixtures/time.ts'
import type { EngineThread } from '../../engine/pool/engine-thread.ts'
import { PlantThread } from './plant-thread.ts'
import type { GeneratorOptions } from '../../engine/generator-options.ts'

/** How the time of a plant moves. */
export interface LiveOptions {
  /** Plant seconds in a second. Default: 60. */
  readonly speed?: number
  /** Tells the plant's time, microseconds since 1970, instead of a clock that starts at `asOf`. It may stand, never go back. */
  readonly clock?: () => Micros
  /** Between two looks at the clock, in milliseconds. Default: 1000. */
  readonly intervalMs?: number
}

/** The fastest a plant may run: a day in less than a second. */
export const mostSpeed = 100_000

/**
 * Moves the data of all engines on, together. An engine gets every change before the next statement it is given, so no
 * client sees time go back; one that starts later is brought from `asOf` to the present before it serves.
 */
export class LivePlant {
  readonly #asOf: Micros
  readonly #options: LiveOptions
  readonly #log: (message: string) => void
  readonly #thread: PlantThread
  readonly #engines = new Set<EngineThread>()
  readonly #closing = new AbortController()
  #now: Micros
  /** What is under way: one step or one engine that joins, never both. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(plant: GeneratorOptions, options: LiveOptions, log: (message: string) => void) {
    this.#asOf = microsOf('asOf', plant.asOf)
    this.#now = this.#asOf
    this.#options = options
    this.#log = log
    this.#thread = new PlantThread(plant)
  }

  /** What the next statement sees, as ISO 8601. */
  get now(): string {
    return iso(this.#now)
  }

  /** Brings an engine to the present; from then on it gets every change. */
  join(engine: EngineThread): Promise<EngineThread> {
    return this.#next(async () => {
      try {
        if (this.#now > this.#asOf) await engine.apply(await this.#thread.changes(this.#asOf, this.#now))
      } catch (error) {
        await engine.end('closing', error)
        throw error
      }
      this.#engines.add(engine)
      return engine
    })
  }

  /** Starts the clock. */
  start(): void {
    const { speed = 60, intervalMs = 1000 } = this.#options
    const started = performance.now()
    const running = () => this.#asOf + Math.floor((performance.now() - started) * 1000 * speed)
    void this.#run(this.#options.clock ?? running, intervalMs)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#thread.close()
  }

  async #run(clock: () => Micros, intervalMs: number): Promise<void> {
    const { signal } = this.#closing
    let told = ''
    while (!signal.aborted) {
      try {
        await sleep(intervalMs, undefined, { signal, ref: false })
        await this.#next(() => this.#step(clock()))
      } catch (error) {
        const message = `Time stands still for the moment. ${(error as Error).message}`
        if (!signal.aborted && message !== told) this.#log(message)
        told = message
      }
    }
  }

  async #step(to: Micros): Promise<void> {
    if (!(to > this.#now)) return
    const steps = await this.#thread.changes(this.#now, to)
    const isNewDay = Math.floor(to / day) > Math.floor(this.#now / day)
    this.#now = to
    for (const engine of this.#engines) {
      if (engine.isGone) this.#engines.delete(engine)
      // an engine that fails ends, and another one takes its place
      else engine.apply(steps).catch(() => {})
    }
    if (isNewDay) this.#log(`The plant has reached ${iso(to).slice(0, 10)}.`)
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }
}
