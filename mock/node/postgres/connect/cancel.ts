import { GuardedConnection } from './guarded-connection.ts'
import type { Encryption } from './tls.ts'

export interface CancelTarget {
  readonly host: string
  readonly port: number
  readonly ssl: Encryption
  readonly processID: number
  readonly secretKey: number
}

/** How long the server may take to close the connection of the request, in milliseconds. */
const answerWithinMs = 2_000

/**
 * Asks a server to end the statement of one of its connections, over a connection of its own: the server answers nothing and
 * closes it. A request that does not arrive is not reported: `statement_timeout` ends the statement then.
 *
 * @returns when the server has closed it, or has not in time
 */
export function sendCancel({ host, port, ssl, processID, secretKey }: CancelTarget): Promise<void> {
  const connection = new GuardedConnection({ ssl })
  const cancel = () => connection.cancel(processID, secretKey)
  return new Promise((resolve) => {
    const timer = setTimeout(() => done(), answerWithinMs)
    const done = () => {
      clearTimeout(timer)
      connection.stream.destroy()
      resolve()
    }
    connection.on('error', done)
    connection.once('end', done)
    connection.once('connect', () => (ssl ? connection.requestSsl() : cancel()))
    connection.once('sslconnect', cancel)
    connection.connect(port, host)
  })
}
