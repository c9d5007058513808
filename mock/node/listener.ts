import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip, gzip } from 'node:zlib'
import { promisify } from 'node:util'
import { getRequestListener } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Answer } from '../app/answer.ts'
import type { App } from '../app/app.ts'
import { acceptsGzip } from './accepts-gzip.ts'
import { sendBroken } from './send-broken.ts'
import { sendEarly } from './send-early.ts'

/** Puts the application behind a socket. A client that goes away aborts its request's signal. */
export function createListener(app: App): RequestListener {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      await send(await app.answer(request), incoming as IncomingMessage, outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false },
  )
}

/** Below this many bytes an answer is not worth compressing. */
const smallBytes = 1024

/**
 * Compresses fast rather than well, and hands on at once what it was given: the first rows must not wait for
 * the next ones.
 */
const gzipOptions = { level: 1, flush: constants.Z_SYNC_FLUSH }
const compress = promisify(gzip)

/** Writes an answer, compressed where the client asks for it and it is worth it. */
async function send(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { body } = answer
  if (answer.break !== undefined) return sendBroken(answer, outgoing)
  const headers: Record<string, string> = { ...answer.headers }
  let zip = false
  if (answer.gzip ?? headers['content-type'] === 'application/json') {
    headers['vary'] = 'Accept-Encoding'
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
    const isLarge = length >= smallBytes || answer.gzip === true
    zip = isLarge && acceptsGzip(String(incoming.headers['accept-encoding'] ?? ''))
    if (zip) {
      headers['content-encoding'] = 'gzip'
      delete headers['content-length']
    }
  }
  if (body instanceof ReadableStream) {
    outgoing.writeHead(answer.status, headers)
    await sendRows(body, zip, outgoing)
  } else {
    const bytes =
      zip && body ? await compress(body, { level: gzipOptions.level }) : (body ?? new Uint8Array())
    outgoing.writeHead(answer.status, { ...headers, 'content-length': bytes.length })
    if (incoming.complete) outgoing.end(bytes)
    else await sendEarly(bytes, incoming, outgoing)
  }
}

/**
 * Writes rows at the pace of their reader. Where they fail on the way the connection is broken, so that nobody
 * takes a part for the whole. (The adapter's own way would append the cause to the body and print it.)
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
