import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

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
