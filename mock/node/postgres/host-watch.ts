import pg from 'pg'
import type { Position } from './pages.ts'
import { position } from './preamble.ts'

/** Runs a query of this package on the connection that watches a host. */
export type Watched = (text: string, values?: readonly unknown[]) => Promise<readonly unknown[][]>

export interface HostWatchOptions {
  /** Looks at a host that has become reachable. @throws Error if it must not serve */
  readonly inspect: (query: Watched) => Promise<void>
  /** Called every second: a load may have replaced the views. @throws Error if the host must not serve */
  readonly readViews: (query: Watched) => Promise<void>
  /** Called every second, and first when the host has become reachable. */
  readonly onPosition: (position: Position) => void
  /** The host does not answer, or must not serve. */
  readonly onLost: (error: unknown) => void
}

/** How often a host is asked, how long it may take to answer, and the pause before it is tried again, in milliseconds. */
const [intervalMs, answerWithinMs, retryMs] = [1_000, 3_000, 500]

const status = `${position},
  CASE WHEN pg_last_wal_receive_lsn() > pg_last_wal_replay_lsn()
    THEN extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp()) ELSE 0 END::float8`

/** Knows whether a host answers and how far it is, over one connection of its own. */
export class HostWatch {
  readonly #config: pg.ClientConfig
  readonly #options: HostWatchOptions
  #lagSeconds = 0
  #closed = false
  #client: pg.Client | undefined
  #wake = () => {}

  constructor(config: pg.ClientConfig, options: HostWatchOptions) {
    this.#config = { ...config, query_timeout: answerWithinMs }
    this.#options = options
  }

  get lagSeconds(): number {
    return this.#lagSeconds
  }

  /** Resolves with the first answer of the host. @throws Error why it has none; the host is tried again anyway */
  start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const { onPosition, onLost } = this.#options
      void this.#watch(
        (position) => {
          onPosition(position)
          resolve()
        },
        (error) => {
          onLost(error)
          reject(error as Error)
        },
      )
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#wake()
    await this.#client?.end().catch(() => {})
  }

  async #watch(
    onPosition: HostWatchOptions['onPosition'],
    onLost: HostWatchOptions['onLost'],
  ): Promise<void> {
    while (!this.#closed) {
      const client = new pg.Client(this.#config)
      this.#client = client
      // the running query fails too
      client.on('error', () => this.#wake())
      let hasAnswered = false
      try {
        await client.connect()
        const query: Watched = async (text, values) =>
          (await client.query({ text, values: values && [...values], rowMode: 'array' })).rows as unknown[][]
        await this.#options.inspect(query)
        while (!this.#closed) {
          await this.#options.readViews(query)
          const [[inRecovery, bytes, lag] = []] = await query(status)
          this.#lagSeconds = Number(lag)
          hasAnswered = true
          onPosition({ inRecovery: inRecovery === true, bytes: BigInt(bytes as string) })
          await this.#pause(intervalMs)
        }
      } catch (error) {
        // a pooler may end an idle connection: one that answered is tried again at once
        if (!this.#closed && !hasAnswered) onLost(error)
      }
      void client.end().catch(() => {})
      if (!this.#closed && !hasAnswered) await this.#pause(retryMs)
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref?.()
      this.#wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
