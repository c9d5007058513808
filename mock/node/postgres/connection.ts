import type { Socket } from 'node:net'
import pg from 'pg'
import { maxRowBytes } from '../../engine/result.ts'
import {
  backend,
  type DatabaseError,
  type MessageHandler,
  MessageReader,
  readError,
} from '../../engine/wire.ts'
import { sendCancel } from './cancel.ts'

/** The connection ended while or before a statement ran on it: another host may answer the statement. */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost'
}

/** What `pg` knows of a connection beyond its types. */
type Inside = pg.Client & {
  readonly connection: { readonly stream: Socket }
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
 * because a string and an object for each value make large results several times slower (decisions/0042).
 */
export class Connection {
  readonly #client: Inside
  readonly #socket: Socket
  readonly #reader = new MessageReader((...message) => this.#read(...message), maxRowBytes)
  readonly #exchanges: Exchange[] = []
  #failure: Error | undefined
  #isCancelled = false
  #lastError: DatabaseError | undefined
  /** Called once when the connection has ended, expectedly or not. */
  onEnd = (): void => {}

  private constructor(client: Inside) {
    this.#client = client
    this.#socket = client.connection.stream
    client.removeAllListeners('end')
    this.#socket.removeAllListeners('data')
    this.#socket.on('data', (bytes: Buffer) => this.#reader.push(bytes))
    this.#socket.once('close', () => this.#fail())
    client.on('error', (error) => this.#fail(error))
  }

  /** @throws the error of `pg`, see explain-error.ts */
  static async open(config: pg.ClientConfig): Promise<Connection> {
    const client = new pg.Client(config) as Inside
    // an error after the connection has failed must not end the process
    client.on('error', () => {})
    await client.connect()
    return new Connection(client)
  }

  /** Whether no other statement may run on it. */
  get isLost(): boolean {
    return this.#failure !== undefined || this.#isCancelled
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
   * Asks the server to end the running statement, then ends the connection: the request may arrive late, when another statement
   * runs on it. A pooler forgets the statement of a client that has left, so the request comes first.
   */
  cancel(): void {
    this.#isCancelled = true
    const { host, port, processID, secretKey } = this.#client
    const target = { host, port, ssl: this.#client.ssl, processID, secretKey }
    void sendCancel(target).then(() => this.close())
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
    if (type === backend.error) this.#lastError = readError(bytes, start, end)
    current?.handle(type, bytes, start, end)
    if (type !== backend.readyForQuery || !current) return
    this.#exchanges.shift()
    this.#lastError = undefined
    const skipped = this.#reader.oversized
    this.#reader.oversized = 0
    current.resolve(skipped)
  }

  #fail(reason?: Error): void {
    if (this.#failure) return
    // a server that shuts down says so before it closes the connection
    const said = this.#lastError && `${this.#lastError.message} (${this.#lastError.sqlState})`
    const message = said ?? reason?.message ?? 'The server closed the connection.'
    this.#failure = new ConnectionLost(message, { cause: reason })
    for (const { reject } of this.#exchanges.splice(0)) reject(this.#failure)
    this.onEnd()
  }
}

/** Terminate. Source: PostgreSQL documentation, "Message Formats". */
const terminate = Uint8Array.of(0x58, 0, 0, 0, 4)
