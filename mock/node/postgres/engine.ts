import { setTimeout as sleep } from 'node:timers/promises'
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
import { parseDatabaseUrl } from './connect/address.ts'
import type { Connection } from './connect/connection.ts'
import { ConnectionPool } from './connect/connection-pool.ts'
import { Analyst } from './analysis/analyst.ts'
import { DatabaseError, RunAgain } from './errors.ts'
import { explainFailure, impossible, isHostFailure, unusable } from './connect/failures.ts'
import { Hosts } from './connect/hosts.ts'
import { inspectHost } from './inspect/inspect-host.ts'
import { defaultSchema, type PostgresEngine, type PostgresEngineOptions } from './options.ts'
import { pagesOf } from './statement/pages.ts'
import { planOf, type PlanOptions } from './statement/plan.ts'
import { SeenPosition } from './statement/position.ts'
import { StatementRun } from './statement/statement-run.ts'

/** How long a statement runs again before it is given up, and the pause between two tries, in milliseconds. */
const [runAgainMs, pauseMs] = [5_000, 50]

/** The engine behind {@link createPostgresEngine}. */
export class Engine implements PostgresEngine {
  readonly #timeLimitMs: number
  readonly #hosts: Hosts
  readonly #pool: ConnectionPool
  readonly #analyst: Analyst
  readonly #planOptions: PlanOptions
  #lost = 0
  #hasStarted = false

  constructor(options: PostgresEngineOptions) {
    const { url, schema = defaultSchema, connections = 8, log = () => {} } = options
    const { timeLimitMs = 30_000, readerLimitMs = 60_000 } = options
    const addresses = parseDatabaseUrl(url)
    this.#timeLimitMs = timeLimitMs
    this.#analyst = new Analyst(timeLimitMs, log)
    const seen = addresses.length > 1 ? new SeenPosition() : undefined
    const said = new Set<string>()
    this.#hosts = new Hosts({
      addresses,
      log,
      inspect: async (client, host) => {
        const { rights, lacking, facts } = await inspectHost(client, host, this.#planOptions)
        // later, the other views are still answered
        if (lacking !== undefined && !this.#hasStarted) throw new DatabaseError(lacking)
        if (!said.has(rights)) log(rights)
        said.add(rights)
        await this.#analyst.learn(facts)
        return lacking
      },
    })
    this.#pool = new ConnectionPool(this.#hosts, {
      size: connections,
      maxWaitMs: timeLimitMs,
      readerLimitMs,
    })
    this.#planOptions = { timeLimitMs, readerLimitMs, schema, seen }
  }

  async start(): Promise<void> {
    await this.#pool.start()
    this.#hasStarted = true
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const { settings = defaultSettings, overlay, signal } = options
    signal.throwIfAborted()
    if (overlay) throw impossible('Sessions cannot have rows of their own here')
    if (settings !== defaultSettings && changeRows(viewChanges(settings)))
      throw impossible('Variants that change the rows are not possible here')
    const { statements, ms } = await this.#analyst.analyse(statement, options)
    let startedAt: number | undefined
    let againUntil: number | undefined
    let failure: unknown
    let [losses, lostAt] = [0, -Infinity]
    for (;;) {
      const connection = await this.#acquire(options, startedAt, failure)
      startedAt ??= performance.now() - ms
      try {
        return await this.#run(connection, statements, settings, {
          ...options,
          limitShiftMs: this.#left(options, startedAt) - this.#timeLimitMs,
        })
      } catch (error) {
        failure = error
        if (error instanceof RunAgain) {
          againUntil ??= performance.now() + runAgainMs
          if (performance.now() > againUntil) throw explainFailure(error)
          await sleep(pauseMs)
        } else {
          // a connection that is older than the last loss was lost with it
          if (!connection.isLost || connection.openedAt > lostAt) losses++
          lostAt = performance.now()
          if (!isHostFailure(error) || losses > this.#hosts.count) throw explainFailure(error)
        }
      }
    }
  }

  /** What is left of the time limit, in milliseconds. A statement that runs again has that of its request. */
  #left({ limitShiftMs = 0 }: ExecuteOptions, startedAt: number): number {
    return this.#timeLimitMs + limitShiftMs - (performance.now() - startedAt)
  }

  /** @param failure why a statement that has started runs again */
  async #acquire(
    options: ExecuteOptions,
    startedAt: number | undefined,
    failure: unknown,
  ): Promise<Connection> {
    const { owner = '', signal } = options
    if (startedAt === undefined) return this.#pool.acquire(owner, signal)
    const limit = AbortSignal.timeout(
      Math.min(Math.max(Math.ceil(this.#left(options, startedAt)), 0), 2 ** 31 - 1),
    )
    try {
      return await this.#pool.acquire(owner, AbortSignal.any([signal, limit]))
    } catch (error) {
      if (signal.aborted || !limit.aborted) throw error
      // the host took the time, not the statement
      throw explainFailure(failure)
    }
  }

  async #run(
    connection: Connection,
    statements: readonly Reading[],
    settings: EngineSettings,
    options: ExecuteOptions,
  ): Promise<StatementResult> {
    const { owner = '', signal } = options
    const release = () => {
      if (connection.isLost) this.#lost++
      this.#pool.release(connection, owner)
    }
    if (signal.aborted) {
      release()
      throw signal.reason
    }
    const plans = statements.map((one) => planOf(one, settings, this.#planOptions))
    const results = plans.map((plan) => pagesOf(connection, plan))
    const pages = results.length === 1 ? results[0]! : oneAfterTheOther(results, statements)
    const limits = { timeLimitMs: this.#timeLimitMs, readers: this.#pool.readers }
    const run = new StatementRun(connection, pages, limits, options, release)
    const first = await run.nextPage().catch((error: unknown) => {
      const hasBegun = plans[0]!.opened.hasArrived
      throw error instanceof StatementTimeout && !hasBegun ? unusable(error) : error
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
    return {
      ...this.#pool.counts,
      ended: { 'connection-closed': this.#lost },
      ...(problem !== undefined && { problem }),
    }
  }

  async close(): Promise<void> {
    this.#pool.close()
    await this.#analyst.close()
  }
}
