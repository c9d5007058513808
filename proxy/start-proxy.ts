import { createServer } from 'node:http'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import { forwardTo, MOST_HEADER_BYTES } from './forward.ts'
import type { Judgement } from './judge/judgement.ts'
import { JudgeThread } from './judge/thread.ts'
import { Recorder } from './recorder.ts'

/** The proxy cannot start; the message names the remedy. */
export class ProxyError extends Error {
  override name = 'ProxyError'
}

export interface ProxyOptions {
  /** The base URL of the service. */
  readonly target: string
  readonly host: string
  /** 0: a free port. */
  readonly port: number
  /** Judges both sides of the traffic. Default: false. */
  readonly judge?: boolean
  /** A folder for exchanges.ndjson. Default: nothing is stored. */
  readonly store?: string | undefined
  /** Also stores the bodies, with the values of rows. */
  readonly storeBodies?: boolean
  /** Most bytes of a body that are kept to be judged or stored. Default: 1 MiB. */
  readonly keptBytes?: number
  /** Certificate authorities to trust in addition to the built-in ones, in PEM. */
  readonly ca?: readonly string[] | undefined
  /** Called with a sentence when the target gives no answer or the judge fails. */
  readonly say?: (sentence: string) => void
}

export interface Proxy {
  /** Such as `http://127.0.0.1:4020`. */
  readonly origin: string
  /** What the traffic showed so far; undefined without `judge`. */
  report(): Promise<Judgement | undefined>
  /** Ends all connections. Exchanges that passed before are judged and stored. */
  close(): Promise<Judgement | undefined>
}

const KEPT_BYTES = 1024 * 1024

/** Starts a proxy between a client and a service that changes nothing. @throws ProxyError if it cannot listen */
export async function startProxy(options: ProxyOptions): Promise<Proxy> {
  const { host, port, judge = false, store, storeBodies = false, keptBytes = KEPT_BYTES, ca } = options
  const say = options.say ?? (() => {})
  const target = new URL(options.target)
  const task = { judge, basePath: '', storeBodies, ...(store !== undefined && { store }) }
  let thread: JudgeThread | undefined =
    judge || store !== undefined
      ? new JudgeThread(task, (error) => {
          thread = undefined
          say(`The judge failed (${error.message}). Traffic passes; nothing more is judged or stored.`)
        })
      : undefined
  const running = new Set<Recorder>()
  const listener = forwardTo({
    target,
    onFailure: say,
    record: (incoming) => {
      const recorder: Recorder = new Recorder(incoming, thread ? keptBytes : 0, (exchange) => {
        running.delete(recorder)
        thread?.add(exchange)
      })
      running.add(recorder)
      return recorder
    },
    ...(ca && { ca }),
  })
  // the service decides how long a request may take, and how long a connection may be idle
  const server = createServer(
    {
      keepAliveTimeout: 0,
      requestTimeout: 0,
      headersTimeout: 60_000,
      maxHeaderSize: MOST_HEADER_BYTES,
      requireHostHeader: false,
    },
    listener,
  )
  // without these listeners, node answers 100, 417 or 400 on its own
  server.on('checkContinue', listener)
  server.on('checkExpectation', listener)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code?.startsWith('HPE_')) say(`A client sent something that is not HTTP (${error.code}).`)
    socket.destroy()
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(
        new ProxyError(
          `The proxy cannot listen on ${host}:${port} (${error.code}). Choose another address with --listen.`,
        ),
      ),
    )
    server.listen(port, host, resolve)
  }).catch(async (error: unknown) => {
    await thread?.close()
    throw error
  })
  const { address, port: actual } = server.address() as AddressInfo
  const report = async () => (judge ? thread?.report() : undefined)
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const socket of sockets) socket.destroy()
    await closed
    for (const recorder of running) recorder.end('aborted')
    const last = await report()
    await thread?.close()
    return last
  }
  let closing: ReturnType<typeof close> | undefined
  return {
    origin: `http://${isIPv6(address) ? `[${address}]` : address}:${actual}`,
    report,
    close: () => (closing ??= close()),
  }
}
