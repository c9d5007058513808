import { connect } from 'node:net'
import { contract } from '../../schemas/index.ts'

interface Target {
  readonly baseUrl: string
  readonly token: string
}

/** Sends a statement over HTTP. */
export const send = (
  { baseUrl, token }: Target,
  statement: string,
  init: RequestInit = {},
): Promise<Response> =>
  fetch(baseUrl + contract.endpoint.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
    ...init,
  })

/** Writes pieces to a socket, one after the other. @returns the bytes received until the server ends the connection */
export function raw(baseUrl: string, pieces: readonly string[], pauseMs = 0): Promise<string> {
  const { hostname, port } = new URL(baseUrl)
  return new Promise((resolve, reject) => {
    let received = ''
    const socket = connect(Number(port), hostname, async () => {
      for (const piece of pieces) {
        socket.write(piece)
        await new Promise((next) => setTimeout(next, pauseMs))
      }
    })
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    socket.once('error', reject)
    socket.once('close', () => resolve(received))
  })
}
