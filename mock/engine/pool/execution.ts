import { fromPlainError } from './plain-error.ts'
import { type Ending, initialCredit, type ReplacementReason, type Reply, type Request } from './protocol.ts'

type PageReply = Extract<Reply, { type: 'page' }>

/** A page of rows from the thread of an engine. */
export interface ArrivedPage extends PageReply {
  readonly columns: readonly string[]
}

/** Callbacks for the progress of a statement. */
export interface ExecutionListener {
  /** The engine has the rows of the statement's overlay and begins to run the statement. */
  onBegin(): void
  /** The engine has sent all pages that it may send unread. It waits until {@link onWork}. */
  onWait(): void
  /** The reader took a page. */
  onWork(): void
  /** Nobody waits for the statement any more. */
  onStop(ending: Ending, reason: unknown): void
  /** The engine has finished the statement or has ended; called once. With a reason, it must not run another statement. */
  onEnd(reason?: ReplacementReason): void
}

/** The statement has to run on another engine. */
export class SetBack extends Error {}

/** One statement that an engine runs: its unread pages, and how it ended. */
export class Execution {
  /** The number of the statement in messages. */
  readonly number: number
  readonly #send: (request: Request) => void
  readonly #listener: ExecutionListener
  #columns: readonly string[] = []
  #pages: ArrivedPage[] = []
  #failure: { readonly reason: unknown } | undefined
  #ended = false
  #hasPages = false
  #wake = () => {}

  constructor(number: number, send: (request: Request) => void, listener: ExecutionListener) {
    this.number = number
    this.#send = send
    this.#listener = listener
  }

  /** Whether the engine has finished the statement; unread pages may be left. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether the reader gets no more pages. */
  get failed(): boolean {
    return this.#failure !== undefined
  }

  /** Whether a page has arrived. */
  get hasPages(): boolean {
    return this.#hasPages
  }

  /**
   * The next page. Must not be called again after a page with `final`.
   *
   * @throws the error of the statement
   */
  async nextPage(): Promise<ArrivedPage> {
    for (;;) {
      const page = this.#pages.shift()
      if (page) {
        if (!this.#ended) {
          this.#send({ type: 'more', number: this.number })
          this.#listener.onWork()
        }
        return page
      }
      if (this.#failure) throw this.#failure.reason
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  receive(reply: Exclude<Reply, { type: 'applied' }>): void {
    if (reply.type === 'overlaid') return this.#listener.onBegin()
    // after a failure, the reader takes no more pages
    if (reply.type === 'page' && !this.#failure) {
      this.#columns = reply.columns ?? this.#columns
      this.#pages.push({ ...reply, columns: this.#columns })
      this.#hasPages = true
    }
    if (reply.type === 'failed') this.#failure ??= { reason: fromPlainError(reply.error) }
    if ('final' in reply && reply.final) this.end(reply.final.replace)
    else if (this.#pages.length === initialCredit) this.#listener.onWait()
    this.#wake()
  }

  /** Discards the unread pages; the next read throws `reason`. */
  fail(reason: unknown): void {
    this.#pages = []
    this.#failure ??= { reason }
    this.#wake()
  }

  /** Fails with `reason`, and lets the engine end the statement. */
  stop(ending: Ending, reason: unknown): void {
    if (this.#ended) return
    this.fail(reason)
    this.#listener.onStop(ending, reason)
  }

  end(reason?: ReplacementReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#listener.onEnd(reason)
  }
}
