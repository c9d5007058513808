import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { type Call, checked, type RequestHeaders } from '../../app/request/call.ts'

/** The headers of a message. Node has already joined repeated ones. */
class IncomingHeaders implements RequestHeaders {
  readonly #headers: IncomingMessage['headers']

  constructor({ headers }: IncomingMessage) {
    this.#headers = headers
  }

  get(name: string): string | null {
    const value = this.#headers[name]
    return value === undefined ? null : String(value)
  }

  has(name: string): boolean {
    return this.#headers[name] !== undefined
  }
}

/** A request of node's HTTP server as a call. */
export class IncomingCall implements Call {
  readonly method: string
  readonly url: string
  readonly headers: RequestHeaders
  readonly signal: AbortSignal
  readonly #incoming: IncomingMessage
  #invite: (() => void) | undefined

  /**
   * @param signal aborts when the connection closes
   * @param invite sends 100 Continue to a client that waits for it; called before the body is read
   */
  constructor(incoming: IncomingMessage, signal: AbortSignal, invite?: () => void) {
    const { method = '', url = '' } = incoming
    this.method = method
    this.url = url.startsWith('/') ? `http://localhost${url}` : url
    this.headers = new IncomingHeaders(incoming)
    this.signal = signal
    this.#incoming = incoming
    this.#invite = invite
  }

  /** The message, whose body will be read. */
  #withBody(): IncomingMessage {
    this.#invite?.()
    this.#invite = undefined
    return this.#incoming
  }

  get body(): AsyncIterable<Uint8Array> {
    // leaving the loop early must not close the connection before the answer
    return this.#withBody().iterator({ destroyOnReturn: false })
  }

  arrayBuffer(): Promise<ArrayBuffer> {
    const incoming = this.#withBody()
    return new Promise((resolve, reject) => {
      const body = new Uint8Array(Number(incoming.headers['content-length']))
      let length = 0
      incoming.on('data', (part: Uint8Array) => {
        body.set(part, length)
        length += part.length
      })
      incoming.once('end', () => resolve(body.buffer))
      incoming.once('error', reject)
    })
  }

  toRequest(): Request {
    const incoming = this.#withBody()
    const { headers, rawHeaders, url = '' } = incoming
    const pairs: [string, string][] = []
    for (let at = 0; at < rawHeaders.length; at += 2) pairs.push([rawHeaders[at]!, rawHeaders[at + 1]!])
    const hasBody = this.method !== 'GET' && this.method !== 'HEAD'
    const init = {
      method: this.method,
      headers: pairs,
      signal: this.signal,
      ...(hasBody && { body: Readable.toWeb(incoming), duplex: 'half' }),
    } as RequestInit
    const request = checked(
      () => new Request(url.startsWith('/') ? `http://${headers.host ?? 'localhost'}${url}` : url, init),
    )
    // the signal of a request that nothing refers to is lost
    return Object.assign(incoming, { request }).request
  }
}
