import { day, iso, microsOf, type Micros } from '../../base/time/micros.ts'
import type { RowChange } from '../statement.ts'
import { RowError } from './row-problems.ts'

/** The time of the plant that a session begins with. */
export interface PlantClock {
  /** The time of a live plant, ISO 8601. */
  readonly now: () => string | undefined
  /** The time of a plant that is not live, ISO 8601; undefined for rows of one's own. */
  readonly asOf: string | undefined
  /** What `now()` tells in SQL. Default: `plant`. */
  readonly databaseClock?: 'plant' | 'real' | undefined
  /** The changes of the plant between two times; undefined if they cannot be computed. */
  readonly changes?: ((from: Micros, to: Micros) => Promise<readonly RowChange[]>) | undefined
}

/** The longest time whose changes are computed at once: a month of the largest plant fits the memory. */
const mostAtOnce = 31 * day

/** The last time that a timestamp of four digits for the year can show. */
const last = microsOf('last', '9999-12-31T23:59:59Z')

/** The smallest step of a running clock: each step takes as long as some statements. */
const stepMs = 200

/** The time of a session. It moves forward only, until it is reset. */
export class SessionClock {
  readonly #plant: PlantClock
  /** The session's own time; undefined: that of the plant. */
  #time: Micros | undefined
  /** When it was that time, on a clock in milliseconds that never goes back. */
  #setAtMs = 0
  /** Plant seconds per second. */
  #speed = 0
  #lastStamp = 0
  /** The newest time of change since the reset. */
  #changedAt = 0
  /** The newest time of change that a row was given. */
  #newestGiven = 0

  constructor(plant: PlantClock) {
    this.#plant = plant
  }

  /** The time of the rows, microseconds since 1970. */
  get time(): Micros {
    const { now, asOf } = this.#plant
    const plant = now() ?? asOf
    return this.#time ?? (plant === undefined ? Date.now() * 1000 : microsOf('asOf', plant))
  }

  /** The time of the next statement, not before the last change; undefined: the real time. */
  get forDatabase(): Micros | undefined {
    const { now, asOf, databaseClock } = this.#plant
    if (databaseClock === 'real' || (now() ?? asOf) === undefined) return undefined
    return Math.max(this.time, this.#changedAt)
  }

  get state(): { now: string; speed: number } {
    // a statement moves the rows as far
    return { now: iso(this.isBehind ? this.dueAt(performance.now()) : this.time), speed: this.#speed }
  }

  /** The time of the next change: after every earlier one. */
  stamp(): string {
    this.#lastStamp = Math.max(this.time, this.#lastStamp) + 1
    this.#changedAt = this.#lastStamp
    if (this.#newestGiven < this.#lastStamp) return iso(this.#lastStamp)
    return iso(++this.#newestGiven)
  }

  /** Makes the next change later than the time of change of a row. */
  saw(time: Micros | undefined): void {
    this.#newestGiven = Math.max(this.#newestGiven, time ?? 0)
  }

  /** The time of a live plant. */
  get liveTime(): string | undefined {
    return this.#plant.now()
  }

  /** @param atMs when it is that time */
  set(time: Micros, atMs: number): void {
    this.#time = time
    this.#setAtMs = atMs
  }

  /**
   * Lets time run, or stops it.
   *
   * @param speed plant seconds per second; 0 stops
   * @throws RowError if time cannot be moved
   */
  run(speed: number): void {
    if (!(Number.isFinite(speed) && speed >= 0 && speed <= 100_000))
      throw new RowError(`speed is ${speed}. Give plant seconds per second, from 0 to 100000.`)
    this.#checkMovable()
    this.#speed = speed
  }

  /** The time that the clock shows. The rows may be behind it while it runs. */
  dueAt(ms: number): Micros {
    const passed = Math.floor((ms - this.#setAtMs) * 1000 * this.#speed)
    return this.#speed === 0 ? this.time : Math.min(this.time + passed, last)
  }

  /** Whether a running clock shows a later time than the rows have. */
  get isBehind(): boolean {
    return this.#speed > 0 && performance.now() - this.#setAtMs >= stepMs
  }

  /**
   * The changes of the plant up to a time, month by month.
   *
   * @throws RowError if time cannot be moved, would go back, or is too far away
   */
  async *changesTo(to: Micros): AsyncGenerator<{ changes: readonly RowChange[]; to: Micros }, void> {
    const changes = this.#checkMovable()
    let from = this.time
    if (to > last) throw new RowError(`The time can be moved up to ${iso(last)}. Give an earlier one.`)
    if (to < from)
      throw new RowError(`The time is ${iso(from)} and cannot go back to ${iso(to)}. Reset the session.`)
    while (from < to) {
      const next = Math.min(from + mostAtOnce, to)
      yield { changes: await changes(from, next), to: next }
      from = next
    }
  }

  reset(): void {
    this.#time = undefined
    this.#speed = 0
    this.#newestGiven = 0
    this.#changedAt = 0
  }

  #checkMovable() {
    const { now, asOf, changes } = this.#plant
    if (now() !== undefined)
      throw new RowError(
        'The plant is live, so its time moves by itself. Start the server without --live to move it in a session.',
      )
    if (!changes && asOf === undefined)
      throw new RowError(
        'The time of your own rows cannot be moved, because there are no later rows. Put them.',
      )
    if (!changes)
      throw new RowError(
        'Time cannot be moved in a page. Put the later rows, or move the time of a mock or a server in node.',
      )
    return changes
  }
}
