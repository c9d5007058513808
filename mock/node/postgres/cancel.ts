import pg from 'pg'

export interface CancelTarget {
  readonly host: string
  readonly port: number
  readonly ssl: unknown
  readonly processID: number
  readonly secretKey: number
}

/** What `pg` can do beyond its types. */
interface CancelConnection {
  once(event: 'connect' | 'sslconnect' | 'error' | 'end', act: () => void): void
  connect(port: number, host: string): void
  requestSsl(): void
  cancel(processID: number, secretKey: number): void
  end(): void
}
const CancelConnection = pg.Connection as unknown as new (config: { ssl: unknown }) => CancelConnection

/** How long the server may take to close the connection of the request, in milliseconds. */
const answerWithinMs = 2_000

/**
 * Asks a server to end the statement of one of its connections, over a connection of its own: the server answers nothing and
 * closes it. A request that does not arrive is not reported: `statement_timeout` ends the statement then.
 *
 * @returns when the server has closed it
 */
export function sendCancel({ host, port, ssl, processID, secretKey }: CancelTarget): Promise<void> {
  const connection = new CancelConnection({ ssl })
  const cancel = () => connection.cancel(processID, secretKey)
  return new Promise((resolve) => {
    const timer = setTimeout(() => connection.end(), answerWithinMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    connection.once('error', done)
    connection.once('end', done)
    connection.once('connect', () => (ssl ? connection.requestSsl() : cancel()))
    connection.once('sslconnect', cancel)
    connection.connect(port, host)
  })
}
