import { TLSSocket } from 'node:tls'
import type pg from 'pg'
import type { HostAddress } from './address.ts'
import { connectToFirst, socketOf } from './connect.ts'
import { Connection } from './connection.ts'

export interface HostsOptions {
  readonly addresses: readonly HostAddress[]
  /** Looks at a host over a new connection. @returns what its statements lack @throws Error if it must not answer */
  readonly inspect: (client: pg.Client, host: string) => Promise<string | undefined>
  readonly log: (message: string) => void
}

/** The hosts of a database. One answers all statements until it cannot be connected to; then the next one that can does. */
export class Hosts {
  readonly #options: HostsOptions
  /** In the order in which they are asked. */
  #addresses: readonly HostAddress[]
  #hasAnswered = false
  /** Why the last connection failed, or what its statements lack, in sentences for the operator. */
  problem: string | undefined
  /** What was logged last of each host. */
  readonly #said = new Map<string, string>()

  constructor(options: HostsOptions) {
    this.#options = options
    this.#addresses = options.addresses.map(({ config, ...rest }) => ({
      ...rest,
      // a host that is silent while it is looked at
      config: { ...config, query_timeout: config.connectionTimeoutMillis },
    }))
  }

  get count(): number {
    return this.#addresses.length
  }

  /** The name of the host that answers statements. */
  get current(): string {
    return this.#addresses[0]!.name
  }

  /** Opens a connection to the current host, or to the next one that may answer. @throws DatabaseError that says why there is none */
  async connect(): Promise<Connection> {
    const sentences = new Map<string, string>()
    try {
      const { client, address, accepted } = await connectToFirst(
        this.#addresses,
        this.#options.inspect,
        sentences,
      )
      const at = this.#addresses.indexOf(address)
      if (at > 0) this.#addresses = [...this.#addresses.slice(at), ...this.#addresses.slice(0, at)]
      this.#hasAnswered = true
      this.problem = accepted
      const said = [`Statements go to ${address.name}, ${encryptionOf(client)}.`, accepted ?? []].flat()
      sentences.set(address.name, said.join(' '))
      return new Connection(client, address.name)
    } catch (error) {
      this.problem = (error as Error).message
      throw error
    } finally {
      // the caller reports why no host answered at the start
      if (this.#hasAnswered) this.#say(sentences)
    }
  }

  #say(sentences: ReadonlyMap<string, string>): void {
    for (const [host, sentence] of sentences) {
      if (this.#said.get(host) !== sentence) this.#options.log(sentence)
      this.#said.set(host, sentence)
    }
  }
}

function encryptionOf(client: pg.Client): string {
  const socket = socketOf(client)
  if (!(socket instanceof TLSSocket)) return 'not encrypted'
  return `encrypted with ${socket.getProtocol()}, the certificate ${socket.authorized ? 'verified' : 'not verified'}`
}
