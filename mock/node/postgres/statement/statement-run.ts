import { Countdown, type ReaderWatch, type StalledReaders } from '../../../engine/pool/stalled-readers.ts'
import type { Page } from '../../../engine/result/result.ts'
import type { SpareMemory } from '../../../engine/memory/spare-memory.ts'
import { type ExecuteOptions, StatementTimeout } from '../../../statement.ts'
import type { Connection } from '../connect/connection.ts'

export interface RunLimits {
  readonly timeLimitMs: number
  readonly readers: StalledReaders
}

/** Pages that may wait for their reader. */
const ahead = 1

/**
 * One statement on a connection: its unread pages, its limits, and how it ends. The time limit counts while the database works,
 * not while the reader does.
 */
export class StatementRun {
  readonly #connection: Connection
  readonly #memory: SpareMemory
  readonly #limit: Countdown
  readonly #lastLimit: Countdown
  readonly #reader: ReaderWatch
  readonly #signal: AbortSignal
  #pages: Page[] = []
  #failure: { readonly reason: unknown } | undefined
  #works = false
  #ended = false
  #wakeReader = () => {}
  #wakeDriver = () => {}

  /**
   * @param pages runs the statement as it is iterated
   * @param onEnd called once, when the connection is free or closed
   */
  constructor(
    connection: Connection,
    pages: AsyncGenerator<Page, void>,
    { timeLimitMs, readers }: RunLimits,
    { signal, limitShiftMs = 0, runsOn = false }: ExecuteOptions,
    memory: SpareMemory,
    onEnd: () => void,
  ) {
    this.#connection = connection
    this.#memory = memory
    this.#signal = signal
    const timeout = new StatementTimeout(timeLimitMs)
    const end = () => this.stop(timeout)
    this.#lastLimit = new Countdown(timeLimitMs, end)
    const runOn = () => {
      signal.removeEventListener('abort', this.#leave)
      this.#fail(timeout)
      this.#lastLimit.start()
    }
    this.#limit = new Countdown(Math.max(timeLimitMs + limitShiftMs, 1), runsOn ? runOn : end)
    this.#reader = readers.watch((reason) => this.stop(reason))
    signal.addEventListener('abort', this.#leave, { once: true })
    void this.#drive(pages).finally(onEnd)
  }

  readonly #leave = (): void => this.stop(this.#signal.reason)

  /**
   * The next page. Must not be called again after the last one.
   *
   * @param read the page before, whose chunks nobody reads any longer
   * @throws the error of the statement
   */
  async nextPage(read?: Page): Promise<Page> {
    this.#memory.add(read?.chunks.map(({ buffer }) => buffer as ArrayBuffer) ?? [])
    for (;;) {
      const page = this.#pages.shift()
      if (page) {
        this.#reader.reads()
        this.#wakeDriver()
        return page
      }
      if (this.#failure) throw this.#failure.reason
      await new Promise<void>((resolve) => (this.#wakeReader = resolve))
    }
  }

  /** Ends the statement if it still runs. Pages that were not read are discarded, and the next read throws `reason`. */
  stop(reason: unknown): void {
    if (this.#ended) return
    this.#fail(reason)
    if (this.#works) this.#connection.cancel()
  }

  #fail(reason: unknown): void {
    this.#failure ??= { reason }
    this.#pages = []
    this.#wakeReader()
    this.#wakeDriver()
  }

  async #drive(pages: AsyncGenerator<Page, void>): Promise<void> {
    try {
      this.#work()
      for await (const page of pages) {
        this.#rest()
        if (this.#failure) break
        this.#pages.push(page)
        if (page.last) break
        this.#wakeReader()
        while (this.#pages.length >= ahead && !this.#failure) {
          this.#reader.waits()
          await new Promise<void>((resolve) => (this.#wakeDriver = resolve))
        }
        if (this.#failure) break
        this.#work()
      }
    } catch (error) {
      this.#fail(error)
    } finally {
      this.#ended = true
      this.#reader.reads()
      for (const timer of [this.#limit, this.#lastLimit]) timer.reset()
      this.#signal.removeEventListener('abort', this.#leave)
      this.#wakeReader()
    }
  }

  #work(): void {
    this.#works = true
    this.#limit.start()
  }

  #rest(): void {
    this.#works = false
    this.#limit.pause()
  }
}
