import { TLSSocket } from 'node:tls'
import type pg from 'pg'
import type { HostAddress } from './address.ts'
import { connect, destroy, socketOf } from './connect.ts'
import { Connection } from './connection.ts'
import { DatabaseError, explainConnectError } from '../errors.ts'

/** SQLSTATE of a server without a free connection. */
const tooManyConnections = '53300'

export interface HostsOptions {
  readonly addresses: readonly HostAddress[]
  /** Looks at a host over a new connection. @returns what its statements lack @throws Error if it must not answer */
  readonly inspect: (client: pg.Client, host: string) => Promise<string | undefined>
  readonly log: (message: string) => void
}

/** The hosts of a database. One answers all statements until it cannot be connected to; then the next one that can does. */
export class Hosts {
  readonly #options: HostsOptions
  #current = 0
  #hasAnswered = false
  /** Why the last connection failed, or what its statements lack, in sentences for the operator. */
  problem: string | undefined
  /** What was logged last of each host. */
  readonly #said = new Map<string, string>()

  constructor(options: HostsOptions) {
    this.#options = options
  }

  get count(): number {
    return this.#options.addresses.length
  }

  /** The name of the host that answers statements. */
  get current(): string {
    return this.#options.addresses[this.#current]!.name
  }

  /**
   * Opens a connection to the current host, or to the next one that may answer. A host without a free connection is not lost.
   *
   * @throws DatabaseError that says why there is none
   */
  async connect(): Promise<Connection> {
    const { addresses } = this.#options
    const first = this.#current
    const failures = new Map<string, string>()
    for (let n = 0; n < addresses.length; n++) {
      const at = (first + n) % addresses.length
      const address = addresses[at]!
      const { name } = address
      try {
        const [client, lacking] = await this.#open(address)
        this.#current = at
        this.#hasAnswered = true
        this.problem = lacking
        const sentences = [`Statements go to ${name}, ${encryptionOf(client)}.`, lacking ?? []].flat()
        // with those that were asked before
        this.#say(failures.set(name, sentences.join(' ')))
        return new Connection(client, name)
      } catch (error) {
        failures.set(name, explainConnectError(name, error))
        if ((error as { code?: string }).code === tooManyConnections) break
      }
    }
    // the caller reports why no host answered at the start
    if (this.#hasAnswered) this.#say(failures)
    this.problem = [...failures.values()].join(' ')
    throw new DatabaseError(this.problem)
  }

  async #open(address: HostAddress): Promise<readonly [client: pg.Client, lacking: string | undefined]> {
    const { config } = address
    const client = await connect({
      ...address,
      config: { ...config, query_timeout: config.connectionTimeoutMillis },
    })
    try {
      return [client, await this.#options.inspect(client, address.name)]
    } catch (error) {
      destroy(client)
      throw error
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
