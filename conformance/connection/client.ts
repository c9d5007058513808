import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'
import { Pauses } from './pauses.ts'
import { deniesToken, Refusals } from './token-refusals.ts'
import type { Tokens } from './tokens.ts'
import { TransportError } from './transport-error.ts'
import { transfer } from './transport.ts'
import { untilAborted } from '../../schemas/until-aborted.ts'

export { TransportError } from './transport-error.ts'

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  baseUrl: string
  path: string
  /** What a request with a valid token carries. */
  tokens: Tokens
  headers: Record<string, string>
  fetch: typeof fetch
  /** Longest wait for a whole response, in milliseconds. */
  timeoutMs: number
  /** How often a request without any response is sent again. A 504 never is: the contract forbids it. */
  retries: number
  /** Ends the run early. */
  limits: Limits
}

export interface SendOptions {
  method?: string
  /** Replaces the endpoint's address. */
  url?: string
  /** Replaces the Authorization header; null leaves it out. */
  authorization?: string | null
  headers?: Record<string, string>
  /** Replaces the client's own number of retries. */
  retries?: number
  /** Replaces the client's own longest wait, in milliseconds. */
  timeoutMs?: number
  /** False takes a 429 or 503 as the answer, where Retry-After would be waited for. */
  retryAfter?: false
}

/** A statement that every target serves to whoever may read at all. */
export const PLAIN_STATEMENT = 'SELECT id FROM v_bioprocesses LIMIT 1'
/** How often one request is sent again because Retry-After asked for it. */
const MOST_PAUSES = 5
/** Plain statements that have to be refused before a token is taken for dead. */
const CONFIRMATIONS = 3
/** How long the last word of a target that fell silent is waited for, in milliseconds. */
const LAST_WORD_MS = 10_000

const isOwn = ({ authorization, url }: SendOptions): boolean =>
  authorization === undefined && url === undefined

/** Sends requests to one target and counts them. */
export class Client {
  readonly options: ClientOptions
  readonly pauses = new Pauses()
  /** What happened to requests with a valid token. */
  readonly refusals = new Refusals()
  /** Replies to requests with the valid token that say something about how many requests are allowed. */
  readonly limited: Exchange[] = []

  constructor(options: ClientOptions) {
    this.options = options
  }

  get endpoint(): string {
    return this.options.baseUrl + this.options.path
  }

  /** The valid token of the moment; null where the target asks for none. */
  get token(): string | null {
    return this.options.tokens.current
  }

  /** Requests sent to the endpoint, retries included. */
  get statements(): number {
    return this.options.limits.sent
  }

  /** Sends one statement in a well-formed body. */
  statement(sql: string, options: SendOptions = {}): Promise<Exchange> {
    return this.send(JSON.stringify({ statement: sql }), options)
  }

  /**
   * Sends a body as it is. Comes again when Retry-After says so, and with a new token when there is one.
   *
   * @throws TransportError when no response comes, after `retries` further attempts; at once where the target was
   * silent for as long as one waits. Stopped when the run is over.
   */
  async send(body: string, options: SendOptions = {}): Promise<Exchange> {
    const exchange = await this.#deliver(body, options)
    if (!deniesToken(exchange.response!.status) || !isOwn(options) || this.token === null) return exchange
    return this.#afterRefusal(exchange, options)
  }

  /** Sends a refused request again with the very token it carried: is that one dead, or refused by chance? */
  async sendAgain({ request: { body, headers } }: Exchange): Promise<void> {
    this.refusals.note(await this.#deliver(body, { authorization: headers['Authorization']! }))
  }

  /** Why the target does not answer the plainest statement, undefined where it does. Asked past the limits. */
  async whySilent(): Promise<string | undefined> {
    const timeoutMs = Math.min(this.options.timeoutMs, LAST_WORD_MS)
    const body = JSON.stringify({ statement: PLAIN_STATEMENT })
    for (let attempt = 0; ; attempt++) {
      try {
        this.options.limits.sent++
        await transfer(this.#request(body, {}), {
          ...this.options,
          timeoutMs,
          signal: new AbortController().signal,
        })
        return undefined
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        if (error.exhausting || attempt >= this.options.retries) return error.message
      }
    }
  }

  /**
   * With a new token the request is repeated once. Without one the refusal is the answer, unless the plainest
   * statement is refused as well by now: then the token is dead, and nothing that follows says anything.
   *
   * @throws Stopped when the token is dead
   */
  async #afterRefusal(exchange: Exchange, options: SendOptions): Promise<Exchange> {
    const { body, headers } = exchange.request
    let refused = exchange
    const { tokens, limits } = this.options
    const token = headers['Authorization']!.replace('Bearer ', '')
    if (await untilAborted(tokens.renew(token), limits.signal)) {
      refused = await this.#deliver(body, options)
      if (!deniesToken(refused.response!.status)) return refused
    }
    if (!this.refusals.everServed || (await this.#stillLetsIn())) return refused
    limits.stop(
      `the target refuses the token by now (HTTP ${refused.response!.status}); pass one that lives longer, or --token-command to renew it`,
    )
    // no check may take this refusal for an answer
    throw limits.signal.reason
  }

  async #stillLetsIn(): Promise<boolean> {
    const body = JSON.stringify({ statement: PLAIN_STATEMENT })
    for (let n = 0; n < CONFIRMATIONS; n++)
      if (!deniesToken((await this.#deliver(body, {})).response!.status)) return true
    return false
  }

  /** Sends a request until it is answered, or will not be. */
  async #deliver(body: string, options: SendOptions): Promise<Exchange> {
    const { limits, timeoutMs, retries } = this.options
    const transport = {
      fetch: this.options.fetch,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: limits.signal,
    }
    for (let [attempt, paused] = [0, 0]; ;) {
      if (options.retryAfter !== false) await this.pauses.over(limits.signal)
      try {
        limits.count()
        const exchange = await transfer(this.#request(body, options), transport)
        if (isOwn(options)) this.#note(exchange)
        if (options.retryAfter === false || paused++ >= MOST_PAUSES || !this.pauses.ask(exchange.response!))
          return exchange
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        if (error.exhausting) limits.countSilence()
        if (error.exhausting || attempt++ >= (options.retries ?? retries)) throw error
      }
    }
  }

  #note(exchange: Exchange): void {
    this.refusals.note(exchange)
    const { status, headers } = exchange.response!
    const limits = [...headers.keys()].some((name) => /^(x-)?ratelimit/.test(name))
    if (status === 429 || status === 503 || limits) this.limited.push(exchange)
  }

  #request(body: string, options: SendOptions): Exchange['request'] {
    const method = options.method ?? 'POST'
    const ownToken = this.token === null ? null : `Bearer ${this.token}`
    const authorization = options.authorization === undefined ? ownToken : options.authorization
    const headers: Record<string, string> = {
      ...this.options.headers,
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    return { method, url: options.url ?? this.endpoint, headers, body }
  }
}
