import { fromPlainError } from './plain-error.ts'
import { initialCredit, type ReplacementReason, type Reply, type Request } from './protocol.ts'

type PageReply = Extract<Reply, { type: 'page' }>

/** A page of rows from the thread of an engine. */
export interface ArrivedPage extends Omit<PageReply, 'columns' | 'small'> {
  readonly columns: readonly string[]
}

/** Sends a message to the engine. */
export type Send = (request: Request) => void

/** Callbacks for the progress of a statement. */
export interface ExecutionListener {
  /** The engine works for the statement: it takes over the rows of its overlay, if it lacks some. Not called if it failed before. */
  onStart(): void
  /** The engine has the statement's overlay and has begun to run the statement. Not called if it failed before. */
  onBegin(): void
  /** The engine has sent all pages that it may send unread. It waits until {@link onWork}. */
  onWait(): void
  /** The reader took a page. */
  onWork(): void
  /** The engine has finished the statement or has ended; called once. With a reason, it must not run another statement. */
  onEnd(reason?: ReplacementReason): void
}

/** The statement has to run on another engine. */
export class SetBack extends Error {}

/** One statement that an engine runs or will run: its unread pages, and how it ended. */
export class Execution {
  /** The number of the statement in messages. */
  readonly number: number
  readonly #send: Send
  readonly #listener: ExecutionListener
  /** Whether the engine gets changes of the overlay before the statement. */
  readonly #hasOverlayChanges: boolean
  #pages: ArrivedPage[] = []
  #failure: { readonly reason: unknown } | undefined
  #ended = false
  #hasBegun = false
  #hasPages = false
  #wake = () => {}

  constructor(number: number, send: Send, listener: ExecutionListener, hasOverlayChanges: boolean) {
    this.number = number
    this.#send = send
    this.#listener = listener
    this.#hasOverlayChanges = hasOverlayChanges
  }

  /** Whether the engine has finished the statement; unread pages may be left. */
  get ended(): boolean {
    return this.#ended
  }

  /** Whether the engine works or has worked for the statement. */
  get hasBegun(): boolean {
    return this.#hasBegun
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

  begin(): void {
    this.#hasBegun = true
    this.#listener.onStart()
    if (!this.#hasOverlayChanges) this.#listener.onBegin()
  }

  receive(reply: ArrivedPage | Exclude<Reply, PageReply>): void {
    if (reply.type === 'overlaid') return this.#listener.onBegin()
    // after a failure, the reader takes no more pages
    if (reply.type === 'page' && !this.#failure) {
      this.#pages.push(reply)
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

  end(reason?: ReplacementReason): void {
    if (this.#ended) return
    this.#ended = true
    this.#listener.onEnd(reason)
  }
}
