import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { expect } from 'vitest'
import { runConformance, type ConformanceOptions } from '../../conformance/index.ts'
import { validators, type ConformanceReport } from '../../schemas/index.ts'

export interface HostileTarget {
  baseUrl: string
  /** Requests, or connections where it speaks no HTTP. */
  requests: number
  close(): Promise<void>
}

/** A server on the loopback that answers as it likes; `n` counts its requests from 1 on. */
export function answering(
  answer: (response: ServerResponse, n: number, request: IncomingMessage) => void,
): Promise<HostileTarget> {
  const target = { requests: 0 }
  const server = createServer((request, response) => {
    request.resume()
    answer(response, ++target.requests, request)
  })
  return listening(server, target)
}

/** A server that does not even speak HTTP. */
export function speaking(speak: (socket: Socket) => void): Promise<HostileTarget> {
  const target = { requests: 0 }
  const server = createTcpServer((socket) => {
    target.requests++
    socket.on('error', () => {}) // a client that goes away
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
  return Object.assign(target, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  })
}

/** Judges with a short limit. The report has to be whole whatever the target does, and no check may break. */
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

/** The body of a success with these rows, given as JSON. */
export const success = (rows: string): string =>
  `{"data":${rows},"status":{"state":"success","message":"ok"}}`

/** Takes a request, and never answers. */
export const hanging = (): Promise<HostileTarget> => answering(() => {})
