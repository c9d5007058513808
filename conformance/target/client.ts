import type { Exchange } from './exchange.ts'

/** The most a response body may hold before the client stops reading, in bytes. */
const MAX_BODY_BYTES = 256 * 1024 * 1024

export interface ClientOptions {
  /** Base URL without a trailing slash. */
  baseUrl: string
  path: string
  /** Bearer token; null sends none. */
  token: string | null
  headers: Record<string, string>
  fetch: typeof fetch
  /** Longest wait for a whole response, in milliseconds. */
  timeoutMs: number
  /** How often a request without any response is sent again. A 504 never is: the contract forbids it. */
  retries: number
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
}

/** No response came: the address, the network or TLS is at fault, or the target was silent too long. */
export class TransportError extends Error {
  override name = 'TransportError'
  readonly exchange: Exchange
  /** Whether the target was silent for as long as one waits: once is enough then. */
  readonly timedOut: boolean
  constructor(message: string, exchange: Exchange, timedOut: boolean) {
    super(message)
    this.exchange = exchange
    this.timedOut = timedOut
  }
}

/** Sends requests to one target and counts them. Redirects are never followed. */
export class Client {
  readonly options: ClientOptions
  /** Requests sent to the endpoint, retries included. */
  statements = 0
  /** Replies 401 and 403 to requests with the valid token, and those whose very request was served later on. */
  readonly refusals = { refused: [] as Exchange[], servedAgain: [] as Exchange[] }
  /** Replies to requests with the valid token that say something about how many requests are allowed. */
  readonly limited: Exchange[] = []

  constructor(options: ClientOptions) {
    this.options = options
  }

  get endpoint(): string {
    return this.options.baseUrl + this.options.path
  }

  /** Sends one statement in a well-formed body. */
  statement(sql: string, options: SendOptions = {}): Promise<Exchange> {
    return this.send(JSON.stringify({ statement: sql }), options)
  }

  /**
   * Sends a body as it is.
   *
   * @throws TransportError when no response comes, after `retries` further attempts; at once where the target was
   * silent for as long as one waits.
   */
  async send(body: string, options: SendOptions = {}): Promise<Exchange> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(body, options)
      } catch (error) {
        const retries = options.retries ?? this.options.retries
        if (!(error instanceof TransportError) || error.timedOut || attempt >= retries) throw error
      }
    }
  }

  async #attempt(body: string, options: SendOptions): Promise<Exchange> {
    const method = options.method ?? 'POST'
    const url = options.url ?? this.endpoint
    const ownToken = this.options.token === null ? null : `Bearer ${this.options.token}`
    const authorization = options.authorization === undefined ? ownToken : options.authorization
    const headers: Record<string, string> = {
      ...this.options.headers,
      ...(authorization === null ? {} : { Authorization: authorization }),
      ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }),
      ...options.headers,
    }
    const timeoutMs = options.timeoutMs ?? this.options.timeoutMs
    const exchange: Exchange = { request: { method, url, headers, body }, durationMs: 0 }
    const started = performance.now()
    this.statements++
    try {
      const response = await this.options.fetch(url, {
        method,
        headers,
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        ...(method === 'GET' ? {} : { body }),
      })
      const { text, bytes } = await readText(response)
      exchange.response = { status: response.status, headers: response.headers, text, bytes }
    } catch (error) {
      exchange.failure = describeFailure(error, url, timeoutMs)
      throw new TransportError(exchange.failure, exchange, (error as Error).name === 'TimeoutError')
    } finally {
      exchange.durationMs = performance.now() - started
    }
    if (options.authorization === undefined && options.url === undefined) this.#note(exchange)
    return exchange
  }

  #note(exchange: Exchange): void {
    const { refused, servedAgain } = this.refusals
    const { status, headers } = exchange.response!
    const limits = [...headers.keys()].some((name) => /^(x-)?ratelimit/.test(name))
    if (status === 429 || status === 503 || limits) this.limited.push(exchange)
    if (status === 401 || status === 403) refused.push(exchange)
    else if (status < 300) {
      const same = refused.filter(({ request }) => request.body === exchange.request.body)
      servedAgain.push(...same.filter((refusal) => !servedAgain.includes(refusal)))
    }
  }
}

async function readText(response: Response): Promise<{ text: string; bytes: number }> {
  if (!response.body) return { text: '', bytes: 0 }
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES)
      throw new Error(`the response is larger than ${MAX_BODY_BYTES} bytes, reading stopped`)
    text += decoder.decode(chunk, { stream: true })
  }
  return { text: text + decoder.decode(), bytes }
}

/** The sentence for a request without a response, with the remedy where there is one. */
function describeFailure(error: unknown, url: string, timeoutMs: number): string {
  const cause = (error as { cause?: unknown }).cause ?? error
  const { code = '', name, message } = cause as { code?: string; name?: string; message?: string }
  const { host } = new URL(url)
  if (name === 'TimeoutError') return `${host} sent no complete answer within ${timeoutMs / 1000} s.`
  if (code === 'ECONNREFUSED') return `Nothing listens at ${host}. Start the server or correct the base URL.`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return `The host name ${host} can not be resolved. Correct the base URL or the DNS.`
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO')
    return `${host} does not speak TLS (${code}). Write the base URL with http:// if that is what it serves.`
  if (/^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO)/.test(code))
    return `The TLS certificate of ${host} is not trusted (${code}: ${message}). For a certificate authority of your own set NODE_EXTRA_CA_CERTS to its file.`
  if (message === 'bad port')
    return `Port ${new URL(url).port} is one that fetch never contacts, by its standard. Serve on another port.`
  if (code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
    return `${host} closed the connection without a complete answer (${message}).`
  return `The request to ${host} failed: ${code ? `${code}: ` : ''}${message}.`
}
