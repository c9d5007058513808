import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { isIPv6, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Thrown for options that the server cannot use; the message names the remedy. */
export class ServerError extends Error {
  override readonly name = 'ServerError'
}

export interface Address {
  host: string
  port: number
}

/** A certificate and its key, as PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Longest time for the headers of a request to arrive, and for the whole request, in milliseconds. */
const HEADERS_WITHIN_MS = 10_000
const REQUEST_WITHIN_MS = 60_000

/** Longest time that a stop waits for running requests, in milliseconds. */
const GRACE_MS = 5000

/**
 * Parses an address such as `127.0.0.1:4010`, `[::1]:0` or `localhost:4010`.
 *
 * @throws ServerError when the text is not a host and a port
 */
export function parseAddress(text: string): Address {
  const [, host, port] = /^(\[[0-9a-fA-F:]+\]|[\w.-]+):(\d{1,5})$/.exec(text) ?? []
  if (host === undefined || Number(port) > 65_535)
    throw new ServerError(
      `"${text}" is not an address to listen on. Write host:port, such as 127.0.0.1:4010; port 0 takes a free port.`,
    )
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

/** Whether only this machine can reach a server on the host. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)

/** An open socket. */
export interface Listening {
  /** Such as `http://127.0.0.1:4010`. */
  readonly origin: string
  /** Goes on for a time, in milliseconds, and asks clients to leave: each answer is the last one of its connection. */
  drain(ms: number): Promise<void>
  /** Accepts no more connections, lets running requests end for at most 5 s, then closes the remaining connections. */
  stop(): Promise<void>
}

/** Opens the socket, with a certificate for HTTPS. @throws ServerError if the system refuses the address or the certificate */
export async function listen(
  listener: RequestListener,
  { host, port }: Address,
  certificate?: Certificate,
): Promise<Listening> {
  const options = {
    headersTimeout: HEADERS_WITHIN_MS,
    requestTimeout: REQUEST_WITHIN_MS,
    connectionsCheckingInterval: 2000,
    // as in Fetch: two tokens are none, and not the first of them
    joinDuplicateHeaders: true,
  }
  const server = certificate ? secureServer(options, certificate, listener) : createServer(options, listener)
  // as many headers as fit: node would drop those after the first thousand
  server.maxHeadersCount = 0
  // a client may end its side after its request
  Object.assign(server, { httpAllowHalfOpen: true })
  // a request that arrives late is not late while the listener has paused its connection
  const emit: (name: string, ...values: unknown[]) => boolean = server.emit.bind(server)
  server.emit = (name: string, ...values: unknown[]) => isOfPaused(values) || emit(name, ...values)
  // The listener decides when a client that waits for 100 Continue may send its body.
  server.on('checkContinue', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  // Connections that node does not count as idle, but that must not delay a stop: those without a first request, which
  // browsers open in advance, and those that become idle after the stop.
  const unused = new Set<Socket>()
  server.on(certificate ? 'secureConnection' : 'connection', (socket: Socket) => {
    // its handshake began before the stop
    if (!server.listening) return socket.destroy()
    // not before, because a client that gives up its handshake has left
    socket.allowHalfOpen = true
    unused.add(socket)
    socket.once('close', () => unused.delete(socket))
  })
  let isDraining = false
  server.on('request', ({ socket }, outgoing) => {
    unused.delete(socket)
    if (isDraining) outgoing.shouldKeepAlive = false
    outgoing.once('close', () => {
      if (!server.listening) server.closeIdleConnections()
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(new ServerError(explain(cause.code, cause.message, host, port), { cause })),
    )
    server.listen(port, host, resolve)
  })
  return {
    origin: originOf(server.address() as AddressInfo, certificate ? 'https' : 'http'),
    drain: async (ms) => {
      isDraining = true
      await sleep(ms)
    },
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of unused) socket.destroy()
      const timer = setTimeout(() => server.closeAllConnections(), GRACE_MS)
      await closed
      clearTimeout(timer)
    },
  }
}

const isOfPaused = ([error, socket]: readonly unknown[]): boolean =>
  (error as NodeJS.ErrnoException | undefined)?.code === 'ERR_HTTP_REQUEST_TIMEOUT' &&
  (socket as Socket).isPaused()

function secureServer(options: object, certificate: Certificate, listener: RequestListener) {
  try {
    return createSecureServer({ ...options, ...certificate, handshakeTimeout: HEADERS_WITHIN_MS }, listener)
  } catch (cause) {
    const { message } = cause as Error
    throw new ServerError(
      `The certificate and its key cannot be used: ${message}. Give a PEM file of each that belong together.`,
      { cause },
    )
  }
}

function originOf({ address, port }: AddressInfo, scheme: string): string {
  return `${scheme}://${isIPv6(address) ? `[${address}]` : address}:${port}`
}

function explain(code: string | undefined, message: string, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is in use. Stop the other server, or listen elsewhere: --listen ${host}:0 takes a free port.`
    case 'EACCES':
      return `This user may not open port ${port}. Choose another port, above 1023.`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is no address of this machine. Listen on 127.0.0.1, or on an address of this machine.`
    default:
      return `The server cannot listen on ${host}:${port}: ${message}.`
  }
}
