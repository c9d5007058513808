import { setTimeout as sleep } from 'node:timers/promises'
import { day, iso, microsOf, type Micros } from '../../../../base/time/micros.ts'
import type { EngineThread } from '../../../engine/pool/engine-thread.ts'
import { PlantThread } from './plant-thread.ts'
import type { PlantTask } from './plant-worker.ts'

/** How the time of a live plant advances. */
export interface LiveOptions {
  /** Plant seconds per second. Default: 60. */
  readonly speed?: number
  /** Returns the plant's time in microseconds since 1970. It must never go back. Default: a clock that starts at `asOf`. */
  readonly clock?: () => Micros
  /** The interval between two readings of the clock, in milliseconds. Default: 1000. */
  readonly intervalMs?: number
}

/** Plant seconds per second, unless an option says otherwise. */
export const usualSpeed = 60
/** The highest speed: a plant day takes less than a second. */
const maxSpeed = 100_000

/** @throws RangeError when the speed is not above 0 and at most 100000 */
export function checkSpeed({ speed = usualSpeed }: LiveOptions): void {
  if (!(speed > 0 && speed <= maxSpeed))
    throw new RangeError(`speed is ${speed}. Give plant seconds per second: above 0 and at most ${maxSpeed}.`)
}

/** The clock of a live plant: it shows `start` now, unless it is one of the caller. */
function clockFrom(start: Micros, { speed = usualSpeed, clock }: LiveOptions): () => Micros {
  const started = performance.now()
  return clock ?? (() => start + Math.floor((performance.now() - started) * 1000 * speed))
}

/**
 * Applies the changes of a plant to all engines. An engine gets every change before its next statement, so that no client
 * sees time go back. An engine that starts later gets all changes since `asOf` before it serves.
 */
export class LivePlant {
  readonly #asOf: Micros
  readonly #options: LiveOptions
  readonly #log: (message: string) => void
  readonly #thread: PlantThread
  readonly #engines = new Set<EngineThread>()
  readonly #closing = new AbortController()
  #now: Micros
  /** Steps and joining engines run one after the other. */
  #turn: Promise<unknown> = Promise.resolve()

  constructor(task: PlantTask, options: LiveOptions, log: (message: string) => void) {
    this.#asOf = microsOf('asOf', task.plant.asOf)
    this.#now = this.#asOf
    this.#options = options
    this.#log = log
    this.#thread = new PlantThread(task)
  }

  /** The plant's time for the next statement, ISO 8601. */
  get now(): string {
    return iso(this.#now)
  }

  /** Applies all changes since `asOf` to an engine, which then gets every further change. */
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
    const { intervalMs = 1000 } = this.#options
    void this.#run(clockFrom(this.#asOf, this.#options), intervalMs)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#thread.close()
  }

  async #run(clock: () => Micros, intervalMs: number): Promise<void> {
    const { signal } = this.#closing
    let lastMessage = ''
    while (!signal.aborted) {
      try {
        await sleep(intervalMs, undefined, { signal, ref: false })
        await this.#next(() => this.#step(clock()))
      } catch (error) {
        const message = `The time of the plant does not advance for the moment. ${(error as Error).message}`
        if (!signal.aborted && message !== lastMessage) this.#log(message)
        lastMessage = message
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
      // an engine that fails ends and is replaced
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
