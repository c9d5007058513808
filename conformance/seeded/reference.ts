import { contract } from '../../schemas/index.ts'
import { Client } from '../connection/client.ts'
import { Limits } from '../connection/limits.ts'
import { describeReply, readReply, type Reply } from '../connection/reply.ts'
import { Tokens } from '../connection/tokens.ts'

/** A server that answers every statement right, over the same rows. The suite knows it only by its answers. */
export interface ReferenceServer {
  baseUrl: string
  token: string | null
  fetch: typeof fetch
  /** Which of the simulated plants it holds. */
  seed: number
  scale: number
}

/** Asks the reference server, and keeps some of its latest answers: shrinking repeats many statements. */
export class ReferenceClient {
  readonly server: ReferenceServer
  readonly #client: Client
  readonly #kept = new Map<string, Promise<Reply>>()

  constructor(server: ReferenceServer, timeoutMs: number) {
    this.server = server
    this.#client = new Client({
      baseUrl: server.baseUrl,
      path: contract.endpoint.path,
      tokens: new Tokens(server.token, undefined, () => {}),
      headers: {},
      fetch: server.fetch,
      timeoutMs,
      retries: 0,
      limits: new Limits({ maxDurationMs: Infinity }),
    })
  }

  ask(sql: string): Promise<Reply> {
    const known = this.#kept.get(sql)
    if (known) return known
    const asked = this.#client.statement(sql).then(readReply)
    this.#kept.set(sql, asked)
    if (this.#kept.size > KEPT) this.#kept.delete(this.#kept.keys().next().value!)
    return asked
  }

  /**
   * The rows of a statement that has to run.
   *
   * @throws Error when it does not, which is a bug of the suite
   */
  async rows(sql: string): Promise<Reply['data']> {
    const reply = await this.ask(sql)
    if (!reply.ok) throw new Error(`The reference server answered \`${sql}\` with ${describeReply(reply)}`)
    return reply.data
  }

  /** The command that writes the rows the reference server holds to files. */
  get exportCommand(): string {
    const { seed, scale } = this.server
    return `bioprocess-sql fixtures export --seed ${seed} --scale ${scale} --format ndjson --out plant`
  }
}

const KEPT = 64
