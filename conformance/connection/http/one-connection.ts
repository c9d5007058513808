import * as http from 'node:http'
import * as https from 'node:https'
import type { Socket } from 'node:net'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'

/** Time between two parts of a request, in milliseconds: enough for them to arrive one by one. */
const BETWEEN_PARTS_MS = 20
/** Statuses of responses without a body. */
const WITHOUT_BODY = [204, 205, 304]

/**
 * Sends requests like `fetch`, all of them over one connection while the target keeps it open. `fetch` cannot show what stays
 * behind on a connection: it closes one that has bytes of its own, and opens another one.
 */
export class OneConnection {
  readonly #agents = {
    'http:': readingIdle(new http.Agent({ keepAlive: true, maxSockets: 1 })),
    'https:': readingIdle(new https.Agent({ keepAlive: true, maxSockets: 1 })),
  }
  /** The reply to the last request if it leaves the connection open, and the bytes that came behind it. */
  #reply: http.IncomingMessage | undefined
  #behind = ''

  readonly fetch = ((url: string, init: RequestInit) => this.#send(url, init, [])) as typeof fetch

  /** Sends the headers first, and then the body in two halves. */
  readonly fetchInParts = ((url: string, init: RequestInit) => {
    const body = String(init.body)
    return this.#send(url, init, [body.slice(0, body.length >> 1), body.slice(body.length >> 1)])
  }) as typeof fetch

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy()
  }

  async #send(url: string, init: RequestInit, parts: readonly string[]): Promise<Response> {
    const behind = this.#behind
    this.#behind = ''
    // Some servers announce with a 408 that they close an idle connection.
    if (behind !== '' && !/^HTTP\/1\.\d 408/.test(behind)) {
      this.close()
      throw Object.assign(new Error('more bytes came behind the reply before'), { code: 'HPE_BEHIND' })
    }
    try {
      return await this.#exchange(url, init, parts)
    } catch (error) {
      // The target has closed the idle connection meanwhile.
      if ((error as Error).name !== 'Unused') throw error
      return this.#exchange(url, init, parts)
    }
  }

  /** Notes bytes that come behind a reply, in a packet of their own. */
  #watch(socket: Socket): void {
    // Before the parser, which completes a reply with its last packet.
    socket.prependListener('data', (bytes) => {
      if (this.#reply?.complete) this.#behind += bytes.toString('latin1')
    })
  }

  #exchange(url: string, init: RequestInit, parts: readonly string[]): Promise<Response> {
    const { method = 'GET', body, headers, signal } = init
    const text = String(body ?? '')
    const protocol = new URL(url).protocol as 'http:' | 'https:'
    const request = { 'http:': http, 'https:': https }[protocol].request(url, {
      agent: this.#agents[protocol],
      method,
      headers: {
        Accept: '*/*',
        'Accept-Encoding': 'identity',
        'Content-Length': Buffer.byteLength(text),
        ...(headers as Record<string, string>),
      },
      ...(signal && { signal }),
    })
    return new Promise((resolve, reject) => {
      let read = 0
      request.on('socket', (socket) => {
        this.#reply = undefined
        read = socket.bytesRead
        if (!request.reusedSocket) this.#watch(socket)
      })
      request.on('error', (error: NodeJS.ErrnoException) => {
        // Node ends a connection at once whose reply comes with more bytes in one packet.
        if (this.#reply?.complete && error.code?.startsWith('HPE_')) this.#behind += error.code
        const isUnused = request.reusedSocket && request.socket?.bytesRead === read
        reject(isUnused && !signal?.aborted ? Object.assign(error, { name: 'Unused' }) : error)
      })
      request.on('response', (response) => {
        this.#reply = request.shouldKeepAlive ? response : undefined
        const status = response.statusCode!
        const content = WITHOUT_BODY.includes(status) ? (response.resume(), null) : Readable.toWeb(response)
        const pairs = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        )
        resolve(new Response(content as ReadableStream, { status, headers: pairs }))
      })
      void write(request, text, parts)
    })
  }
}

/**
 * An agent whose idle connections are read. That of newer versions of Node (24.21) closes an idle connection to which bytes come before
 * anybody sees them: it puts a reader of its own in place of that of the socket.
 */
function readingIdle(agent: http.Agent): http.Agent {
  const keep = agent.keepSocketAlive.bind(agent)
  agent.keepSocketAlive = (socket: Socket & { _handle?: { onread: unknown } | null }) => {
    // the property of Node that its agent changes
    // oxlint-disable-next-line no-underscore-dangle
    const handle = socket._handle
    const reader = handle?.onread
    queueMicrotask(() => handle && (handle.onread = reader))
    return keep(socket)
  }
  return agent
}

/** Writes a body: in parts, each in a packet of its own, or at once. */
async function write(request: http.ClientRequest, body: string, parts: readonly string[]): Promise<void> {
  if (parts.length === 0) return void request.end(body)
  request.flushHeaders()
  for (const part of parts) {
    await setTimeout(BETWEEN_PARTS_MS)
    request.write(part)
  }
  request.end()
}
