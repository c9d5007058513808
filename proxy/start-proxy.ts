import { once } from 'node:events'
import { Agent, createServer } from 'node:http'
import { Agent as TlsAgent } from 'node:https'
import { isIPv6, type AddressInfo } from 'node:net'
import { forward } from './forward.ts'
import { Judges, type Judgement } from './judgement.ts'
import { ProxyError, Store } from './store.ts'

export interface ProxyOptions {
  /** The base URL of the service. */
  readonly target: string
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  /** Whether to judge both sides of the traffic, or only to count. */
  readonly judge: boolean
  /** A folder for exchanges.ndjson. Default: nothing is stored. */
  readonly store?: string | undefined
  /** Also stores the bodies, with the values of rows. */
  readonly storeBodies: boolean
  /** Most bytes of a body that are kept to be judged or stored. */
  readonly keptBytes: number
  /** Certificate authorities to trust instead of the built-in ones, in PEM. */
  readonly ca?: readonly string[] | undefined
  /** Called with a sentence when the target gives no answer, or an exchange is not judged or stored. */
  readonly say: (sentence: string) => void
}

export interface Proxy {
  /** Such as `http://127.0.0.1:4020`. */
  readonly origin: string
  /** What the traffic showed so far. */
  report(): Judgement
  /** Ends all connections at once. Exchanges under way count as aborted. */
  close(): Promise<Judgement>
}

/** An idle connection to the service is kept for 4 s: less than most services keep it. */
const idle = { keepAlive: true, timeout: 4000 }

/**
 * Starts a proxy between a client and a service.
 *
 * @throws ProxyError if it cannot listen, or cannot write to the folder of `store`
 */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { host, port, judge, store: folder, storeBodies, ca, keptBytes, say } = options
  const store = folder === undefined ? undefined : new Store(folder, storeBodies, say)
  const judges = new Judges(judge, say)
  const target = new URL(options.target)
  const agent =
    target.protocol === 'https:' ? new TlsAgent({ ...idle, ...(ca && { ca: [...ca] }) }) : new Agent(idle)
  const running = new Set<Promise<void>>()
  const server = createServer((incoming, outgoing) => {
    const passing = forward(incoming, outgoing, { target, agent, keptBytes, say }).then((exchange) => {
      running.delete(passing)
      if (!exchange) return
      store?.add(exchange, judges.exchanges)
      judges.add(exchange)
    })
    running.add(passing)
  })
  try {
    await once(server.listen(port, host), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ProxyError(
      `The proxy cannot listen on ${host}:${port} (${code}). Choose another address with --listen.`,
    )
  }
  const { address, port: actual } = server.address() as AddressInfo
  const report = () => judges.judgement(store?.notStored ?? 0)
  return {
    origin: `http://${isIPv6(address) ? `[${address}]` : address}:${actual}`,
    report,
    close: async () => {
      server.close()
      server.closeAllConnections()
      await Promise.all(running)
      agent.destroy()
      return report()
    },
  }
}
