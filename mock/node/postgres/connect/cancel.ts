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
 * closes it.
 *
 * @returns whether the server has closed it in time; `statement_timeout` ends the statement otherwise
 */
export function sendCancel({ host, port, ssl, processID, secretKey }: CancelTarget): Promise<boolean> {
  const connection = new GuardedConnection({ ssl })
  const cancel = () => connection.cancel(processID, secretKey)
  return new Promise((resolve) => {
    const settle = (wasTaken: boolean) => {
      clearTimeout(timer)
      connection.stream.destroy()
      resolve(wasTaken)
    }
    const timer = setTimeout(() => settle(false), answerWithinMs)
    connection.on('error', () => settle(false))
    connection.once('end', () => settle(true))
    connection.once('connect', () => (ssl ? connection.requestSsl() : cancel()))
    connection.once('sslconnect', cancel)
    connection.connect(port, host)
  })
}
