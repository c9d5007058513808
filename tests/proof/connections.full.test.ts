import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, afterEach, expect, test } from 'vitest'
import { judge, startReference } from './support/self-proof.ts'

/** A request as it came over its connection, and the reply of the reference to it. */
interface Asked {
  /** Its number on its connection. */
  n: number
  /** Its body as read up to each packet. */
  packets: string[]
  idleMs: number
  closes: boolean
  /** The text of the reply before it on its connection. */
  before: string
  status: number
  text: string
}

/** What a server sends instead of the reply, and behind it. */
type Change = {
  status?: number
  text?: string
  behind?: string
  afterMs?: number
  headers?: Record<string, string>
  cut?: true
}

const reference = await startReference()
const servers: Server[] = []
afterEach(() => servers.splice(0).forEach((server) => (server.close(), server.closeAllConnections())))
afterAll(() => reference.close())

const aborted = JSON.stringify({
  data: [],
  status: { state: 'error', message: 'current transaction is aborted' },
})
const isError = (text: string) => text.includes('"error"')

/** Starts a server in front of the reference that knows its connections. */
async function start(change: (asked: Asked) => Change, options: { keepAliveTimeout?: number } = {}) {
  const known = new WeakMap<Socket, { n: number; at: number; before: string }>()
  const server = createServer(options, async (request, response) => {
    const { socket, url, method, headers } = request
    const connection = known.get(socket) ?? { n: 0, at: Date.now(), before: '' }
    known.set(socket, connection)
    const idleMs = Date.now() - connection.at
    const packets: string[] = []
    for await (const bytes of request) packets.push((packets.at(-1) ?? '') + String(bytes))
    const { authorization = '' } = headers
    const answer = await reference.fetch(reference.baseUrl + url!, {
      method: method!,
      headers: { 'content-type': 'application/json', authorization },
      ...(method === 'POST' && { body: packets.at(-1) ?? '' }),
    })
    const closes = headers.connection === 'close'
    const { status } = answer
    const text = await answer.text()
    const { n, before } = connection
    const changed = change({ n: n + 1, packets, idleMs, closes, before, status, text })
    const body = Buffer.from(changed.text ?? text)
    response.writeHead(changed.status ?? status, { 'Content-Length': body.length, ...changed.headers })
    Object.assign(connection, { n: n + 1, at: Date.now(), before: text })
    if (changed.cut) return response.write(body.subarray(0, body.length >> 1), () => socket.destroy())
    response.end(body, () => {
      if (changed.behind) setTimeout(() => socket.write(changed.behind!), changed.afterMs ?? 0)
    })
  })
  servers.push(server)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const report = await judge({ ...reference, baseUrl, fetch }, ['replies.steady:*'])
  return report.checks.flatMap(({ id, outcome, message }) =>
    outcome === 'pass' ? [] : [`${id} ${outcome}: ${message}`],
  )
}

test.each<[string, (asked: Asked) => Change]>([
  [
    'reads the body of a refused token as a request',
    ({ status }) =>
      status === 401 ? { behind: 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n' } : {},
  ],
  [
    'reads the body of a refused token as a request, and answers it late',
    ({ status }) =>
      status === 401 ? { behind: 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n', afterMs: 22 } : {},
  ],
  [
    'sends a line break and a page behind an error',
    ({ text }) => (isError(text) ? { behind: '\r\n<p>Error</p>' } : {}),
  ],
  ['ends the reply to Connection: close too early', ({ closes }) => (closes ? { cut: true } : {})],
  [
    'reads a body only to its first packet',
    ({ packets }) => (packets.length > 1 ? { status: 400, text: 'Unexpected end' } : {}),
  ],
  [
    'sends nothing but headers over a connection that was idle',
    ({ idleMs }) => (idleMs > 1000 ? { text: '' } : {}),
  ],
  ['refuses each fifth request of a connection', ({ n }) => (n % 5 === 0 ? { status: 500, text: '' } : {})],
  [
    'refuses what comes behind a failed statement',
    ({ before }) => (isError(before) ? { text: aborted } : {}),
  ],
  // bytes that come after 22 ms are found at another request each time if the machine is busy
])('a server that %s fails', { retry: 2 }, async (_, change) => {
  expect(await start(change)).toContainEqual(expect.stringContaining('replies.steady:served fail'))
})

test.each<[string, (asked: Asked) => Change, { keepAliveTimeout?: number }?]>([
  ['announces the end of each connection', () => ({ headers: { Connection: 'close' } })],
  [
    'closes a connection behind three requests',
    ({ n }) => (n % 3 === 0 ? { headers: { Connection: 'close' } } : {}),
  ],
  ['closes idle connections', () => ({}), { keepAliveTimeout: 500 }],
  [
    'announces with a 408 that it closes',
    ({ status }) => (status === 401 ? { behind: 'HTTP/1.1 408 Request Timeout\r\n\r\n', afterMs: 5 } : {}),
  ],
  [
    'refuses one request in a run',
    (() => {
      let n = 0
      return () => (++n === 30 ? { status: 500, text: '' } : {})
    })(),
  ],
])('a server that %s is not blamed', async (_, change, options) => {
  expect(await start(change, options)).toEqual([])
})
