import { EngineQueue } from '../../engine/pool/engine-queue.ts'
import { Usage } from '../../engine/pool/usage.ts'
import { EngineBusy } from '../../statement.ts'
import type { HostAddress } from './address.ts'
import { Connection } from './connection.ts'
import { DatabaseError } from './database-error.ts'
import { explainConnectError } from './explain-error.ts'
import { HostLost } from './host-lost.ts'
import { HostWatch, type Watched } from './host-watch.ts'
import type { Position } from './pages.ts'

/** SQLSTATE of a server without a free connection, and how long it is not asked for one then, in milliseconds. */
const [tooManyConnections, fullForMs] = ['53300', 1_000]

export interface HostOptions {
  /** Most connections for statements. */
  readonly connections: number
  /** Looks at a host that has become reachable. @throws Error if it must not serve */
  readonly inspect: (query: Watched) => Promise<void>
  readonly log: (message: string) => void
}

/** A host of the database: its connections, the statements that wait for one, and how far it has replayed the log. */
export class Host {
  readonly name: string
  readonly #address: HostAddress
  readonly #options: HostOptions
  readonly #queue = new EngineQueue<Connection>()
  readonly #usage = new Usage()
  readonly #all = new Set<Connection>()
  readonly #free: Connection[] = []
  readonly #watch: HostWatch
  #opening = 0
  #fullUntil = 0
  #isUp = false
  #position: Position = { inRecovery: false, bytes: 0n }

  constructor(address: HostAddress, options: HostOptions) {
    this.name = address.name
    this.#address = address
    this.#options = options
    this.#watch = new HostWatch(address.config, {
      inspect: options.inspect,
      onPosition: (position) => {
        this.observe(position)
        if (!this.#isUp) options.log(`The database at ${this.name} answers.`)
        this.#isUp = true
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
    const free = this.#queue.length === 0 ? this.#takeFree() : undefined
    if (free) return free
    const place = this.#queue.wait({ owner, isSlow: () => false }, signal)
    const isFull = performance.now() < this.#fullUntil
    if (this.#all.size + this.#opening < this.#options.connections && !isFull) void this.#open()
    return place
  }

  /** Gives a connection back, and the time for which its statement used it. */
  release(connection: Connection, owner: string, ms: number): void {
    this.#usage.add(owner, ms)
    if (!connection.isLost) this.#free.push(connection)
    else if (this.#queue.length > this.#opening) void this.#open()
    this.#serve()
  }

  async close(): Promise<void> {
    await this.#watch.close()
    this.#isUp = false
    this.#queue.rejectAll(new EngineBusy('The server is closing.'))
    for (const connection of this.#all) connection.close()
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

  async #open(): Promise<void> {
    this.#opening++
    try {
      const connection = await Connection.open(this.#address.config)
      this.#all.add(connection)
      connection.onEnd = () => {
        this.#all.delete(connection)
        const at = this.#free.indexOf(connection)
        if (at >= 0) this.#free.splice(at, 1)
      }
      if (this.#isUp) this.#free.push(connection)
      else connection.close()
    } catch (error) {
      if ((error as { code?: string }).code === tooManyConnections) this.#waitForPlace(error)
      else this.#down(explainConnectError(this.name, error))
    } finally {
      this.#opening--
      this.#serve()
    }
  }

  /** Statements wait for the connections that there are, or until the server has a place for another. */
  #waitForPlace(error: unknown): void {
    if (performance.now() < this.#fullUntil) return
    this.#options.log(explainConnectError(this.name, error))
    this.#fullUntil = performance.now() + fullForMs
    setTimeout(() => {
      if (this.#queue.length > 0 && this.#all.size < this.#options.connections) void this.#open()
    }, fullForMs).unref()
  }

  #down(reason: string): void {
    if (this.#isUp) this.#options.log(reason)
    this.#isUp = false
    const lost = new HostLost(reason)
    this.#queue.rejectAll(lost)
    for (const connection of this.#all) connection.close()
  }
}
