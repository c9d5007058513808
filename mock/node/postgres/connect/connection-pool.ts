import { setTimeout as sleep } from 'node:timers/promises'
import { StalledReaders } from '../../../engine/pool/stalled-readers.ts'
import { StatementQueue } from '../../../engine/pool/statement-queue.ts'
import { EngineBusy } from '../../../statement.ts'
import type { Connection } from './connection.ts'
import { unusable } from './failures.ts'
import type { Hosts } from './hosts.ts'

/** How long statements wait for a host while there is none, and the pause between two tries, in milliseconds. */
const [hostlessMs, retryMs] = [5_000, 250]

/** A connection is used for this long, in milliseconds: a new one notices rights that have changed. */
const maxAgeMs = 5 * 60_000

export interface PoolOptions {
  /** The most connections. */
  readonly size: number
  /** Longest time in milliseconds that a connection waits for the reader of its rows. */
  readonly readerLimitMs: number
}

/** The connections to the host that answers. A statement waits for its turn, then takes a free connection or opens one. */
export class ConnectionPool {
  readonly #hosts: Hosts
  /** The readers of the rows that the connections send. */
  readonly readers: StalledReaders
  readonly #queue: StatementQueue<number>
  /** The number of statements that have their turn. */
  #running = 0
  readonly #all = new Set<Connection>()
  readonly #free = new Set<Connection>()
  #ended = 0
  #isClosed = false

  constructor(hosts: Hosts, { size, readerLimitMs }: PoolOptions) {
    this.#hosts = hosts
    this.#queue = new StatementQueue(size, () => (this.#running < size ? ++this.#running : undefined))
    this.readers = new StalledReaders(readerLimitMs, () => this.#queue.length)
  }

  get status() {
    const [idle, waiting] = [this.#free.size, this.#queue.length]
    const busy = this.#all.size - idle
    return {
      idle,
      busy,
      starting: this.#running - busy,
      waiting,
      ended: { 'connection-closed': this.#ended },
    }
  }

  /** Opens the first connection. @throws DatabaseError if no host may answer */
  async start(): Promise<void> {
    this.#free.add(await this.#open())
  }

  /** Ends all connections; statements that wait for one fail. */
  close(): void {
    this.#isClosed = true
    this.#queue.rejectAll(closing())
    for (const connection of this.#all) connection.close()
  }

  /**
   * A connection for a statement of an owner, until {@link release}.
   *
   * @throws EngineBusy if none becomes free in time; its cause says why none can be opened
   */
  async acquire(owner: string, signal: AbortSignal, maxWaitMs: number): Promise<Connection> {
    if (this.#isClosed) throw closing()
    const until = performance.now() + maxWaitMs
    const turn = this.#queue.take({ owner, maxWaitMs, signal })
    this.readers.makeRoom()
    await turn
    try {
      return await this.#connection(signal, until)
    } catch (error) {
      this.#endTurn(owner)
      throw error
    }
  }

  /** Gives a connection back. */
  release(connection: Connection, owner: string): void {
    // the free ones may have been lost with it
    if (connection.isLost) for (const other of this.#free) other.close()
    else if (connection.isCancelled) connection.close()
    else this.#free.add(connection)
    if (connection.isLost) this.#ended++
    this.#endTurn(owner)
  }

  #endTurn(owner: string): void {
    this.#running--
    this.#queue.release(owner)
    this.#queue.serve()
  }

  async #connection(signal: AbortSignal, until: number): Promise<Connection> {
    const hostlessUntil = performance.now() + hostlessMs
    for (;;) {
      signal.throwIfAborted()
      const free = this.#takeFree()
      if (free) return free
      try {
        return await this.#open()
      } catch (error) {
        // while there are others, the server may have no more connections
        const last = this.#all.size > 0 ? until : Math.min(until, hostlessUntil)
        if (performance.now() > last || this.#isClosed) throw unusable(error)
      }
      await sleep(retryMs)
    }
  }

  /** One that a statement may use. Those that are old, or of a host that no longer answers statements, are closed. */
  #takeFree(): Connection | undefined {
    for (const connection of this.#free) {
      this.#free.delete(connection)
      const isOld = performance.now() - connection.openedAt > maxAgeMs
      if (!isOld && connection.host === this.#hosts.current) return connection
      connection.close()
    }
    return undefined
  }

  async #open(): Promise<Connection> {
    const connection = await this.#hosts.connect()
    if (this.#isClosed) connection.close()
    if (connection.isLost) throw closing()
    this.#all.add(connection)
    connection.onEnd = () => {
      this.#all.delete(connection)
      this.#free.delete(connection)
    }
    return connection
  }
}

const closing = () => new EngineBusy('The server is closing.')
