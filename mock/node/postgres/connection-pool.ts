import { EngineQueue } from '../../engine/pool/engine-queue.ts'
import { Usage } from '../../engine/pool/usage.ts'
import type { HostAddress } from './address.ts'
import { Connection } from './connection.ts'
import { explainConnectError } from './explain-error.ts'

/** SQLSTATE of a server without a free connection, and how long it is not asked for one then, in milliseconds. */
const [tooManyConnections, fullForMs] = ['53300', 1_000]

export interface ConnectionPoolOptions {
  /** Most connections. */
  readonly connections: number
  readonly log: (message: string) => void
  /** Called when no connection can be opened. The message names the remedy. */
  readonly onUnreachable: (reason: string) => void
}

/** The connections to one host, and the statements that wait for one. Owners take turns by the time that they used. */
export class ConnectionPool {
  readonly #address: HostAddress
  readonly #options: ConnectionPoolOptions
  readonly #queue = new EngineQueue<Connection>()
  readonly #usage = new Usage()
  readonly #all = new Set<Connection>()
  readonly #free: Connection[] = []
  #isOpen = false
  #opening = 0
  #fullUntil = 0

  constructor(address: HostAddress, options: ConnectionPoolOptions) {
    this.#address = address
    this.#options = options
  }

  get counts() {
    return { idle: this.#free.length, busy: this.#busy, starting: this.#opening, waiting: this.#queue.length }
  }

  /** Statements that run and wait, for each connection. */
  get load(): number {
    return (this.#busy + this.#queue.length) / this.#options.connections
  }

  get hasPlace(): boolean {
    return this.#queue.length === 0 && this.#busy < this.#options.connections
  }

  get #busy(): number {
    return this.#all.size - this.#free.length
  }

  /** Begins to serve. */
  open(): void {
    this.#isOpen = true
  }

  /** Ends all connections; statements that wait for one fail with this error. */
  shut(error: Error): void {
    this.#isOpen = false
    this.#queue.rejectAll(error)
    for (const connection of this.#all) connection.close()
  }

  /**
   * A connection for a statement of an owner.
   *
   * @throws EngineBusy if none becomes free in time; the error of {@link shut}
   */
  async acquire(owner: string, signal: AbortSignal): Promise<Connection> {
    const free = this.#queue.length === 0 ? this.#takeFree() : undefined
    if (free) return free
    const place = this.#queue.wait({ owner, isSlow: () => false }, signal)
    const isFull = performance.now() < this.#fullUntil
    if (this.#all.size + this.#opening < this.#options.connections && !isFull) void this.#connect()
    return place
  }

  /** Gives a connection back, and the time for which its statement used it. */
  release(connection: Connection, owner: string, ms: number): void {
    this.#usage.add(owner, ms)
    if (!connection.isLost) this.#free.push(connection)
    else if (this.#queue.length > this.#opening) void this.#connect()
    this.#serve()
  }

  #takeFree(): Connection | undefined {
    for (;;) {
      const connection = this.#free.pop()
      if (!connection || !connection.isLost) return connection
    }
  }

  #serve(): void {
    while (this.#queue.length > 0) {
      const connection = this.#takeFree()
      if (!connection) return
      this.#queue.serve(
        () => connection,
        true,
        (owner) => this.#usage.of(owner),
      )
    }
  }

  async #connect(): Promise<void> {
    this.#opening++
    try {
      const connection = await Connection.open(this.#address.config)
      this.#all.add(connection)
      connection.onEnd = () => {
        this.#all.delete(connection)
        const at = this.#free.indexOf(connection)
        if (at >= 0) this.#free.splice(at, 1)
      }
      if (this.#isOpen) this.#free.push(connection)
      else connection.close()
    } catch (error) {
      const reason = explainConnectError(this.#address.name, error)
      if ((error as { code?: string }).code === tooManyConnections) this.#waitForPlace(reason)
      else this.#options.onUnreachable(reason)
    } finally {
      this.#opening--
      this.#serve()
    }
  }

  /** Statements share the open connections until the server accepts another one. */
  #waitForPlace(reason: string): void {
    if (performance.now() < this.#fullUntil) return
    this.#options.log(reason)
    this.#fullUntil = performance.now() + fullForMs
    setTimeout(() => {
      if (this.#queue.length > 0 && this.#all.size < this.#options.connections) void this.#connect()
    }, fullForMs).unref?.()
  }
}
