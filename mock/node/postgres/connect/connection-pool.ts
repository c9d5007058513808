import { StalledReaders } from '../../../engine/pool/stalled-readers.ts'
import { StatementQueue } from '../../../engine/pool/statement-queue.ts'
import { EngineBusy } from '../../../statement.ts'
import { unusable } from './failures.ts'
import type { Connection } from './connection.ts'
import type { Hosts } from './hosts.ts'

/** The pause after a connection could not be opened, in milliseconds. */
const retryMs = 250

/** A connection is used for this long, in milliseconds: a new one notices rights that have changed. */
const maxAgeMs = 5 * 60_000

/** The connections to the host that answers, and the statements that wait for one. */
export class ConnectionPool {
  readonly #hosts: Pick<Hosts, 'connect' | 'current'>
  readonly #size: number
  readonly #maxWaitMs: number
  readonly #queue: StatementQueue<Connection>
  /** The readers of the rows that the connections send. */
  readonly readers: StalledReaders
  readonly #all = new Set<Connection>()
  readonly #free: Connection[] = []
  #opening = 0
  #retry: NodeJS.Timeout | undefined
  #failure: unknown
  #isClosed = false

  /**
   * @param size the most connections
   * @param maxWaitMs longest time in milliseconds that a statement waits for a connection
   * @param readerLimitMs longest time in milliseconds that a connection waits for the reader of its rows
   */
  constructor(
    hosts: Pick<Hosts, 'connect' | 'current'>,
    { size, maxWaitMs, readerLimitMs }: { size: number; maxWaitMs: number; readerLimitMs: number },
  ) {
    this.#hosts = hosts
    this.#size = size
    this.#maxWaitMs = maxWaitMs
    this.#queue = new StatementQueue(size, () => this.#takeFree())
    this.readers = new StalledReaders(readerLimitMs, () => this.#queue.length - this.#opening)
  }

  get counts() {
    const [idle, waiting] = [this.#free.length, this.#queue.length]
    return { idle, busy: this.#all.size - idle, starting: this.#opening, waiting }
  }

  /** Opens the first connection. @throws DatabaseError if no host may answer */
  async start(): Promise<void> {
    this.#add(await this.#hosts.connect())
  }

  /** Ends all connections; statements that wait for one fail. */
  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#queue.rejectAll(new EngineBusy('The server is closing.'))
    for (const connection of this.#all) connection.close()
  }

  /**
   * A connection for a statement of an owner.
   *
   * @throws EngineBusy if none becomes free in time; its cause says why none can be opened
   */
  async acquire(owner: string, signal: AbortSignal): Promise<Connection> {
    if (this.#isClosed) throw new EngineBusy('The server is closing.')
    const place = this.#queue.take({ owner, maxWaitMs: this.#maxWaitMs, signal })
    this.#grow()
    try {
      return await place
    } catch (error) {
      // with connections, they were busy
      const isLost = this.#failure !== undefined && this.#all.size === 0
      if (!(error instanceof EngineBusy) || !isLost) throw error
      throw unusable(this.#failure)
    }
  }

  /** Gives a connection back. */
  release(connection: Connection, owner: string): void {
    this.#queue.release(owner)
    if (!connection.isLost) this.#free.push(connection)
    this.#serve()
  }

  /** One that a statement may use. Those that are old, or of a host that no longer answers statements, are closed. */
  #takeFree(): Connection | undefined {
    for (;;) {
      const connection = this.#free.pop()
      if (!connection) return undefined
      const isOld = performance.now() - connection.openedAt > maxAgeMs
      if (!isOld && connection.host === this.#hosts.current) return connection
      connection.close()
    }
  }

  #serve(): void {
    this.#queue.serve()
    this.#grow()
  }

  /** Opens connections for the statements that wait, and takes those of stalled readers if there may be no more. */
  #grow(): void {
    while (
      this.#queue.length > this.#opening &&
      this.#all.size + this.#opening < this.#size &&
      !this.#retry &&
      !this.#isClosed
    )
      void this.#connect()
    this.readers.makeRoom()
  }

  async #connect(): Promise<void> {
    this.#opening++
    try {
      this.#add(await this.#hosts.connect())
      this.#failure = undefined
    } catch (error) {
      this.#failure = error
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        this.#grow()
      }, retryMs).unref?.()
    } finally {
      this.#opening--
      this.#serve()
    }
  }

  #add(connection: Connection): void {
    this.#all.add(connection)
    connection.onEnd = () => {
      this.#all.delete(connection)
      const at = this.#free.indexOf(connection)
      if (at >= 0) this.#free.splice(at, 1)
    }
    if (this.#isClosed) connection.close()
    if (connection.isLost) this.#all.delete(connection)
    else this.#free.push(connection)
  }
}
