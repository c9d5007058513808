import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** Stands between a client and a server, and may refuse connections or answer in place of the server. */
export class TestProxy {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #doomed: ReadonlySet<Socket> = new Set()
  /** Whether connections are accepted. */
  isOpen = true
  /** Answers the n-th bytes of a client, counted from 0 for each connection, in place of the server; undefined passes them on. */
  answer: (nth: number) => Uint8Array | undefined = () => undefined

  private constructor(server: Server) {
    this.#server = server
  }

  static async start(target: number): Promise<TestProxy> {
    const server = createServer()
    const proxy = new TestProxy(server)
    server.on('connection', (client) => proxy.#pass(client, target))
    await once(server.listen(0, '127.0.0.1'), 'listening')
    return proxy
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  /** Ends all connections at once. */
  cut(): void {
    for (const socket of this.#sockets) socket.resetAndDestroy()
    this.#sockets.clear()
  }

  /** Ends each connection that is open now when its client sends something: the client has not noticed the loss before. */
  cutLater(): void {
    this.#doomed = new Set(this.#sockets)
  }

  stop(): void {
    this.cut()
    this.#server.close()
  }

  #pass(client: Socket, target: number): void {
    if (!this.isOpen) return void client.resetAndDestroy()
    const server = connect(target, '127.0.0.1')
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from)
      from.on('error', () => {})
      from.on('close', () => to.destroy())
    }
    server.on('data', (bytes) => client.write(bytes))
    let nth = 0
    client.on('data', (bytes) => {
      if (this.#doomed.has(client)) return void client.resetAndDestroy()
      const answer = this.answer(nth++)
      if (answer) client.write(answer)
      else server.write(bytes)
    })
  }
}
