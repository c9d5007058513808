import { connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  AccessRefused,
  type ClientOptions,
  ConnectionFailed,
  createClient,
  ExecutionFailed,
  ServiceBusy,
  TimeLimitExceeded,
  UnexpectedAnswer,
} from '../../client/index.ts'
import {
  createReference,
  startServer,
  type FaultList,
  type FaultText,
  type Reference,
  type Server,
} from '../../mock/index.ts'
import { ask } from '../support/ask.ts'

const statement = 'SELECT id, name FROM v_quantities ORDER BY id LIMIT 20'
let server: Server
let reference: Reference
let plain: string

beforeAll(async () => {
  const options = { scale: 0.01, tokens: ['t'] }
  ;[server, reference] = await Promise.all([startServer(options), createReference(options)])
  plain = await (await post()).text()
})
afterEach(() => {
  server.faults.clear()
  reference.faults.clear()
})
afterAll(() => Promise.all([server.close(), reference.close()]))

const request = (sql = statement) => ({
  method: 'POST',
  headers: { authorization: 'Bearer t', 'content-type': 'application/json' },
  body: JSON.stringify({ statement: sql }),
})
const post = (sql?: string, { baseUrl } = server) => fetch(`${baseUrl}/external/v1/statements/`, request(sql))

/** Whether an answer is whole or broken. */
const outcome = () =>
  post()
    .then((response) => response.text())
    .then(
      () => 'whole',
      () => 'broken',
    )

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
    const own = await startServer({ scale: 0.01, tokens: ['t'] })
    const sql = 'SELECT * FROM v_timeseries_data ORDER BY id, timestamp LIMIT 6000'
    const all = await (await post(sql, own)).text()
    for (const framing of ['content-length', 'chunked']) {
      own.faults.replace([`truncate:300KB,times=1,framing=${framing}`])
      let received = ''
      const decoder = new TextDecoder()
      const read = async () => {
        for await (const part of (await post(sql, own)).body!)
          received += decoder.decode(part as Uint8Array, { stream: true })
      }
      await expect(read()).rejects.toThrow()
      expect(received === all.slice(0, 300_000)).toBe(true)
      // a stream that ends early costs its engine, and another one takes a while to start
      while ((await ask(own, 'SELECT 1')).status === 503);
    }
    await own.close()
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

  test('limit answers 429 with Retry-After and keeps the connection', async () => {
    server.faults.replace(['limit:1/h'])
    expect((await ask(server, 'SELECT 1 AS n')).status).toBe(200)
    const { status, retryAfter, message } = await ask(server, 'SELECT 1 AS n')
    expect(status).toBe(429)
    expect(Number(retryAfter)).toBeGreaterThan(3500)
    expect(message).toContain('Too many requests')
  })

  test('applies to every n-th request, and the server answers the others', async () => {
    server.faults.replace(['reset,every=2', 'truncate:10,every=3'])
    const outcomes = []
    for (let n = 0; n < 6; n++) outcomes.push(await outcome())
    // truncate counts the requests that reset let through
    expect(outcomes).toEqual(['whole', 'broken', 'whole', 'broken', 'broken', 'broken'])
    expect(server.faults.list()).toMatchObject([
      { matched: 6, struck: 3 },
      { matched: 3, struck: 1 },
    ])
  })

  test('can be set, counted and cleared through /_mock/faults', async () => {
    const admin = async (method: string, body?: unknown) => {
      const init = { method, headers: { 'content-type': 'application/json' } }
      const response = await fetch(`${server.baseUrl}/_mock/faults`, {
        ...init,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return (await response.json()) as { faults: object[] }
    }
    await admin('PUT', { faults: ['timeout,on=v_formulas'] })
    expect((await ask(server, 'SELECT * FROM v_formulas')).status).toBe(504)
    expect(await admin('GET')).toMatchObject({
      faults: [{ spec: 'timeout,on=v_formulas', matched: 1, struck: 1 }],
    })
    await admin('POST', 'reset,on=v_quantities')
    await expect(ask(server, statement)).rejects.toThrow('fetch failed')
    expect(await admin('DELETE')).toEqual({ faults: [] })
    expect((await ask(server, statement)).status).toBe(200)
  })
})

type Connection = readonly [
  where: string,
  options: () => Pick<ClientOptions, 'baseUrl' | 'fetch'>,
  faults: (list: FaultList) => void,
]
const connections: readonly Connection[] = [
  ['over a socket', () => ({ baseUrl: server.baseUrl }), (list) => server.faults.replace(list)],
  [
    'in the process',
    () => ({ baseUrl: reference.baseUrl, fetch: reference.fetch }),
    (list) => reference.faults.replace(list),
  ],
]

describe.each(connections)('the typed client %s', (_, options, set) => {
  /** A client that counts its requests. */
  function counting() {
    let sent = 0
    const { baseUrl, fetch: send = fetch } = options()
    const client = createClient({ baseUrl, token: 't', fetch: (...args) => (sent++, send(...args)) })
    return { client, sent: () => sent }
  }

  test.each<[FaultText, new (...args: never[]) => Error, object]>([
    ['status:500', ExecutionFailed, { status: 500, retryable: false }],
    ['status:503', ServiceBusy, { status: 503, retryable: true, retryAfterMs: undefined }],
    ['status:503,retry-after=2s', ServiceBusy, { status: 503, retryAfterMs: 2000 }],
    ['limit:1/h,on=*', ServiceBusy, { status: 429, retryable: true }],
    ['reset', ConnectionFailed, { status: undefined, retryable: true }],
    ['reset:100', ConnectionFailed, { status: 200, retryable: false }],
    ['truncate:100', ConnectionFailed, { status: 200, retryable: false }],
    ['truncate:100,framing=chunked', ConnectionFailed, { status: 200, retryable: false }],
    ['truncate:100,framing=complete', UnexpectedAnswer, { status: 200, retryable: false }],
    ['expire:after=0', AccessRefused, { status: 401, retryable: false }],
    ['timeout', TimeLimitExceeded, { status: 504, retryable: false }],
  ])('throws one error class for %s and sends nothing twice', async (spec, outcome, members) => {
    set([spec])
    const { client, sent } = counting()
    // one request per hour: the first one passes
    if (spec.startsWith('limit')) await client.query('SELECT 1 AS n')
    const before = sent()
    const error: unknown = await client.query(statement).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(outcome)
    expect(error).toMatchObject(members)
    expect(sent() - before).toBe(1)
  })

  test.each(['latency:1ms-5ms', 'drip:100KB/s', 'status:503,skip=1'] as const)(
    'gets all rows with %s',
    async (spec) => {
      set([spec])
      expect(await counting().client.query(statement)).toHaveLength(20)
    },
  )
})

test('the typed client asks its token function for the next token after one expires', async () => {
  const two = await createReference({ scale: 0.01, tokens: ['first', 'second'], faults: ['expire:after=2'] })
  let token = 'first'
  const client = createClient({ baseUrl: two.baseUrl, fetch: two.fetch, token: () => token })
  await client.query('SELECT 1')
  await client.query('SELECT 1')
  await expect(client.query('SELECT 1')).rejects.toThrow(AccessRefused)
  token = 'second'
  expect(await client.query('SELECT 1 AS n')).toEqual([{ n: 1 }])
  await two.close()
})
