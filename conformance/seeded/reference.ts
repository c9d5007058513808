import { contract } from '../../schemas/index.ts'
import { Client } from '../connection/http/client.ts'
import { Limits } from '../connection/http/limits.ts'
import { describeReply, readReply, type Reply } from '../connection/http/reply.ts'
import { Tokens } from '../connection/http/tokens.ts'
import type { Results } from '../search/results/results.ts'
import type { Asked, RowSource, SideBySide } from '../search/side-by-side.ts'

/** The reference: a correct server with the expected rows. The suite knows only its replies. */
export interface ReferenceServer {
  baseUrl: string
  token: string | null
  fetch: typeof fetch
  /** The simulated plant. */
  seed: number
  scale: number
}

/** A comparison with the reference. */
export type WithReference = SideBySide<ReferenceClient>

/** Sends statements to the reference. Caches the latest replies, because shrinking repeats many statements. */
export class ReferenceClient implements RowSource {
  readonly server: ReferenceServer
  readonly #client: Client
  readonly #cache = new Map<string, Promise<Reply>>()

  /** @param signal aborts when the run ends */
  constructor(server: ReferenceServer, timeoutMs: number, signal: AbortSignal) {
    this.server = server
    this.#client = new Client({
      baseUrl: server.baseUrl,
      path: contract.endpoint.path,
      tokens: new Tokens(server.token, undefined, () => {}),
      headers: {},
      fetch: server.fetch,
      timeoutMs,
      retries: 0,
      limits: new Limits({ maxDurationMs: Infinity, maxMemory: Infinity, signal }),
    })
  }

  ask(sql: string): Promise<Reply> {
    const known = this.#cache.get(sql)
    if (known) return known
    const asked = this.#client.statement(sql).then(readReply)
    this.#cache.set(sql, asked)
    if (this.#cache.size > CACHED_REPLIES) this.#cache.delete(this.#cache.keys().next().value!)
    return asked
  }

  /**
   * The rows of a statement that must succeed.
   *
   * @throws Error when it fails, which is a bug of the suite
   */
  async rows(sql: string): Promise<Reply['data']> {
    const reply = await this.ask(sql)
    if (!reply.ok) throw new Error(`The reference server answered \`${sql}\` with ${describeReply(reply)}`)
    return reply.data
  }

  async expected({ sql }: Asked): Promise<{ rows: Reply['data'] } | { unknown: string }> {
    const reply = await this.ask(sql)
    return reply.ok ? { rows: reply.data } : { unknown: `the reference sent ${describeReply(reply)}` }
  }

  /** A round number of rows suggests a cap on rows (rows.max). */
  async excuse(
    _asked: Asked,
    _reply: Reply,
    { expected, actual, chosen }: Results,
  ): Promise<string | undefined> {
    const { length } = actual
    const looksCapped = length >= 100 && length % 100 === 0 && length < (chosen ?? expected.length)
    return looksCapped ? 'a round number of rows suggests a cap on rows' : undefined
  }

  /** The command that exports the rows of the reference. */
  get exportCommand(): string {
    const { seed, scale } = this.server
    return `bioprocess-sql fixtures export --seed ${seed} --scale ${scale} --format ndjson --out plant`
  }
}

const CACHED_REPLIES = 64
