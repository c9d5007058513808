import type { Socket } from 'node:net'
import pg from 'pg'
import { maxRowBytes } from '../../../engine/result/result.ts'
import { backend, type MessageHandler, MessageReader } from '../../../engine/result/wire.ts'
import { sendCancel } from './cancel.ts'
import { guarded } from './guarded-connection.ts'
import type { Encryption } from './tls.ts'

/** A statement that does not end after it was cancelled is left to the server after this time, in milliseconds. */
const abandonedMs = 5 * 60_000

/** The connection ended while or before a statement ran on it: another host may answer the statement. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** What `pg` knows of a connection beyond its types. */
type Inside = pg.Client & {
  readonly connection: { readonly stream: Socket }
  readonly ssl: Encryption
  readonly processID: number
  readonly secretKey: number
}

/** Takes the answer to one message that the server ends with ReadyForQuery. */
interface Exchange {
  readonly handle: MessageHandler
  readonly resolve: (skippedRows: number) => void
  readonly reject: (reason: Error) => void
}

/**
 * A connection that `pg` has opened: address, TLS and authentication are the library's. From then on its bytes are read here,
 * because a string and an object for each value make large results several times slower (docs/decisions/0042).
 */
export class Connection {
  readonly #client: Inside
  readonly #socket: Socket
  readonly #reader = new MessageReader((...message) => this.#read(...message), maxRowBytes)
  readonly #exchanges: Exchange[] = []
  #failure: Error | undefined
  /** Whether no other statement may run on it: the request to cancel may arrive late. */
  isCancelled = false
  #abandon: NodeJS.Timeout | undefined
  /** Called once when the connection has ended, expectedly or not. */
  onEnd = (): void => {}
  readonly openedAt = performance.now()
  /** The name of its host. */
  readonly host: string

  /** @param client a connection that is open and runs nothing; it must not be used afterwards */
  constructor(client: pg.Client, host: string) {
    this.host = host
    this.#client = client as Inside
    this.#socket = this.#client.connection.stream
    client.removeAllListeners('end')
    this.#socket.removeAllListeners('data')
    this.#socket.on(
      'data',
      guarded(this.#socket, (bytes) => this.#reader.push(bytes)),
    )
    this.#socket.once('close', () => this.#fail())
    client.on('error', (error) => this.#fail(error))
    if (this.#socket.destroyed) this.#fail()
  }

  /** Whether a transaction that was sent with its statement has not begun: the server is silent, or a pooler has no connection. */
  get waits(): boolean {
    return this.#exchanges.length > 1
  }

  /** Whether the connection has ended. */
  get isLost(): boolean {
    return this.#failure !== undefined
  }

  /**
   * Sends messages of which one, the last, makes the server ready for the next query. Messages may be sent before the
   * answer to earlier ones has arrived.
   *
   * @param handle takes the messages of the answer; must not throw
   * @returns the number of rows that were too large and skipped
   * @throws ConnectionLost
   */
  exchange(messages: Uint8Array, handle: MessageHandler): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      if (this.isCancelled) return reject(new ConnectionLost('The statement was cancelled.'))
      this.#exchanges.push({ handle, resolve, reject })
      // what is sent in one turn goes in one packet
      if (this.#socket.writableCorked === 0) {
        this.#socket.cork()
        queueMicrotask(() => this.#socket.uncork())
      }
      this.#socket.write(messages)
    })
  }

  /**
   * Asks the server to end the running statement. Some functions notice it only at their end: until then, the statement uses the
   * server, and runs on here.
   */
  cancel(): void {
    if (this.isCancelled || this.#failure) return
    this.isCancelled = true
    this.#abandon = setTimeout(() => this.close(), abandonedMs)
    void sendCancel(this.#client).then((wasTaken) => {
      if (!wasTaken || this.waits) this.close()
    })
  }

  /** Ends the connection; running exchanges fail. */
  close(): void {
    if (this.#failure) return
    this.#socket.end(terminate)
    this.#fail(new ConnectionLost('The connection was closed.'))
    this.#socket.destroySoon()
  }

  #read(type: number, bytes: Uint8Array, start: number, end: number): void {
    const current = this.#exchanges[0]
    current?.handle(type, bytes, start, end)
    if (type !== backend.readyForQuery || !current) return
    this.#exchanges.shift()
    const skipped = this.#reader.oversized
    this.#reader.oversized = 0
    current.resolve(skipped)
  }

  #fail(reason?: Error): void {
    if (this.#failure) return
    clearTimeout(this.#abandon)
    this.#failure = new ConnectionLost('The server closed the connection.', { cause: reason })
    for (const { reject } of this.#exchanges.splice(0)) reject(this.#failure)
    this.onEnd()
  }
}

/** Terminate. Source: PostgreSQL documentation, "Message Formats". */
const terminate = Uint8Array.of(0x58, 0, 0, 0, 4)
