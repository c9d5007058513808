import { iso, microsOf, type Micros } from '../../../fixtures/time.ts'
import type { RowChange } from '../../statement.ts'
import { RowError } from './row-error.ts'

/** The time of the plant that a session begins with. */
export interface PlantClock {
  /** The time of a live plant, ISO 8601. */
  readonly now: () => string | undefined
  /** The time of a plant that is not live, ISO 8601; undefined for rows of one's own. */
  readonly asOf: string | undefined
  /** The changes of the plant between two times; undefined if they cannot be computed. */
  readonly changes?: ((from: Micros, to: Micros) => Promise<readonly RowChange[]>) | undefined
}

/** The smallest step of a running clock: each step takes as long as some statements. */
const stepMs = 200

/** The time of a session. */
export class SessionClock {
  readonly #plant: PlantClock
  /** The session's own time; undefined: that of the plant. */
  #time: Micros | undefined
  #lastStamp = 0
  /** A running clock: plant seconds per second, and when it started. */
  #running: { readonly speed: number; readonly from: Micros; readonly startedMs: number } | undefined
  #steppedMs = 0

  constructor(plant: PlantClock) {
    this.#plant = plant
  }

  /** Microseconds since 1970. */
  get time(): Micros {
    const { now, asOf } = this.#plant
    const plant = now() ?? asOf
    return this.#time ?? (plant === undefined ? Date.now() * 1000 : microsOf('asOf', plant))
  }

  set time(time: Micros) {
    this.#time = time
  }

  get state(): { now: string; speed: number } {
    return { now: iso(this.time), speed: this.#running?.speed ?? 0 }
  }

  /** The time of the next change: after every earlier one. */
  stamp(): string {
    this.#lastStamp = Math.max(this.time, this.#lastStamp) + 1
    return iso(this.#lastStamp)
  }

  /**
   * Lets time run, or stops it.
   *
   * @param speed plant seconds per second; 0 stops
   * @throws RowError as {@link changesTo}
   */
  run(speed: number): void {
    if (!(Number.isFinite(speed) && speed >= 0 && speed <= 100_000))
      throw new RowError(`speed is ${speed}. Give plant seconds per second, from 0 to 100000.`)
    this.#checkMovable()
    const startedMs = performance.now()
    this.#running = speed === 0 ? undefined : { speed, from: this.time, startedMs }
    this.#steppedMs = startedMs
  }

  /** The time that a running clock shows. */
  get due(): Micros {
    if (!this.#running) return this.time
    const { speed, from, startedMs } = this.#running
    this.#steppedMs = performance.now()
    return from + Math.floor((this.#steppedMs - startedMs) * 1000 * speed)
  }

  /** Whether a running clock shows a later time than the rows have. */
  get isBehind(): boolean {
    return this.#running !== undefined && performance.now() - this.#steppedMs >= stepMs
  }

  /**
   * The changes of the plant up to a time.
   *
   * @throws RowError if time cannot be moved, or would go back
   */
  async changesTo(to: Micros): Promise<readonly RowChange[]> {
    const changes = this.#checkMovable()
    const from = this.time
    if (to < from)
      throw new RowError(`The time is ${iso(from)} and cannot go back to ${iso(to)}. Reset the session.`)
    return to === from ? [] : changes(from, to)
  }

  reset(): void {
    this.#time = undefined
    this.#running = undefined
  }

  #checkMovable() {
    const { now, changes } = this.#plant
    if (now() !== undefined)
      throw new RowError(
        'The plant is live, so its time moves by itself. Start the server without --live to move it in a session.',
      )
    if (!changes)
      throw new RowError(
        'The time of these rows cannot be moved: only a simulated plant in node has later rows.',
      )
    return changes
  }
}
