import type { EngineStatus } from '../../engine/pool/engine-status.ts'
import type { Page } from '../../engine/result/result.ts'
import { oneAfterTheOther } from '../../engine/result/several.ts'
import { changeRows, viewChanges } from '../../engine/views/views.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import {
  type EngineSettings,
  type ExecuteOptions,
  type StatementResult,
  StatementTimeout,
} from '../../statement.ts'
import type { Reading } from '../../syntax/reading.ts'
import { Analyst } from './analysis/analyst.ts'
import { parseDatabaseUrl } from './connect/address.ts'
import type { Connection } from './connect/connection.ts'
import { ConnectionPool } from './connect/connection-pool.ts'
import { explainFailure, impossible, isHostFailure, unusable } from './connect/failures.ts'
import { Hosts } from './connect/hosts.ts'
import { DatabaseError } from './errors.ts'
import { inspectHost } from './inspect/inspect-host.ts'
import { defaultSchema, type PostgresEngine, type PostgresEngineOptions } from './options.ts'
import { pagesOf, type PagesOptions } from './statement/pages.ts'
import { StatementRun } from './statement/statement-run.ts'

/** With several hosts, one that does not begin a transaction within this time, in milliseconds, is lost. */
const beginsWithinMs = 3_000

/** The engine behind {@link createPostgresEngine}. */
export class Engine implements PostgresEngine {
  readonly #timeLimitMs: number
  readonly #hosts: Hosts
  readonly #pool: ConnectionPool
  readonly #analyst: Analyst
  readonly #pagesOptions: PagesOptions
  #hasStarted = false

  constructor(options: PostgresEngineOptions) {
    const { url, schema = defaultSchema, connections = 8, log = () => {} } = options
    const { timeLimitMs = 30_000, readerLimitMs = 60_000 } = options
    const addresses = parseDatabaseUrl(url)
    this.#timeLimitMs = timeLimitMs
    this.#pagesOptions = {
      timeLimitMs,
      readerLimitMs,
      schema,
      beginsWithinMs: addresses.length > 1 ? beginsWithinMs : undefined,
    }
    this.#analyst = new Analyst(timeLimitMs, log)
    const said = new Set<string>()
    this.#hosts = new Hosts({
      addresses,
      log,
      inspect: async (client, host) => {
        const { rights, lacking, facts } = await inspectHost(client, host, this.#pagesOptions)
        // later, the other views are still answered
        if (lacking !== undefined && !this.#hasStarted) throw new DatabaseError(lacking)
        if (!said.has(rights)) log(rights)
        said.add(rights)
        await this.#analyst.learn(facts)
        return lacking
      },
    })
    this.#pool = new ConnectionPool(this.#hosts, { size: connections, readerLimitMs })
  }

  async start(): Promise<void> {
    await this.#pool.start()
    this.#hasStarted = true
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const { settings = defaultSettings, owner = '', overlay, signal, limitShiftMs = 0 } = options
    signal.throwIfAborted()
    if (overlay) throw impossible('Sessions cannot have rows of their own here')
    if (settings !== defaultSettings && changeRows(viewChanges(settings)))
      throw impossible('Variants that change the rows are not possible here')
    const { statements, ms } = await this.#analyst.analyse(statement, options)
    let connection = await this.#pool.acquire(owner, signal, this.#timeLimitMs)
    const startedAt = performance.now() - ms
    // one that runs again has what is left of its time limit
    const shiftMs = () => limitShiftMs - (performance.now() - startedAt)
    for (let losses = 1; ; losses++) {
      try {
        return await this.#run(connection, statements, settings, { ...options, limitShiftMs: shiftMs() })
      } catch (error) {
        if (!isHostFailure(error) || losses > this.#hosts.count) throw explainFailure(error)
      }
      connection = await this.#pool.acquire(owner, signal, this.#timeLimitMs + shiftMs())
    }
  }

  async #run(
    connection: Connection,
    statements: readonly Reading[],
    settings: EngineSettings,
    options: ExecuteOptions,
  ): Promise<StatementResult> {
    const { owner = '', signal } = options
    const release = () => this.#pool.release(connection, owner)
    if (signal.aborted) {
      release()
      throw signal.reason
    }
    const results = statements.map((one) => pagesOf(connection, one, settings, this.#pagesOptions))
    const pages = results.length === 1 ? results[0]! : oneAfterTheOther(results, statements)
    const limits = { timeLimitMs: this.#timeLimitMs, readers: this.#pool.readers }
    const run = new StatementRun(connection, pages, limits, options, release)
    const first = await run.nextPage().catch((error: unknown) => {
      throw error instanceof StatementTimeout && connection.waits ? unusable(error) : error
    })
    return { columns: first.columns, chunks: first.last ? first.chunks : this.#rest(run, first) }
  }

  async *#rest(run: StatementRun, first: Page): AsyncGenerator<Uint8Array> {
    try {
      for (let page = first; ; page = await run.nextPage()) {
        yield* page.chunks
        if (page.last) return
      }
    } catch (error) {
      throw explainFailure(error)
    } finally {
      run.stop(new Error('The reader of the rows disconnected.'))
    }
  }

  status(): EngineStatus {
    const { problem } = this.#hosts
    return { ...this.#pool.status, ...(problem !== undefined && { problem }) }
  }

  async close(): Promise<void> {
    this.#pool.close()
    await this.#analyst.close()
  }
}
