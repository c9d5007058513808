import { Countdown, type ReaderWatch, type StalledReaders } from '../../../engine/pool/stalled-readers.ts'
import type { Page } from '../../../engine/result/result.ts'
import { type ExecuteOptions, StatementTimeout } from '../../../statement.ts'
import type { Connection } from '../connect/connection.ts'
import { handled } from './pages.ts'

export interface RunLimits {
  readonly timeLimitMs: number
  readonly readers: StalledReaders
}

/**
 * One statement on a connection: its pages, its limits, and how it ends. The database works on the next page while one is read. The
 * time limit counts while the database works, not while it waits for the reader.
 */
export class StatementRun {
  readonly #connection: Connection
  readonly #pages: AsyncGenerator<Page, void>
  readonly #limit: Countdown
  readonly #lastLimit: Countdown
  readonly #reader: ReaderWatch
  readonly #signal: AbortSignal
  readonly #onEnd: () => void
  /** Rejects with the reason of a failure. */
  readonly #failed: Promise<never>
  #reject!: (reason: unknown) => void
  #hasFailed = false
  /** The page after those that were read. */
  #arriving: Promise<Page>
  #works = false
  #ending: Promise<void> | undefined

  /**
   * @param pages runs the statement as it is iterated
   * @param onEnd called once, when the connection is free or closed
   */
  constructor(
    connection: Connection,
    pages: AsyncGenerator<Page, void>,
    { timeLimitMs, readers }: RunLimits,
    { signal, limitShiftMs = 0, runsOn = false }: ExecuteOptions,
    onEnd: () => void,
  ) {
    this.#connection = connection
    this.#pages = pages
    this.#signal = signal
    this.#onEnd = onEnd
    this.#failed = handled(new Promise((_, reject) => (this.#reject = reject)))
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
    this.#arriving = handled(this.#pull())
  }

  readonly #leave = (): void => this.stop(this.#signal.reason)

  /**
   * The next page. Must not be called again after the last one.
   *
   * @throws the error of the statement
   */
  async nextPage(): Promise<Page> {
    const page = await Promise.race([this.#failed, this.#arriving])
    this.#reader.reads()
    if (!page.last) this.#arriving = handled(this.#pull())
    return page
  }

  /** Ends the statement if it still runs. A page that was not read is discarded, and the next read throws `reason`. */
  stop(reason: unknown): void {
    this.#fail(reason)
    if (this.#ending) return
    if (this.#works) this.#connection.cancel()
    else void this.#end()
  }

  #fail(reason: unknown): void {
    this.#hasFailed = true
    this.#reject(reason)
  }

  async #pull(): Promise<Page> {
    this.#works = true
    this.#limit.start()
    try {
      const page = (await this.#pages.next()).value!
      this.#works = false
      this.#limit.pause()
      if (page.last || this.#hasFailed) await this.#end()
      else this.#reader.waits()
      return page
    } catch (error) {
      this.#fail(error)
      await this.#end()
      throw error
    }
  }

  #end(): Promise<void> {
    return (this.#ending ??= this.#pages
      .return()
      .catch(() => {})
      .then(() => {
        this.#reader.reads()
        for (const timer of [this.#limit, this.#lastLimit]) timer.reset()
        this.#signal.removeEventListener('abort', this.#leave)
        this.#onEnd()
      }))
  }
}
