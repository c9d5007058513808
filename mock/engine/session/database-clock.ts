import type { Extension } from '@electric-sql/pglite'
import type { Micros } from '../../../base/time/micros.ts'
import { withIdleWaits } from './idle-wait.ts'

/**
 * What PostgreSQL reads as the time: the real time, or one that is set. A set time is told only while PostgreSQL handles messages:
 * its timers go off between them, and those that are set at one time and seen at another would wait for months.
 */
export class DatabaseClock {
  #time: Micros | undefined
  #sinceMs: number | undefined
  #isWorking = false

  /**
   * Sets the time. It stands still while the next message is handled, and goes on as fast as the real time after it.
   *
   * @param time microseconds since 1970; undefined: the real time
   */
  set(time: Micros | undefined): void {
    this.#time = time
    this.#sinceMs = undefined
  }

  /** @param work handles one message */
  during(work: () => void): void {
    this.#isWorking = true
    try {
      work()
    } finally {
      this.#isWorking = false
      this.#sinceMs ??= performance.now()
    }
  }

  /** @returns milliseconds since 1970 */
  read(): number {
    if (this.#time === undefined || !this.#isWorking) return Date.now()
    const passedMs = this.#sinceMs === undefined ? 0 : performance.now() - this.#sinceMs
    // half a microsecond, because PostgreSQL rounds down
    return (this.#time + 0.5) / 1000 + passedMs
  }
}

/** Gives PostgreSQL other clocks than those of its thread. */
export const clocksOf = (clock: DatabaseClock): Extension => ({
  name: 'clocks',
  setup: async (_, options) => ({
    emscriptenOpts: {
      ...options,
      instantiateWasm: ({ env, wasi_snapshot_preview1: wasi, ...others }: Imports, done: unknown) => {
        const imports = {
          ...others,
          env: changed(env, { emscripten_date_now: () => clock.read() }),
          wasi_snapshot_preview1: changed(wasi, { clock_time_get: withIdleWaits(wasi.clock_time_get) }),
        }
        return options.instantiateWasm(imports, done)
      },
    },
  }),
})

/** What a program compiled by emscripten takes from its surroundings. */
interface Imports {
  readonly env: object
  readonly wasi_snapshot_preview1: { readonly clock_time_get: Parameters<typeof withIdleWaits>[0] }
}

/** A new object: other modules of the program read the original later. */
const changed = (imports: object, changes: object) => Object.assign(Object.create(imports), changes)
