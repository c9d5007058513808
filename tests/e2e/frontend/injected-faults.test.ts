import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { ConnectionFailed, createClient, ServiceBusy, UnexpectedAnswer } from '../../../client/index.ts'
import { startServer, type FaultText, type Server } from '../../../mock/index.ts'
import { ask } from '../support/ask.ts'

const statement = 'SELECT id, name FROM v_quantities ORDER BY id LIMIT 20'
let server: Server
let plain: string

beforeAll(async () => {
  server = await startServer({ scale: 0.01, token: 't' })
  plain = await (await post()).text()
})
afterEach(() => server.faults.clear())
afterAll(() => server.close())

const request = (sql = statement) => ({
  method: 'POST',
  headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  body: JSON.stringify({ statement: sql }),
})
const post = (sql?: string) => fetch(`${server.baseUrl}/external/v1/statements/`, request(sql))

/** The bytes of an answer until the server ends the connection, and the error that ended it. */
function wire(acceptEncoding = 'identity'): Promise<{ head: string; body: Buffer; end: string }> {
  const { hostname, port } = new URL(server.baseUrl)
  const { body } = request()
  return new Promise((resolve) => {
    const received: Buffer[] = []
    let end = 'closed'
    const socket = connect(Number(port), hostname, () =>
      socket.write(
        `POST /external/v1/statements/ HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer t\r\naccept-encoding: ${acceptEncoding}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      ),
    )
    socket.on('data', (data) => received.push(data))
    socket.on('error', ({ code }: NodeJS.ErrnoException) => (end = code!))
    socket.once('close', () => {
      const all = Buffer.concat(received)
      const at = all.indexOf('\r\n\r\n')
      resolve({ head: String(all.subarray(0, Math.max(at, 0))), body: all.subarray(at + 4), end })
    })
  })
}

/** Decodes a chunked body. @returns the body, and whether the last chunk arrived */
function unchunked(body: Buffer): { body: Buffer; isWhole: boolean } {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length;) {
    const end = body.indexOf('\r\n', at)
    const length = Number.parseInt(String(body.subarray(at, end)), 16)
    if (length === 0) return { body: Buffer.concat(parts), isWhole: true }
    parts.push(body.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
  return { body: Buffer.concat(parts), isWhole: false }
}

describe('an injected fault over a socket', () => {
  test('reset sends no byte and resets the connection', async () => {
    server.faults.replace(['reset'])
    expect(await wire()).toEqual({ head: '', body: Buffer.alloc(0), end: 'ECONNRESET' })
  })

  test.each(['reset:100', 'truncate:100'] as const)(
    '%s declares the whole length and sends 100 bytes',
    async (spec) => {
      server.faults.replace([spec])
      const { head, body } = await wire('gzip')
      expect(head).toMatch(/^HTTP\/1\.1 200 /)
      expect(head).toMatch(new RegExp(`^content-length: ${plain.length}\r?$`, 'im'))
      expect(String(body)).toBe(plain.slice(0, 100))
    },
  )

  test('truncate with framing=chunked sends 100 bytes and no last chunk', async () => {
    server.faults.replace(['truncate:100,framing=chunked'])
    const { head, body } = await wire()
    expect(head).toMatch(/^transfer-encoding: chunked\r?$/im)
    const decoded = unchunked(body)
    expect([String(decoded.body), decoded.isWhole]).toEqual([plain.slice(0, 100), false])
  })

  test('truncate with framing=complete sends a short body that is complete for HTTP', async () => {
    server.faults.replace(['truncate:100,framing=complete'])
    expect(await (await post()).text()).toBe(plain.slice(0, 100))
  })

  test('truncate ends a stream of many rows after 300 KB, and the server answers again', async () => {
    const sql = 'SELECT * FROM v_timeseries_data ORDER BY id, timestamp LIMIT 6000'
    const all = await (await post(sql)).text()
    for (const framing of ['content-length', 'chunked']) {
      server.faults.replace([`truncate:300KB,times=1,framing=${framing}`])
      let received = ''
      const decoder = new TextDecoder()
      const read = async () => {
        for await (const part of (await post(sql)).body!)
          received += decoder.decode(part as Uint8Array, { stream: true })
      }
      await expect(read()).rejects.toThrow()
      expect(received === all.slice(0, 300_000)).toBe(true)
      // a stream that ends early costs its engine, and another one takes a while to start
      while ((await ask(server, 'SELECT 1')).status === 503);
    }
  })

  test('drip sends all bytes in several parts without compression', async () => {
    server.faults.replace(['drip:10KB/s'])
    const response = await post()
    expect(response.headers.get('content-encoding')).toBeNull()
    const parts: string[] = []
    for await (const part of response.body!) parts.push(new TextDecoder().decode(part as Uint8Array))
    expect(parts.join('')).toBe(plain)
    expect(parts.length).toBeGreaterThan(1)
    server.faults.clear()
    expect(String(gunzipSync((await wire('gzip')).body))).toBe(plain)
  })
})

test.each<[FaultText, new (...args: never[]) => Error, object]>([
  ['status:503,retry-after=2s', ServiceBusy, { status: 503, retryable: true, retryAfterMs: 2000 }],
  ['reset', ConnectionFailed, { status: undefined, retryable: true, cause: expect.any(TypeError) }],
  ['reset:100', ConnectionFailed, { status: 200, retryable: false }],
  ['truncate:100', ConnectionFailed, { status: 200, retryable: false }],
  ['truncate:100,framing=chunked', ConnectionFailed, { status: 200, retryable: false }],
  ['truncate:100,framing=complete', UnexpectedAnswer, { status: 200, retryable: false }],
])(
  'the typed client throws one error class for %s and sends nothing twice',
  async (spec, outcome, members) => {
    server.faults.replace([spec])
    const error: unknown = await createClient(server)
      .query(statement)
      .catch((error: unknown) => error)
    expect(error).toBeInstanceOf(outcome)
    expect(error).toMatchObject(members)
    expect(server.faults.list()).toMatchObject([{ matched: 1 }])
  },
)
