import type { EngineStatus } from '../../engine/pool/engine-status.ts'
import type { Page } from '../../engine/result.ts'
import { oneAfterTheOther } from '../../engine/several.ts'
import { SpareMemory } from '../../engine/spare-memory.ts'
import { viewChanges } from '../../engine/views.ts'
import { defaultSettings } from '../../open-points/default-settings.ts'
import type { EngineSettings, ExecuteOptions, StatementResult } from '../../statement.ts'
import { parseDatabaseUrl } from './address.ts'
import type { Connection } from './connection.ts'
import { explainFailure, isHostFailure, refused } from './failures.ts'
import type { Admitted } from './gate/admitted.ts'
import { Gate } from './gate/gate.ts'
import { Host } from './host.ts'
import { Hosts } from './hosts.ts'
import type { PostgresEngine, PostgresEngineOptions } from './options.ts'
import { findViews, inspectHost } from './inspect-host.ts'
import { LiveDatabase } from './live/live-database.ts'
import { pagesOf } from './pages.ts'
import { Plans, TooEarly } from './plans.ts'
import { StatementRun } from './statement-run.ts'

/** How long a statement waits for a host that may answer it, in milliseconds. */
const maxWaitMs = 5_000

/** The engine behind {@link createPostgresEngine}. */
export class Engine implements PostgresEngine {
  readonly #options: Required<Omit<PostgresEngineOptions, 'url' | 'owner' | 'version' | 'live'>>
  readonly #hosts: Hosts
  readonly #gate: Gate
  readonly #memory = new SpareMemory()
  readonly #plans: Plans
  readonly #live: LiveDatabase | undefined
  #lost = 0

  constructor({
    url,
    schema = 'public',
    connections = 8,
    timeLimitMs = 30_000,
    readerLimitMs = 60_000,
    log = () => {},
    owner,
    version,
    live,
  }: PostgresEngineOptions) {
    const { hosts, kind } = parseDatabaseUrl(url)
    this.#options = { schema, connections, timeLimitMs, readerLimitMs, log }
    const all = hosts.map((address) => {
      const host: Host = new Host(address, {
        connections,
        log,
        inspect: async (query) => {
          const { views, promises } = await inspectHost(host.name, query, this.#options)
          if (this.#plans.know(host, views)) for (const promise of promises) log(promise)
        },
        readViews: async (query) => {
          this.#plans.know(host, await findViews(host.name, query, schema))
        },
      })
      return host
    })
    this.#hosts = new Hosts(all, kind)
    this.#plans = new Plans(this.#options, this.#hosts, this.#memory)
    this.#gate = new Gate(schema)
    if (live && owner !== undefined)
      this.#live = new LiveDatabase({ ...live, url: owner, schema, version, log })
  }

  async start(): Promise<void> {
    const { all } = this.#hosts
    const started = await Promise.allSettled(all.map((host) => host.start()))
    const failures = started.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
    if (failures.length === all.length) throw failures[0]
    for (const { message } of failures) this.#options.log(`${message} The other hosts serve.`)
    await this.#live?.start()
  }

  async execute(statement: string, options: ExecuteOptions): Promise<StatementResult> {
    const { settings = defaultSettings, owner = '', signal, overlay } = options
    signal.throwIfAborted()
    if (overlay) throw refused('Sessions cannot have rows of their own here')
    if (settings !== defaultSettings && viewChanges(settings).length > 0)
      throw refused('Variants that change the rows are not possible here')
    const statements = await this.#gate.admit(statement, settings)
    const tried = new Set<Host>()
    const until = performance.now() + maxWaitMs
    for (let failures = 0; ;) {
      const host = await this.#hosts.choose(owner, tried, until, signal)
      try {
        return await this.#run(host, statements, settings, options)
      } catch (error) {
        if (error instanceof TooEarly) tried.add(host)
        else if (isHostFailure(error) && failures++ < this.#hosts.all.length) tried.add(host)
        else throw explainFailure(error, this.#options.timeLimitMs)
        signal.throwIfAborted()
      }
    }
  }

  async #run(
    host: Host,
    statements: readonly Admitted[],
    settings: EngineSettings,
    options: ExecuteOptions,
  ): Promise<StatementResult> {
    const { owner = '', signal } = options
    const connection = await host.acquire(owner, signal)
    const started = performance.now()
    if (signal.aborted) {
      host.release(connection, owner, 0)
      throw signal.reason
    }
    const results = statements.map((one) => pagesOf(connection, this.#plans.of(host, one, settings, owner)))
    const pages = results.length === 1 ? results[0]! : oneAfterTheOther(results, statements)
    const run = new StatementRun(connection, pages, this.#options, options, this.#memory, () =>
      this.#release(host, connection, owner, performance.now() - started),
    )
    const first = await run.nextPage()
    const { columns, isRepeatable } = first
    return { columns, isRepeatable, chunks: first.last ? first.chunks : this.#rest(run, first) }
  }

  async *#rest(run: StatementRun, first: Page): AsyncGenerator<Uint8Array> {
    try {
      for (let page = first; ; page = await run.nextPage(page)) {
        yield* page.chunks
        if (page.last) return
      }
    } catch (error) {
      throw explainFailure(error, this.#options.timeLimitMs)
    } finally {
      run.stop(new Error('The reader of the rows disconnected.'))
    }
  }

  #release(host: Host, connection: Connection, owner: string, ms: number): void {
    if (connection.isLost) this.#lost++
    host.release(connection, owner, ms)
  }

  status(): EngineStatus {
    const counts = this.#hosts.all.map((host) => host.counts)
    const sum = (name: keyof Host['counts']) => counts.reduce((total, count) => total + count[name], 0)
    return {
      idle: sum('idle'),
      busy: sum('busy'),
      starting: sum('starting'),
      waiting: sum('waiting'),
      ended: { 'connection-closed': this.#lost },
      hosts: this.#hosts.all.map((host) => ({
        name: host.name,
        isUp: host.isUp,
        inRecovery: host.position.inRecovery,
        lagBytes: Number(this.#hosts.lagBytes(host)),
        lagSeconds: host.lagSeconds,
      })),
    }
  }

  plantTime(): string | undefined {
    return this.#live?.now
  }

  async close(): Promise<void> {
    await this.#live?.close()
    await Promise.all([...this.#hosts.all.map((host) => host.close()), this.#gate.close()])
  }
}
