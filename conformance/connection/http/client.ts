import type { Exchange } from './exchange.ts'
import type { Limits } from './limits.ts'
import { Pace } from './pace.ts'
import { deniesToken, Refusals } from './token-refusals.ts'
import type { Tokens } from './tokens.ts'
import { TransportError, Unserved } from './transport-error.ts'
import { transfer } from './transport.ts'
import { saysNothing } from './says-nothing.ts'
import { untilAborted } from '../../../base/until-aborted.ts'
import { PLAIN_VIEW } from '../../../schemas/views.ts'

export { TransportError, Unserved } from './transport-error.ts'

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  baseUrl: string
  path: string
  /** The bearer token. */
  tokens: Tokens
  headers: Record<string, string>
  fetch: typeof fetch
  /** Longest wait for a complete response, in milliseconds. */
  timeoutMs: number
  /** Retries of a request whose reply broke off. A 504 is never retried: the contract forbids it. */
  retries: number
  /** How fast requests are sent. Default: as fast as possible. */
  pace?: Pace
  /** Limits of the run. */
  limits: Limits
  /** The User-Agent of the suite; without it, requests do not identify themselves. */
  userAgent?: string | undefined
}

export interface SendOptions {
  method?: string
  /** Replaces the URL of the endpoint. */
  url?: string
  /** Replaces the Authorization header; null removes it. */
  authorization?: string | null
  headers?: Record<string, string>
  /** Replaces the number of retries of the client. */
  retries?: number
  /** Replaces the longest wait of the client, in milliseconds. */
  timeoutMs?: number
  /** The reply is compared once and then forgotten. */
  isForgotten?: true
  /** False sends the request at once, and never again because of load. */
  paced?: false
  /** A refusal because of load that takes longer, in milliseconds, is not repeated: it is the end of the statement. */
  refusedWithinMs?: number
  /** Sends the request instead of the `fetch` of the client. */
  fetch?: typeof fetch
}

/** The plain statement, which every target serves with a valid token. */
export const PLAIN_STATEMENT = `SELECT id FROM ${PLAIN_VIEW} LIMIT 1`
const PLAIN_BODY = JSON.stringify({ statement: PLAIN_STATEMENT })
/** Number of plain statements that must be refused before a token counts as expired. */
const CONFIRMATIONS = 3
/** Memory for the replies that are kept for {@link Client.answers}, with their rows, in bytes. */
const MOST_KEPT = 128 * 1024 * 1024
/** Maximum number of replies that are kept for {@link Client.broken}. */
const MOST_BROKEN = 500
/** Longest wait for the final request to a target that stopped responding, in milliseconds. */
const FINAL_REQUEST_MS = 10_000

const isOwn = ({ authorization, url }: SendOptions): boolean =>
  authorization === undefined && url === undefined

/** Sends requests to one target and counts them. */
export class Client {
  readonly options: ClientOptions
  readonly pace: Pace
  /** The refused requests with a valid token. */
  readonly refusals = new Refusals()
  /** Replies to requests with the valid token that indicate a rate limit. */
  readonly limited: Exchange[] = []
  /** The final replies to POST requests with the valid token, in the order they came, up to a total size. */
  readonly answers: Exchange[] = []
  /** The requests with the valid token whose reply broke off, those that were repeated included. Without bodies. */
  readonly broken: Exchange[] = []
  /** The last reply of the target, and the number of its replies. */
  last: { exchange: Exchange; at: Date; count: number } | undefined
  /** When the request was sent that is the last one of those with a reply, on the clock of `performance`. */
  lastAnswered = 0
  /** The requests since the last reply that got none. */
  unanswered: Exchange[] = []
  /** The number of requests that got no reply, or one that says nothing, to the end. Timeouts do not count. */
  lost = 0
  #kept = 0
  /** Whether a reply was served as JSON. */
  #hasEnvelopes = false
  #inFlight = 0
  /** Whether a renewed token was refused for the plain statement with 403. */
  #withholdsPlain = false
  /** The number of requests so far. */
  #begun = 0
  /** When the run began, in milliseconds since 1970. */
  readonly since = Date.now()

  constructor(options: ClientOptions) {
    this.options = options
    this.pace = options.pace ?? new Pace()
  }

  get endpoint(): string {
    return this.options.baseUrl + this.options.path
  }

  /** The current valid token; null for a target without authentication. */
  get token(): string | null {
    return this.options.tokens.current
  }

  /** Requests sent to the endpoint, retries included. */
  get statements(): number {
    return this.options.limits.sent
  }

  /** Sends a statement in a well-formed body. */
  statement(sql: string, options: SendOptions = {}): Promise<Exchange> {
    return this.send(JSON.stringify({ statement: sql }), options)
  }

  /**
   * Sends a body unchanged. Repeats it while it is refused because of load, and with a new token if the token is refused.
   *
   * @throws Unserved when the reply says nothing about the request
   * @throws TransportError when no response comes after `retries` retries; a timeout is not retried
   * @throws Stopped when the run has ended
   */
  async send(body: string, options: SendOptions = {}): Promise<Exchange> {
    const exchange = await this.#deliver(body, options)
    const hasToken = isOwn(options) && this.token !== null
    const final =
      hasToken && (await this.#isRefusal(exchange)) ? await this.#afterRefusal(exchange, options) : exchange
    if (isOwn(options) && options.method === undefined) this.#keep(final)
    const nothing = saysNothing(final)
    if (!nothing) return final
    if (nothing === 'page' || (nothing === 'cut' && !this.#hasEnvelopes)) return final
    if (isOwn(options)) this.lost++
    throw new Unserved(final, nothing)
  }

  #keep(exchange: Exchange): void {
    const { memory } = exchange.response!
    if (this.#kept + memory > MOST_KEPT) return
    this.#kept += memory
    exchange.isKept = true
    this.answers.push(exchange)
  }

  /** Repeats a refused request unchanged, to find tokens that work only sometimes. */
  async sendAgain({ request: { body, headers, method, url } }: Exchange): Promise<void> {
    this.refusals.note(
      await this.#deliver(body, { authorization: headers['Authorization']!, headers, method, url }),
    )
  }

  /** Why the target does not respond to the plain statement; undefined if it does. Ignores the limits of the run. */
  async whyUnreachable(): Promise<string | undefined> {
    const timeoutMs = Math.min(this.options.timeoutMs, FINAL_REQUEST_MS)
    for (let attempt = 0; ; attempt++) {
      try {
        this.options.limits.sent++
        await transfer(this.#request(PLAIN_BODY, {}), {
          ...this.options,
          timeoutMs,
          signal: new AbortController().signal,
          hasAnswered: this.last !== undefined,
        })
        return undefined
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        if (error.exhausting || attempt >= this.options.retries) return error.message
      }
    }
  }

  /**
   * Whether a reply refuses the token. A 403 may also withhold a view or a statement (auth.permission): it refuses a token that
   * can be renewed, and that the target now refuses for the plain statement too.
   */
  async #isRefusal({ request, response }: Exchange): Promise<boolean> {
    if (response!.status !== 403) return deniesToken(response!.status)
    if (!this.refusals.everServed || this.#withholdsPlain || !this.options.tokens.renewable) return false
    return request.headers['Authorization'] !== `Bearer ${this.token}` || this.#refusesPlain()
  }

  async #refusesPlain(): Promise<boolean> {
    const { status } = (await this.#deliver(PLAIN_BODY, {})).response!
    return status === 403 || deniesToken(status)
  }

  /**
   * Repeats the request once with a new token. Without a new token it returns the refusal, unless the plain statement is
   * refused too: then the token has expired, and later replies are meaningless.
   *
   * @throws Stopped when the token has expired
   */
  async #afterRefusal(exchange: Exchange, options: SendOptions): Promise<Exchange> {
    const { body, headers } = exchange.request
    let refused = exchange
    const { tokens, limits } = this.options
    const token = headers['Authorization']!.replace('Bearer ', '')
    if (await untilAborted(tokens.renew(token, limits.signal), limits.signal)) {
      refused = await this.#deliver(body, options)
      if (!deniesToken(refused.response!.status)) {
        if (refused.response!.status === 403) this.#withholdsPlain = await this.#refusesPlain()
        return refused
      }
    }
    if (!this.refusals.everServed || (await this.#acceptsToken())) return refused
    limits.stop(
      `the target no longer accepts the token (HTTP ${refused.response!.status}); pass a token with a longer lifetime, or --token-command to renew it`,
    )
    // no check may use this refusal as a reply
    throw limits.signal.reason
  }

  async #acceptsToken(): Promise<boolean> {
    for (let n = 0; n < CONFIRMATIONS; n++)
      if (!deniesToken((await this.#deliver(PLAIN_BODY, {})).response!.status)) return true
    return false
  }

  /** Sends a request with its retries and pauses. */
  async #deliver(body: string, options: SendOptions): Promise<Exchange> {
    const { limits, timeoutMs } = this.options
    const most = options.retries ?? this.options.retries
    const transport = {
      fetch: options.fetch ?? this.options.fetch,
      timeoutMs: options.timeoutMs ?? timeoutMs,
      signal: limits.signal,
      onMemory: (bytes: number) => limits.countMemory(bytes),
      isForgotten: options.isForgotten ?? false,
      userAgent: this.options.userAgent,
    }
    const pace = options.paced === false ? undefined : this.pace.forRequest(limits.signal)
    for (let attempt = 0; ;) {
      await pace?.turn()
      try {
        limits.count()
        const exchange = await this.#transfer(body, options, transport)
        this.last = { exchange, at: new Date(), count: (this.last?.count ?? 0) + 1 }
        this.lastAnswered = Math.max(this.lastAnswered, exchange.sentAt!)
        this.unanswered = []
        if (isOwn(options)) this.#note(exchange)
        const nothing = saysNothing(exchange)
        if (nothing === 'busy') this.pace.refused++
        const isQuick = exchange.durationMs < (options.refusedWithinMs ?? Infinity)
        if (nothing === 'busy' && isQuick && (await pace?.mayRepeat(exchange.response!.headers))) continue
        const mayPass =
          nothing === 'cut' || nothing === 'gateway' || (nothing === 'page' && this.#hasEnvelopes)
        if (mayPass && attempt++ < most) continue
        if (!nothing) this.pace.served()
        if (!nothing && exchange.response!.status < 300) this.#hasEnvelopes = true
        return exchange
      } catch (error) {
        if (!(error instanceof TransportError)) throw error
        if (error.exhausting) limits.countTimeout()
        this.unanswered.push(error.exchange)
        if (error.exchange.broke && isOwn(options) && this.broken.length < MOST_BROKEN)
          this.broken.push(error.exchange)
        if (error.refused && this.last && (await pace?.mayRepeat())) continue
        if (error.exhausting || attempt++ >= most) {
          // a target may refuse another token by closing the connection
          if (!error.exhausting && isOwn(options)) this.lost++
          throw error
        }
      }
    }
  }

  /** Sends a request once, and notes whether others were in flight. */
  async #transfer(
    body: string,
    options: SendOptions,
    transport: Parameters<typeof transfer>[1],
  ): Promise<Exchange> {
    const before = this.#inFlight++
    const number = ++this.#begun
    try {
      const hasAnswered = this.last !== undefined
      const exchange = await transfer(this.#request(body, options), { ...transport, hasAnswered })
      if (before === 0 && this.#begun === number) exchange.isAlone = true
      exchange.endedAt = performance.now()
      return exchange
    } finally {
      this.#inFlight--
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
