import { SqlError, StatementRefused } from '../../statement.ts'
import { initialCredit, type PlainSqlError, type Reply, type Request, type Wear } from './protocol.ts'

/** A page of rows as it arrives from an engine's thread. */
export type ArrivedPage = Extract<Reply, { type: 'page' }>

/** Told how a statement goes on. */
export interface ExecutionListener {
  /** The engine sent all it may ahead of the reader: it does nothing until {@link onWork}. */
  onWait(): void
  /** The reader took a page. */
  onWork(): void
  /** The engine is free again or gone; called once. With `wear` it must not run another statement. */
  onEnd(wear?: Wear): void
}

/** One statement that an engine runs: the pages that arrived and were not yet read, and how it ended. */
export class Execution {
  readonly #send: (request: Request) => void
  readonly #listener: ExecutionListener
  #pages: ArrivedPage[] = []
  #failure: { readonly reason: unknown } | undefined
  #ended = false
  #wake = () => {}

  constructor(send: (request: Request) => void, listener: ExecutionListener) {
    this.#send = send
    this.#listener = listener
  }

  /** Whether the engine is done with the statement; pages may be left to read. */
  get ended(): boolean {
    return this.#ended
  }

  /**
   * The next page; not to be called again after one with `final`.
   *
   * @throws whatever the statement failed with
   */
  async nextPage(): Promise<ArrivedPage> {
    for (;;) {
      const page = this.#pages.shift()
      if (page) {
        if (!this.#ended) {
          this.#send({ type: 'more' })
          this.#listener.onWork()
        }
        return page
      }
      if (this.#failure) throw this.#failure.reason
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  receive(reply: Reply): void {
    // a reader that was given up on takes nothing more
    if (reply.type === 'page' && !this.#failure) this.#pages.push(reply)
    if (reply.type === 'failed') this.#failure ??= { reason: toError(reply.error) }
    if ('final' in reply && reply.final) this.end(reply.final.wear)
    else if (this.#pages.length === initialCredit) this.#listener.onWait()
    this.#wake()
  }

  /** Lets the reader fail with `reason` from now on, whatever arrived already. */
  fail(reason: unknown): void {
    this.#pages = []
    this.#failure ??= { reason }
    this.#wake()
  }

  end(wear?: Wear): void {
    if (this.#ended) return
    this.#ended = true
    this.#listener.onEnd(wear)
  }
}

function toError({ refused, kind, message, sqlState, relation }: PlainSqlError): SqlError {
  const Class = refused ? StatementRefused : SqlError
  return new Class(kind, message, sqlState, relation)
}
