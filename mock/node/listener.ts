import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { App } from '../app/app.ts'
import { acceptsGzip } from './accepts-gzip.ts'

/** Puts the application behind a socket. A client that goes away aborts its request's signal. */
export function createListener(app: App): RequestListener {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await app.fetch(request)
      if (response.status === 413) await takeBody(incoming as IncomingMessage)
      await send(response, incoming as IncomingMessage, outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false },
  )
}

/** How long a body that is too long is taken in, unread, in milliseconds. */
const takeWithinMs = 500

/**
 * Lets a client finish sending what is refused by its declared length: a connection that closes under it would take
 * the answer with it. A body that does not come is answered all the same. One without a declared length was
 * being read when it was refused, and is left alone.
 */
async function takeBody(incoming: IncomingMessage): Promise<void> {
  const declared = incoming.headers['content-length'] !== undefined
  if (!declared || incoming.readableEnded || incoming.destroyed) return
  incoming.resume()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, takeWithinMs)
    finished(incoming, () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Below this many bytes an answer is not worth compressing, and from this many on it is sent as it comes. */
const [smallBytes, largeBytes] = [1024, 65_536]

/**
 * Compresses fast rather than well, and hands on at once what it was given: the first rows must not wait for
 * the next ones.
 */
const gzipOptions = { level: 1, flush: constants.Z_SYNC_FLUSH }

/**
 * Writes an answer at the pace of its reader. Where its rows fail on the way the connection is broken, so that
 * nobody takes a part for the whole. (The adapter's own way would append the cause to the body and print it.)
 */
async function send(
  response: Response,
  { headers }: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const own = Object.fromEntries(response.headers)
  if (response.body === null) {
    outgoing.writeHead(response.status, own).end()
    return
  }
  try {
    if (own['content-type'] === 'application/json') {
      const zipped = acceptsGzip(String(headers['accept-encoding'] ?? ''))
      await sendJson(response.status, own, await peek(response.body), zipped, outgoing)
    } else {
      outgoing.writeHead(response.status, own).flushHeaders()
      await pipeline(response.body, outgoing)
    }
  } catch {
    // The application has logged the cause, and pipeline has broken the connection.
  }
}

async function sendJson(
  status: number,
  own: Record<string, string>,
  { held, rest }: Peeked,
  zipped: boolean,
  outgoing: ServerResponse,
): Promise<void> {
  delete own['content-length']
  own['vary'] = 'Accept-Encoding'
  if (zipped && (rest || held.length >= smallBytes)) {
    outgoing.writeHead(status, { ...own, 'content-encoding': 'gzip' })
    await pipeline(join(held, rest), createGzip(gzipOptions), outgoing)
  } else if (rest) {
    outgoing.writeHead(status, own)
    await pipeline(join(held, rest), outgoing)
  } else outgoing.writeHead(status, { ...own, 'content-length': held.length }).end(held)
}

/** A body whose first part was read; without `rest` that is all of it. */
interface Peeked {
  readonly held: Uint8Array
  readonly rest?: AsyncGenerator<Uint8Array>
}

/**
 * Takes what the body has ready, waiting for its first rows only. A body that is there as a whole, and most are,
 * can be sent in one piece, which costs a fraction of a stream.
 */
async function peek(body: ReadableStream<Uint8Array>): Promise<Peeked> {
  const reader = body.getReader()
  const held: Uint8Array[] = []
  for (let length = 0; ;) {
    const next = reader.read()
    // a failure belongs to whoever reads the rest
    const ready = await Promise.race([next, length < smallBytes ? next : soon()]).catch(() => undefined)
    if (!ready || (length >= largeBytes && !ready.done))
      return { held: Buffer.concat(held), rest: restOf(reader, next) }
    if (ready.done) return { held: Buffer.concat(held) }
    held.push(ready.value)
    length += ready.value.length
  }
}

const soon = () => new Promise<undefined>((resolve) => setImmediate(resolve, undefined))

async function* restOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  first: ReturnType<typeof reader.read>,
): AsyncGenerator<Uint8Array> {
  try {
    for (let next = await first; !next.done; next = await reader.read()) yield next.value
  } finally {
    await reader.cancel()
  }
}

async function* join(held: Uint8Array, rest?: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield held
  if (rest) yield* rest
}
