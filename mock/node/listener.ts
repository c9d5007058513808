import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { App } from '../app/app.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { sendEarly } from './send-early.ts'

/** Puts the application behind a socket. A client that goes away aborts its request's signal. */
export function createListener(app: App): RequestListener {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      await send(await app.fetch(request), incoming as IncomingMessage, outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false },
  )
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
async function send(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const own = Object.fromEntries(response.headers)
  if (response.body === null) {
    outgoing.writeHead(response.status, own).end()
    return
  }
  try {
    if (own['content-type'] === 'application/json') {
      await sendJson(response.status, own, await peek(response.body), incoming, outgoing)
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
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  delete own['content-length']
  own['vary'] = 'Accept-Encoding'
  const zipped = acceptsGzip(String(incoming.headers['accept-encoding'] ?? ''))
  if (zipped && (rest || held.length >= smallBytes)) {
    outgoing.writeHead(status, { ...own, 'content-encoding': 'gzip' })
    await pipeline(join(held, rest), createGzip(gzipOptions), outgoing)
  } else if (rest) {
    outgoing.writeHead(status, own)
    await pipeline(join(held, rest), outgoing)
  } else {
    outgoing.writeHead(status, { ...own, 'content-length': held.length })
    if (incoming.complete) outgoing.end(held)
    else await sendEarly(held, incoming, outgoing)
  }
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
