import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'

/**
 * The connection to the target that belongs to one connection of a client. Either ends with the other, once no request is
 * on its way, so that a client sees when the target closes an idle connection.
 */
export class Connection {
  readonly agent: http.Agent
  readonly #client: Socket
  readonly #known = new WeakSet<Socket>()
  #running = 0
  #isOver = false

  constructor(client: Socket, isSecure: boolean, ca: readonly string[] | undefined) {
    const options = { keepAlive: true, maxSockets: 1 }
    this.agent = isSecure
      ? new https.Agent({ ...options, ...(ca && { ca: [...ca] }) })
      : new http.Agent(options)
    // node leaves a connection whose Keep-Alive names one second; here the service alone ends it, which the client sees
    this.agent.keepSocketAlive = () => true
    this.#client = client
    client.once('close', () => this.agent.destroy())
  }

  /** Notes that a request begins. */
  begin(onward: http.ClientRequest): void {
    this.#running++
    onward.on('socket', (socket) => {
      if (this.#known.has(socket)) return
      this.#known.add(socket)
      socket.once('close', () => {
        this.#isOver = true
        this.#endIfIdle()
      })
    })
  }

  /** Notes that the answer to a request was passed on. */
  end(): void {
    this.#running--
    this.#endIfIdle()
  }

  #endIfIdle(): void {
    if (this.#isOver && this.#running === 0) this.#client.end()
  }
}
