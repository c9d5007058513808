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

/** The listener of a socket for an application. A client that disconnects aborts the signal of its request. */
export function createListener(app: App): RequestListener {
  return getRequestListener(
    async (request, { incoming, outgoing }) => {
      await send(await app.answer(request), incoming as IncomingMessage, outgoing as ServerResponse)
      return RESPONSE_ALREADY_SENT
    },
    { overrideGlobalObjects: false },
  )
}

/** Answers with fewer bytes are not compressed. */
const minCompressedBytes = 1024

/** Compresses fast rather than well, and flushes every write: the first rows must not wait for the next ones. */
const gzipOptions = { level: 1, flush: constants.Z_SYNC_FLUSH }
const compress = promisify(gzip)

/** Writes an answer, compressed if the client accepts it and the answer is large enough. */
async function send(answer: Answer, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const { body } = answer
  if (answer.break !== undefined) return sendBroken(answer, outgoing)
  const headers: Record<string, string> = { ...answer.headers }
  let zip = false
  if (answer.gzip ?? headers['content-type'] === 'application/json') {
    headers['vary'] = 'Accept-Encoding'
    const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
    const isLarge = length >= minCompressedBytes || answer.gzip === true
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
    // an answer without content does not declare its length (RFC 9110, 8.6)
    outgoing.writeHead(
      answer.status,
      answer.status === 204 ? headers : { ...headers, 'content-length': bytes.length },
    )
    if (incoming.complete) outgoing.end(bytes)
    else await sendEarly(bytes, incoming, outgoing)
  }
}

/**
 * Writes rows as fast as their reader takes them. If they fail, the connection is broken, so that no client takes a part for
 * the whole. (Hono's adapter would append the cause to the body and print it.)
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
