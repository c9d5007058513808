import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream'

/** How long a client may go on sending what was answered already, in milliseconds. */
const lingerMs = 500

/**
 * Sends the answer to a request whose body is not there yet: one refused for its length, its token, its slowness.
 * The answer goes out whole and at once; the connection stays open a little longer and what still arrives is thrown
 * away, for to close a socket that holds unread bytes resets it, and a reset takes the answer with it.
 */
export async function sendEarly(
  answer: Uint8Array,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  outgoing.write(answer)
  // who was reading the body paused it whenever he had enough
  incoming.removeAllListeners('data').resume()
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, lingerMs)
    finished(incoming, { writable: false }, () => {
      clearTimeout(timer)
      resolve()
    })
  })
  outgoing.end()
}
