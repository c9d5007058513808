import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { finished } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { type Answer, errorEnvelope } from '../../app/answer/answer.ts'
import type { App } from '../../app/app.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { IncomingCall } from './incoming-call.ts'
import { sendBroken, sendEarly } from './send-broken.ts'

/** A connection and the requests on it that wait for the answer to an earlier one. */
interface Connection {
  readonly signal: AbortSignal
  /** The answer that is made. */
  current?: ServerResponse | undefined
  readonly waiting: (() => void)[]
}

/**
 * The listener of a socket for an application. A client that disconnects aborts the signal of its requests. Pipelined
 * requests are answered one after the other, so that a client that does not read its answers fills no memory.
 *
 * @param onFailure gets what is a fault of the server. Default: it is printed
 */
export function createListener(app: App, onFailure: (error: Error) => void = console.error): RequestListener {
  const connections = new WeakMap<Socket, Connection>()
  const connectionOf = (socket: Socket): Connection => {
    const known = connections.get(socket)
    if (known) return known
    const leaving = new AbortController()
    socket.once('close', () => leaving.abort(new Error('The client disconnected.')))
    const connection: Connection = { signal: leaving.signal, waiting: [] }
    // node resumes a socket to read the body of a request, and reads it even if it was paused meanwhile
    socket.on('resume', () => isFull(connection) && socket.pause().emit('pause'))
    socket.once('end', () => {
      const timer = setInterval(() => callClient(connection.current), callEveryMs)
      socket.once('close', () => clearInterval(timer))
    })
    connections.set(socket, connection)
    return connection
  }

  async function handle(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    { signal }: Connection,
  ): Promise<void> {
    try {
      const answer =
        refusalOf(incoming) ??
        (await app.answer(new IncomingCall(incoming, signal, invitation(incoming, outgoing))))
      await send(answer, incoming, outgoing)
    } catch (error) {
      if (signal.aborted) return
      onFailure(error instanceof Error ? error : new Error(String(error)))
      if (outgoing.headersSent) outgoing.destroy()
      else await send(errorEnvelope(500, 'The server failed. Please report it.'), incoming, outgoing)
    }
  }

  return (incoming, outgoing) => {
    const connection = connectionOf(incoming.socket)
    const begin = () => {
      connection.current = outgoing
      outgoing.once('close', () => {
        connection.current = undefined
        connection.waiting.shift()?.()
        if (connection.waiting.length === mostWaiting) incoming.socket.resume()
      })
      void handle(incoming, outgoing, connection)
    }
    if (!connection.current) return begin()
    connection.waiting.push(begin)
    if (isFull(connection)) incoming.socket.pause()
  }
}

/** No more requests of a connection are read while more than this number wait. */
const mostWaiting = 16

const isFull = ({ waiting }: Connection): boolean => waiting.length > mostWaiting

/** How long a client that sends no more may be silent, in milliseconds. */
const callEveryMs = 200

/**
 * A client that has ended its side of the connection waits for its answer, or has left: only then what is sent to it fails.
 * Clients discard a 100 Continue (RFC 9110, 15.2.1). In HTTP/1.0 there is none, and the client counts as gone.
 */
function callClient(outgoing: ServerResponse | undefined): void {
  if (outgoing?.headersSent !== false) return
  if (outgoing.req.httpVersionMinor === 0) outgoing.destroy()
  else outgoing.writeContinue()
}

/** Sends 100 Continue, if the client waits for it before it sends the body. A refused client need not send it. */
const invitation = ({ headers }: IncomingMessage, outgoing: ServerResponse): (() => void) | undefined =>
  headers.expect === undefined ? undefined : () => outgoing.writeContinue()

/** Refuses what node takes although RFC 9112 does not. */
function refusalOf(incoming: IncomingMessage): Answer | undefined {
  if (!hasItsHost(incoming)) return errorEnvelope(400, 'The request must have one Host header.')
  // 6.1: node would take what the other coding has made of the body for the body
  if (/,\s*chunked$/i.test(incoming.headers['transfer-encoding'] ?? ''))
    return errorEnvelope(501, 'The only transfer coding is chunked. Send the body without another one.')
  return undefined
}

/** RFC 9112, 3.2: one Host header, or none in HTTP/1.0. Node keeps the first of several. */
function hasItsHost({ rawHeaders, httpVersionMinor }: IncomingMessage): boolean {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts === 1 || (hosts === 0 && httpVersionMinor === 0)
}

/** Answers with fewer bytes are not compressed. */
const minCompressedBytes = 1024

/** Answers of the endpoint, and the files of the page. */
const compressible = /^(?:application\/json$|text\/(?:html|css|javascript);)/

/** Compresses fast rather than well, and flushes every write: the first rows must not wait for the next ones. */
const gzipOptions = { level: 1, flush: constants.Z_SYNC_FLUSH, writableHighWaterMark: 1 }
const compress = promisify(gzip)

/** Writes an answer, compressed if the client accepts it and the answer is large enough. */
async function send(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { body } = answer
  if (answer.break !== undefined) return sendBroken(answer, outgoing)
  // `{ ...answer.headers }` is another kind of object, to which V8 adds properties ten times as slowly
  const headers: Record<string, string> = Object.assign({}, answer.headers)
  let zip = false
  if (answer.gzip ?? compressible.test(headers['content-type'] ?? '')) {
    headers['vary'] = 'Accept-Encoding'
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
    const isLarge = length >= minCompressedBytes || answer.gzip === true
    zip = isLarge && acceptsGzip(incoming.headers['accept-encoding']?.toString())
    if (zip) {
      headers['content-encoding'] = 'gzip'
      delete headers['content-length']
    }
  }
  if (body instanceof ReadableStream) {
    // these go on while the client listens, and nobody waits for their end
    if (/event-stream|ndjson/.test(headers['content-type'] ?? ''))
      finished(incoming.socket, { writable: false }, () => outgoing.destroy())
    outgoing.writeHead(answer.status, headers)
    await sendRows(body, zip, outgoing)
  } else {
    const bytes =
      zip && body ? await compress(body, { level: gzipOptions.level }) : (body ?? new Uint8Array())
    // an answer without content does not declare its length (RFC 9110, 8.6)
    if (answer.status !== 204) headers['content-length'] = String(bytes.length)
    outgoing.writeHead(answer.status, headers)
    if (incoming.complete) outgoing.end(bytes)
    else await sendEarly(bytes, incoming, outgoing)
  }
}

/**
 * Writes rows as fast as their reader takes them. If they fail, the connection is broken, so that no client takes a part for
 * the whole.
 */
async function sendRows(
  body: ReadableStream<Uint8Array>,
  zip: boolean,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.flushHeaders()
  try {
    if (zip) await pipeline(body, createGzip(gzipOptions), outgoing)
    else await pipeline(body, outgoing)
  } catch {
    // The application has logged the cause, and pipeline has broken the connection.
  }
}
