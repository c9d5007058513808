import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'
import type { Answer } from '../../app/answer/answer.ts'
import { truncated } from '../../app/answer/truncated-body.ts'

/**
 * Sends an answer with an injected fault: the client gets an `ECONNRESET`, or a body that ends before its declared length or
 * its last chunk. The connection of a truncated body is closed, because a reset may discard sent bytes.
 */
export async function sendBroken(answer: Answer, outgoing: ServerResponse): Promise<void> {
  const { body, status, headers, break: failure } = answer
  if (typeof failure === 'object') {
    outgoing.writeHead(status, headers)
    outgoing.flushHeaders()
    try {
      for await (const part of truncated(body, failure.afterBytes))
        await new Promise<void>((sent) => outgoing.write(part, () => sent()))
    } catch {
      // the intended break
    }
    outgoing.socket?.destroySoon()
    return
  }
  if (body instanceof ReadableStream) await body.cancel()
  outgoing.socket?.resetAndDestroy()
}

/** How long a client may continue to send a request that is already answered, in milliseconds. */
const lingerMs = 500

/**
 * Sends the answer to a request whose body has not arrived: it was refused for its length, its token or its slowness. The
 * connection stays open for a short time and the rest of the body is discarded, because closing a socket with unread bytes
 * resets it, and a reset discards the answer.
 */
export async function sendEarly(
  answer: Uint8Array,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.write(answer)
  // the former reader of the body may have paused it
  incoming.removeAllListeners('data').resume()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingerMs)
    finished(incoming, { writable: false }, () => {
      clearTimeout(timer)
      resolve()
    })
  })
  outgoing.end(() => {
    // node would go on reading a body that never ends
    if (!incoming.complete) incoming.socket.destroySoon()
  })
}
