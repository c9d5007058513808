import { EngineBusy } from '../../statement.ts'
import type { HostAddress } from './address.ts'
import type { Connection } from './connection.ts'
import { ConnectionPool } from './connection-pool.ts'
import { DatabaseError } from './database-error.ts'
import { explainConnectError } from './explain-error.ts'
import { HostLost } from './host-lost.ts'
import { HostWatch, type HostWatchOptions } from './host-watch.ts'
import type { Position } from './pages.ts'

export interface HostOptions extends Pick<HostWatchOptions, 'inspect' | 'readViews'> {
  /** Most connections for statements. */
  readonly connections: number
  readonly log: (message: string) => void
}

/** A host of the database: whether it answers, how far it has replayed the log, and its connections. */
export class Host {
  readonly name: string
  readonly #log: (message: string) => void
  readonly #pool: ConnectionPool
  readonly #watch: HostWatch
  #isUp = false
  #position: Position = { inRecovery: false, bytes: 0n }

  constructor(address: HostAddress, { connections, inspect, readViews, log }: HostOptions) {
    this.name = address.name
    this.#log = log
    this.#pool = new ConnectionPool(address, {
      connections,
      log,
      onUnreachable: (reason) => this.#down(reason),
    })
    this.#watch = new HostWatch(address.config, {
      inspect,
      readViews,
      onPosition: (position) => {
        this.observe(position)
        this.#up()
      },
      onLost: (error) => this.#down(explainConnectError(this.name, error)),
    })
  }

  /** Resolves once the host has answered. @throws DatabaseError that says why it cannot serve */
  start(): Promise<void> {
    return this.#watch.start().catch((error: unknown) => {
      throw new DatabaseError(explainConnectError(this.name, error), { cause: error })
    })
  }

  get isUp(): boolean {
    return this.#isUp
  }

  get position(): Position {
    return this.#position
  }

  /** Seconds since the newest change that a standby has replayed, if it has more to replay. */
  get lagSeconds(): number {
    return this.#watch.lagSeconds
  }

  get counts() {
    return this.#pool.counts
  }

  /** Statements that run and wait, for each connection. */
  get load(): number {
    return this.#pool.load
  }

  get hasPlace(): boolean {
    return this.#pool.hasPlace
  }

  /** Takes note of how far the host has replayed the log. */
  observe(position: Position): void {
    this.#position = position
  }

  /**
   * A connection for a statement of an owner.
   *
   * @throws HostLost, or EngineBusy if none becomes free in time
   */
  async acquire(owner: string, signal: AbortSignal): Promise<Connection> {
    signal.throwIfAborted()
    if (!this.#isUp) throw new HostLost(`${this.name} is not reachable.`)
    return this.#pool.acquire(owner, signal)
  }

  /** Gives a connection back, and the time for which its statement used it. */
  release(connection: Connection, owner: string, ms: number): void {
    this.#pool.release(connection, owner, ms)
  }

  async close(): Promise<void> {
    await this.#watch.close()
    this.#isUp = false
    this.#pool.shut(new EngineBusy('The server is closing.'))
  }

  #up(): void {
    if (!this.#isUp) this.#log(`The database at ${this.name} answers.`)
    this.#isUp = true
    this.#pool.open()
  }

  #down(reason: string): void {
    if (this.#isUp) this.#log(reason)
    this.#isUp = false
    this.#pool.shut(new HostLost(reason))
  }
}
