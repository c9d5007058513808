import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect } from 'vitest'
import { runConformance, type ConformanceOptions } from '../../../conformance/index.ts'
import { validators, type ConformanceReport } from '../../../schemas/index.ts'

export interface HostileTarget {
  baseUrl: string
  /** Number of requests, or of connections if it does not speak HTTP. */
  requests: number
  close(): Promise<void>
}

/** Starts an HTTP server with the given answers; `n` counts its requests from 1. */
export function startHttpTarget(
  answer: (response: ServerResponse, n: number, request: IncomingMessage) => void,
): Promise<HostileTarget> {
  const target = { requests: 0 }
  const server = createServer((request, response) => {
    request.resume()
    answer(response, ++target.requests, request)
  })
  return listening(server, target)
}

/** Starts a server that does not speak HTTP. */
export function startTcpTarget(speak: (socket: Socket) => void): Promise<HostileTarget> {
  const target = { requests: 0 }
  const server = createTcpServer((socket) => {
    target.requests++
    socket.on('error', () => {}) // a client that disconnects
    speak(socket)
  })
  return listening(server, target)
}

async function listening(server: Server, target: { requests: number }): Promise<HostileTarget> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const started = Object.assign(target, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  })
  running.push(started)
  return started
}

const running: HostileTarget[] = []

/** Closes all targets of a test file, for `afterEach` or `afterAll`. */
export async function closeTargets(): Promise<void> {
  for (const target of running.splice(0)) await target.close()
}

/** Runs the suite with a short limit. Expects a valid report without errors and tokens, whatever the target does. */
export async function judged(
  options: Partial<ConformanceOptions> & { baseUrl: string },
): Promise<ConformanceReport> {
  const report = await runConformance({ token: 'hostile-token', timeLimitMs: 100, ...options })
  const asFile: unknown = JSON.parse(JSON.stringify(report))
  expect(validators.report(asFile), JSON.stringify(validators.report.errors)).toBe(true)
  expect(report.checks.filter(({ outcome }) => outcome === 'error')).toEqual([])
  expect(JSON.stringify(report)).not.toContain('hostile-token')
  return report
}

export const failures = ({ checks }: ConformanceReport): string[] =>
  checks.filter(({ outcome }) => outcome === 'fail').map(({ id, message }) => `${id}: ${message}`)

/** The body of a success; `rows` is JSON. */
export const success = (rows: string): string =>
  `{"data":${rows},"status":{"state":"success","message":"ok"}}`

/** Starts a server that takes requests and never answers. */
export const startHangingTarget = (): Promise<HostileTarget> => startHttpTarget(() => {})
