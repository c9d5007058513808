import { setTimeout as sleep } from 'node:timers/promises'
import type { EngineStatus } from '../../engine/pool/engine-status.ts'
import type { Page } from '../../engine/result/result.ts'
import { oneAfterTheOther } from '../../engine/result/several.ts'
import { viewChanges } from '../../engine/views/views.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import {
  type EngineSettings,
  type ExecuteOptions,
  type StatementResult,
  StatementTimeout,
} from '../../statement.ts'
import { parseDatabaseUrl } from './connect/address.ts'
import type { Connection } from './connect/connection.ts'
import { ConnectionPool } from './connect/connection-pool.ts'
import { DatabaseError, RunAgain } from './errors.ts'
import { explainFailure, isHostFailure, refused, unusable } from './connect/failures.ts'
import type { Admitted } from './gate/admitted.ts'
import { Gate } from './gate/gate.ts'
import { Hosts } from './connect/hosts.ts'
import { inspectHost } from './inspect/inspect-host.ts'
import type { PostgresEngine, PostgresEngineOptions } from './options.ts'
import { pagesOf } from './statement/pages.ts'
import { planOf, type PlanOptions } from './statement/plan.ts'
import { SeenPosition } from './statement/position.ts'
import { StatementRun } from './statement/statement-run.ts'

/** How long a statement runs again before it is given up, and the pause between two tries, in milliseconds. */
const [runAgainMs, pauseMs] = [5_000, 50]

/** The engine behind {@link createPostgresEngine}. */
export class Engine implements PostgresEngine {
  readonly #schema: string
  readonly #timeLimitMs: number
  readonly #hosts: Hosts
  readonly #pool: ConnectionPool
  readonly #gate: Gate
  readonly #planOptions: PlanOptions
  #lost = 0
  #hasStarted = false

  constructor(options: PostgresEngineOptions) {
    const { url, schema = 'public', connections = 8, log = () => {} } = options
    const { timeLimitMs = 30_000, readerLimitMs = 60_000 } = options
    const addresses = parseDatabaseUrl(url)
    this.#schema = schema
    this.#timeLimitMs = timeLimitMs
    this.#gate = new Gate(schema, timeLimitMs)
    const seen = addresses.length > 1 ? new SeenPosition() : undefined
    const said = new Set<string>()
    this.#hosts = new Hosts({
      addresses,
      log,
      inspect: async (client, host) => {
        const { rights, lacking, columns } = await inspectHost(client, host, this.#planOptions)
        // later, the other views are still answered
        if (lacking !== undefined && !this.#hasStarted) throw new DatabaseError(lacking)
        if (!said.has(rights)) log(rights)
        said.add(rights)
        this.#gate.columns = columns
        return lacking
      },
    })
    this.#pool = new ConnectionPool(this.#hosts, connections, readerLimitMs)
    this.#planOptions = { timeLimitMs, readerLimitMs, schema, seen }
  }

  async start(): Promise<void> {
    await Promise.all([this.#pool.start(), this.#gate.ready()])
    this.#hasStarted = true
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const { settings = defaultSettings, overlay, signal } = options
    signal.throwIfAborted()
    if (overlay) throw refused('Sessions cannot have rows of their own here')
    if (settings !== defaultSettings && viewChanges(settings).length > 0)
      throw refused('Variants that change the rows are not possible here')
    const { statements, ms } = await this.#gate.admit(statement, options)
    const schema = statements.some(({ hasSchemas }) => hasSchemas) ? undefined : this.#schema
    let startedAt: number | undefined
    let againUntil: number | undefined
    let failure: unknown
    let [losses, lostAt] = [0, -Infinity]
    for (;;) {
      const connection = await this.#acquire(options, startedAt, failure)
      startedAt ??= performance.now() - ms
      try {
        return await this.#run(
          connection,
          statements,
          settings,
          { ...options, limitShiftMs: this.#left(options, startedAt) - this.#timeLimitMs },
          schema,
        )
      } catch (error) {
        failure = error
        if (error instanceof RunAgain) {
          againUntil ??= performance.now() + runAgainMs
          if (performance.now() > againUntil) throw explainFailure(error, schema)
          await sleep(pauseMs)
        } else {
          // a connection that is older than the last loss was lost with it
          if (!connection.isLost || connection.openedAt > lostAt) losses++
          lostAt = performance.now()
          if (!isHostFailure(error) || losses > this.#hosts.count) throw explainFailure(error, schema)
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
      throw explainFailure(failure, this.#schema)
    }
  }

  async #run(
    connection: Connection,
    statements: readonly Admitted[],
    settings: EngineSettings,
    options: ExecuteOptions,
    schema: string | undefined,
  ): Promise<StatementResult> {
    const { owner = '', signal } = options
    const started = performance.now()
    const release = () => {
      if (connection.isLost) this.#lost++
      this.#pool.release(connection, owner, performance.now() - started)
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
    const { columns, isRepeatable } = first
    return { columns, isRepeatable, chunks: first.last ? first.chunks : this.#rest(run, first, schema) }
  }

  async *#rest(run: StatementRun, first: Page, schema: string | undefined): AsyncGenerator<Uint8Array> {
    try {
      for (let page = first; ; page = await run.nextPage()) {
        yield* page.chunks
        if (page.last) return
      }
    } catch (error) {
      throw explainFailure(error, schema)
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
    await this.#gate.close()
  }
}
