import { EventEmitter, once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http'
import { connect } from 'node:net'
import { connect as connectSecurely } from 'node:tls'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { answerWhole, type Answer } from '../../app/answer/answer.ts'
import { createSettings } from '../../open-points/settings.ts'
import { appOf, body, pages, token } from '../../app/request.test-helper.ts'
import type { Call } from '../../app/request/call.ts'
import { loopbackCertificate } from '../../../tests/e2e/support/loopback-certificate.ts'
import { type Certificate, listen } from './listen.ts'
import { createListener } from './listener.ts'
import { raw, send } from '../request.test-helper.ts'

const printed = vi.fn()
const closing: (() => Promise<void>)[] = []

beforeEach(() => {
  printed.mockClear()
  for (const method of ['error', 'info', 'warn', 'log'] as const)
    vi.spyOn(console, method).mockImplementation(printed)
  process.on('unhandledRejection', printed)
})
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  process.off('unhandledRejection', printed)
  vi.restoreAllMocks()
  expect(printed).not.toHaveBeenCalled()
})

/** Starts an application on a socket. */
async function serve(...args: Parameters<typeof appOf>) {
  const { log, ...app } = appOf(...args)
  const { origin, stop } = await listen(createListener(app), { host: '127.0.0.1', port: 0 })
  closing.push(stop)
  return { baseUrl: origin, token, log }
}

const head = (extra: string) =>
  `POST /external/v1/statements/ HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${extra}\r\n\r\n`

/** Rows of about 100 bytes each. */
const page = (from: number, rows: number) =>
  Array.from(
    { length: rows },
    (_, n) => `${from + n ? ',' : ''}{"n":${from + n},"text":"${'x'.repeat(80)}"}`,
  ).join('')

async function* slowPages() {
  yield new TextEncoder().encode(page(0, 20))
  await new Promise((resolve) => setTimeout(resolve, 20))
  yield new TextEncoder().encode(page(20, 20))
}

test('an answer declares its length unless it streams rows', async () => {
  const refused = await send({ ...(await serve()), token: 'wrong' }, 'SELECT 1')
  expect(refused.headers.get('content-length')).toBe(String((await refused.text()).length))
  const whole = await send(await serve(), 'SELECT 1')
  expect(whole.headers.get('content-length')).toBe(String((await whole.text()).length))
  const late = await send(await serve(() => ({ columns: [], chunks: slowPages() })), 'SELECT 1')
  expect(late.headers.get('content-length')).not.toBeNull()
  expect(((await late.json()) as { data: unknown[] }).data).toHaveLength(40)
  const rows = await send(await serve(() => pages(page(0, 20_000))), 'SELECT 1')
  expect(rows.headers.get('content-length')).toBeNull()
  expect(((await rows.json()) as { data: unknown[] }).data).toHaveLength(20_000)
})

test('the answer to a preflight has no body, and declares none', async () => {
  const { baseUrl } = await serve()
  const asked = ['access-control-request-method: POST', 'access-control-request-headers: authorization']
  const request = head(['origin: http://localhost:5173', ...asked, 'connection: close'].join('\r\n'))
  const answer = await raw(baseUrl, [request.replace('POST', 'OPTIONS')])
  expect(answer).toMatch(/^HTTP\/1\.1 204 /)
  expect(answer).toMatch(/^access-control-allow-headers: authorization\r$/m)
  expect(answer).not.toMatch(/^(content-length|transfer-encoding):/im)
})

/** Serves an answer that breaks its connection. */
const serveBroken = async (breakAt: NonNullable<Answer['break']>, body: Answer['body']) => {
  const answer = { ...answerWhole(200, '{"data":[{"id":1}]}'), body, break: breakAt }
  const app = { answer: async () => answer, fetch: async () => Response.error() }
  const { origin, stop } = await listen(createListener(app), { host: '127.0.0.1', port: 0 })
  closing.push(stop)
  return origin
}

describe('an answer with an injected fault', () => {
  const whole = new TextEncoder().encode('{"data":[{"id":1}]}')

  test('is reset before the first byte', async () => {
    const url = await serveBroken('reset', whole)
    await expect(fetch(url)).rejects.toMatchObject({ message: 'fetch failed' })
  })

  test.each([
    ['that is complete', () => whole],
    ['that is a stream', () => new Blob([whole]).stream()],
  ])('ends within a body %s', async (_, body) => {
    const origin = await serveBroken({ afterBytes: 7 }, body())
    const received = new Promise<string>((resolve) => {
      let text = ''
      const { hostname, port } = new URL(origin)
      const socket = connect(Number(port), hostname, () => socket.write(head('content-length: 2') + '{}'))
      socket.setEncoding('utf8').on('data', (part: string) => (text += part))
      socket.once('error', () => {})
      socket.once('close', () => resolve(text))
    })
    expect((await received).split('\r\n\r\n')[1]).toBe('{"data"')
    expect(await received).toContain('content-length: 19')
  })
})

/** Sends a statement without the decoding of fetch. */
const ask = async (server: Awaited<ReturnType<typeof serve>>, acceptEncoding: string) => {
  const { hostname, port } = new URL(server.baseUrl)
  const request = httpRequest({
    hostname,
    port,
    method: 'POST',
    path: '/external/v1/statements/',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'accept-encoding': acceptEncoding,
    },
  }).end(body('SELECT 1'))
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  return response
}
const bytesOf = async (response: IncomingMessage) => Buffer.concat(await response.toArray())

describe('compression with gzip', () => {
  test('is used if the client accepts it, and the answer has Vary for caches', async () => {
    const server = await serve(() => pages(page(0, 5000), page(5000, 5000)))
    const plain = await ask(server, 'identity')
    const zipped = await ask(server, 'br;q=0.1, gzip')
    expect(plain.headers).toMatchObject({ vary: 'Accept-Encoding' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(zipped.headers).toMatchObject({ vary: 'Accept-Encoding', 'content-encoding': 'gzip' })
    const [large, small] = [await bytesOf(plain), await bytesOf(zipped)]
    expect(gunzipSync(small).equals(large)).toBe(true)
    expect(small.length).toBeLessThan(large.length / 5)
  })

  test('is not used for a small answer', async () => {
    const response = await ask(await serve(), 'gzip')
    expect(response.headers['content-encoding']).toBeUndefined()
    expect(response.headers).toMatchObject({ vary: 'Accept-Encoding' })
    expect(JSON.parse(String(await bytesOf(response)))).toMatchObject({ data: [{ n: 1 }] })
  })

  test.each([
    ['gzip', 1, 'gzip', 'gzip'],
    ['gzip', 1, 'identity', undefined],
    ['none', 5000, 'gzip', undefined],
  ])(
    'follows http.headers=%s for %i rows and a client that accepts %s',
    async (slug, rows, accepted, coding) => {
      const settings = createSettings({ 'http.headers': slug })
      const response = await ask(await serve(() => pages(page(0, rows)), { settings }), accepted)
      expect(response.headers['content-encoding']).toBe(coding)
      expect(response.headers['cache-control']).toBeUndefined()
      const bytes = await bytesOf(response)
      const text = String(coding === undefined ? bytes : gunzipSync(bytes))
      expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(rows)
    },
  )

  test('sends the first rows before the next ones are available', async () => {
    const next = new EventEmitter()
    async function* chunks() {
      yield new TextEncoder().encode(page(0, 100_000))
      await once(next, 'page')
      yield new TextEncoder().encode(page(100_000, 20))
    }
    const response = await send(await serve(() => ({ columns: [], chunks: chunks() })), 'SELECT 1')
    expect(response.headers.get('content-encoding')).toBe('gzip')
    const decoder = new TextDecoder()
    let received = ''
    let isSent = false
    for await (const chunk of response.body!) {
      received += decoder.decode(chunk as Uint8Array, { stream: true })
      // rows have arrived while the statement still runs
      if (isSent || !received.includes('"n":1000')) continue
      isSent = next.emit('page')
    }
    expect((JSON.parse(received) as { data: unknown[] }).data).toHaveLength(100_020)
  })

  test('has no end of stream if the statement fails after its first rows', async () => {
    const server = await serve(() => pages(page(0, 100_000), page(100_000, 5000), new Error('the cause')))
    const response = await ask(server, 'gzip')
    expect(response.headers['content-encoding']).toBe('gzip')
    const received: Buffer[] = []
    const read = async () => {
      for await (const chunk of response) received.push(chunk as Buffer)
    }
    await expect(read()).rejects.toThrow('aborted')
    expect(() => gunzipSync(Buffer.concat(received))).toThrow('unexpected end of file')
    expect(server.log).toMatchObject([{ state: 'broken', cause: 'Error: the cause' }])
  })
})

test.each([1, 2, 20])('a failure after %i pages of at most 1 MiB is an answer of its own', async (count) => {
  const rows = Array.from({ length: count }, () => page(0, 200))
  const server = await serve(() => pages(...rows, new Error('the cause')))
  const response = await send(server, 'SELECT 1')
  expect(await response.json()).toEqual({
    data: [],
    status: { state: 'error', message: 'Error executing statement' },
  })
  expect(server.log).toMatchObject([{ state: 'error', cause: 'Error: the cause' }])
})

test.each([1, 2])(
  'a failure after %i MiB breaks the connection, and only the log has its cause',
  async (mib) => {
    const rows = `{"n":"${'x'.repeat((mib << 20) + 1)}"}`
    const server = await serve(() => pages(rows, new Error('the cause')))
    let received = ''
    const read = async () => {
      for await (const chunk of (await send(server, 'SELECT 1')).body!)
        received += new TextDecoder().decode(chunk as Uint8Array)
    }
    await expect(read()).rejects.toThrow()
    expect(received).not.toContain('cause')
    expect(server.log).toMatchObject([{ status: 200, state: 'broken', cause: 'Error: the cause' }])
  },
)

test('a client that disconnects aborts its statement, and nothing is printed', async () => {
  const engine = new EventEmitter()
  const freed = once(engine, 'free')
  async function* endless() {
    try {
      for (;;) {
        yield new TextEncoder().encode('{"n":1},'.repeat(10_000))
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    } finally {
      engine.emit('free')
    }
  }
  const server = await serve(() => ({ columns: [], chunks: endless() }))
  const client = new AbortController()
  const response = await send(server, 'SELECT 1', { signal: client.signal })
  await response.body!.getReader().read()
  client.abort()
  await freed
  expect(server.log).toMatchObject([{ state: 'broken' }])
})

test('a slow body is read, and a body that stops is refused with 408', async () => {
  const server = await serve(undefined, { bodyTimeLimitMs: 1000 })
  const text = body('SELECT 1')
  const whole = [head(`content-length: ${text.length}\r\nconnection: close`), ...text]
  expect(await raw(server.baseUrl, whole, 5)).toMatch(/^HTTP\/1.1 200 [^]*"state":"success"/)
  const truncated = [head(`content-length: ${text.length}`), text.slice(0, 5)]
  expect(await raw(server.baseUrl, truncated)).toMatch(/^HTTP\/1.1 408 [^]*"state":"error"/)
})

test('a body that is too long is refused while the client is still sending', async () => {
  const server = await serve()
  const declared = await raw(server.baseUrl, [head('content-length: 100000000'), 'x'])
  expect(declared).toMatch(/^HTTP\/1.1 413 [^]*longer than 1 MiB/)
  const megabyte = `100000\r\n${'x'.repeat(1 << 20)}\r\n`
  const chunked = await raw(server.baseUrl, [head('transfer-encoding: chunked'), ...Array(8).fill(megabyte)])
  expect(chunked).toMatch(/^HTTP\/1.1 413 [^]*longer than 1 MiB/)
})

describe('a client that waits for 100 Continue', () => {
  const statement = '{"statement":"SELECT 1"}'
  const waiting = head(`content-length: ${statement.length}\r\nexpect: 100-continue\r\nconnection: close`)

  test('gets it, sends its body and is answered', async () => {
    const { baseUrl } = await serve(() => pages('{"n":1}'))
    const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
    let text = ''
    socket.on('data', (bytes) => {
      if (text === '') socket.write(statement)
      text += String(bytes)
    })
    socket.write(waiting)
    await once(socket, 'close')
    expect(text).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/)
  })

  test('is refused at once if its token is wrong', async () => {
    const { baseUrl } = await serve(() => pages('{"n":1}'))
    const answer = await raw(baseUrl, [waiting.replace(token, 'wrong')])
    expect(answer).toMatch(/^HTTP\/1\.1 401 /)
  })
})

test('a second Authorization header is not ignored', async () => {
  const { baseUrl } = await serve()
  const twice = head('connection: close\r\ncontent-length: 2\r\nauthorization: Bearer other')
  expect(await raw(baseUrl, [`${twice}{}`])).toMatch(/^HTTP\/1.1 401/)
})

test('a token behind two thousand headers is read', async () => {
  const { baseUrl } = await serve()
  const many = [...Array(2000).keys()].map((n) => `${n}:\r\n`).join('')
  const body = '{"statement":"SELECT 1"}'
  const request = head(`connection: close\r\ncontent-length: ${body.length}`).replace('host', `${many}host`)
  expect(await raw(baseUrl, [request + body])).toMatch(/^HTTP\/1.1 200/)
})

test.each([
  ['chunked', 200],
  ['Chunked', 200],
  ['gzip, chunked', 501],
  ['gzip\r\ntransfer-encoding: chunked', 501],
  ['chunked, chunked', 400],
  ['chunked, gzip', 400],
  ['gzip', 400],
])('a body with Transfer-Encoding %j is answered with %d', async (codings, status) => {
  const { baseUrl } = await serve()
  const text = '{"statement":"SELECT 1"}'
  const request = head(`connection: close\r\ntransfer-encoding: ${codings}`)
  const chunks = `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n`
  expect(await raw(baseUrl, [request + chunks])).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test.each(['/external/v1/../v1/statements/', '/_mock/%2e%2e/external/v1/statements/'])(
  'the path %s is that of the endpoint, as docs/security.md says',
  async (path) => {
    const { baseUrl } = await serve()
    const request = head('connection: close\r\ncontent-length: 24').replace('/external/v1/statements/', path)
    expect(await raw(baseUrl, [`${request}{"statement":"SELECT 1"}`])).toMatch(/^HTTP\/1.1 200 /)
    const control = 'GET /public/../_mock/faults HTTP/1.0\r\nhost: localhost\r\n\r\n'
    expect(await raw(baseUrl, [control])).toMatch(/\{"faults":\[\]\}$/)
  },
)

test('several Host headers are refused with 400', async () => {
  const { baseUrl } = await serve()
  const twice = head('host: other.example\r\nconnection: close\r\ncontent-length: 2')
  expect(await raw(baseUrl, [twice + '{}'])).toMatch(/^HTTP\/1.1 400 /)
})

test.each([
  ['GET /_mock/ready HTTP/1.0\r\n\r\n', 200],
  ['OPTIONS /_mock/ready HTTP/1.0\r\n\r\n', 200],
  ['GET /_mock/ready HTTP/1.0\r\nHost: 10.1.2.3:4010\r\n\r\n', 200],
  ['GET /_mock/ready HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400],
  ['GET /_mock/ready HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
])('%j, as balancers ask, is answered with %d', async (request, status) => {
  const { baseUrl } = await serve()
  expect(await raw(baseUrl, [request])).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
})

test('a statement in HTTP/1.0 needs no Host header, and its rows end with the connection', async () => {
  const { baseUrl } = await serve(() => ({ columns: [], chunks: slowPages() }))
  const statement = body('SELECT 1')
  const request = head(`content-length: ${statement.length}`)
    .replace('HTTP/1.1', 'HTTP/1.0')
    .replace('host: localhost\r\n', '')
  const [answer, rows] = (await raw(baseUrl, [request + statement])).split('\r\n\r\n')
  expect(answer).toMatch(/^HTTP\/1.1 200 /)
  expect((JSON.parse(rows!) as { data: unknown[] }).data).toHaveLength(40)
})

test.each(['..', '.', '%2e%2e', '%2E', '.%2e'])(
  'a path with the session %s is refused, as it would be the common session',
  async (id) => {
    const { baseUrl } = await serve()
    for (const path of [`/s/${id}/_mock/faults`, `/s/${id}?x`, `/s\\${id}\\_mock/faults`]) {
      const request = `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`
      expect(await raw(baseUrl, [request])).toMatch(/^HTTP\/1.1 400 [^]*The id of a session is not/)
    }
  },
)

test('a host that is no domain name is answered like any other', async () => {
  const { baseUrl } = await serve()
  const request = (path: string) =>
    raw(baseUrl, [`GET ${path} HTTP/1.1\r\nhost: 999.999.999.999\r\nconnection: close\r\n\r\n`])
  expect(await request('/external/v1/statements/')).toMatch(/^HTTP\/1.1 405 /)
  expect(await request('/_mock/health')).toMatch(/^HTTP\/1.1 400 /)
})

/** Serves answers on a socket. */
async function serveAnswers(answer: (call: Call) => Promise<Answer>, certificate?: Certificate) {
  return listenOn(createListener({ answer, fetch: async () => Response.error() }), certificate)
}

async function listenOn(listener: RequestListener, certificate?: Certificate) {
  const { origin, stop } = await listen(listener, { host: '127.0.0.1', port: 0 }, certificate)
  closing.push(stop)
  return origin
}

const certificates = [
  ['HTTP', undefined],
  ['HTTPS', loopbackCertificate],
] as const

describe.each(certificates)('a client that ends its side of %s', (_, certificate) => {
  const connected = (origin: string) => {
    const to = { port: Number(new URL(origin).port), allowHalfOpen: true, rejectUnauthorized: false }
    return certificate ? connectSecurely({ socket: connect(to), ...to }) : connect(to)
  }
  const get = 'GET / HTTP/1.1\r\nhost: localhost\r\n\r\n'

  test('gets its answers, also those that it waits for, and the connection ends', async () => {
    const origin = await serveAnswers(async () => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      return answerWhole(200, 'late')
    }, certificate)
    const answers = Buffer.concat(
      (await connected(origin)
        .end(get + get)
        .toArray()) as Buffer[],
    )
    const late = 'HTTP/1\\.1 200 OK\r\n[^]*?\r\n\r\nlate'
    const invited = '(?:HTTP/1\\.1 100 Continue\r\n\r\n)*'
    expect(String(answers)).toMatch(new RegExp(`^(?:${invited}${late}){2}$`))
  })

  test.each(['1.1', '1.0'])('and leaves, in HTTP/%s, aborts its statement', async (version) => {
    const left = new EventEmitter()
    const origin = await serveAnswers(({ signal }) => {
      signal.addEventListener('abort', () => left.emit('left'))
      left.emit('asked')
      return new Promise((_, reject) => left.once('left', () => reject(signal.reason)))
    }, certificate)
    const [asked, aborted] = [once(left, 'asked'), once(left, 'left')]
    const client = connected(origin)
    client.write(get.replace('1.1', version))
    await asked
    client.destroy()
    await aborted
  })

  test.each(['text/event-stream', 'application/x-ndjson'])('leaves an answer of type %s', async (type) => {
    const left = new EventEmitter()
    const origin = await serveAnswers(async ({ signal }) => {
      signal.addEventListener('abort', () => left.emit('left'))
      return { status: 200, headers: { 'content-type': type }, body: new ReadableStream() }
    }, certificate)
    const ended = once(left, 'left')
    const client = connected(origin)
    client.write(get)
    await once(client, 'data')
    client.end()
    await ended
  })
})

test('pipelined requests are answered one after the other', async () => {
  let running = 0
  let most = 0
  const origin = await serveAnswers(async () => {
    most = Math.max(most, ++running)
    await new Promise((resolve) => setTimeout(resolve, 20))
    running--
    return answerWhole(200, 'x')
  })
  const one = 'GET / HTTP/1.1\r\nhost: localhost\r\n'
  const answers = await raw(origin, [`${one}\r\n`.repeat(4) + `${one}connection: close\r\n\r\n`])
  expect(answers.match(/HTTP\/1.1 200/g)).toHaveLength(5)
  expect(most).toBe(1)
})

test('thousands of pipelined requests are answered in their order, and few of them wait', async () => {
  let [arrived, answered, most] = [0, 0, 0]
  const answer = async (call: Call) => {
    const bytes = new Uint8Array(await call.arrayBuffer())
    if (++answered % 500 === 1) await new Promise((resolve) => setTimeout(resolve, 200))
    return answerWhole(200, bytes)
  }
  const listener = createListener({ answer, fetch: async () => Response.error() })
  const origin = await listenOn((incoming, outgoing) => {
    most = Math.max(most, ++arrived - answered)
    listener(incoming, outgoing)
  })
  const numbers = [...Array(2000).keys()].map((n) => `${n}`.padStart(900, '-'))
  const all = numbers.map((text) => `${head(`content-length: ${text.length}`)}${text}`)
  const answers = await raw(origin, [all.join('') + head('connection: close\r\ncontent-length: 0')])
  expect(answers.match(/-\d+(?=HTTP)/g)?.map((text) => Number(text.slice(1)))).toEqual([...numbers.keys()])
  // those of one read of node, and 16
  expect(most).toBeLessThan(100)
})

test('bytes that are not an HTTP request are refused with 400', async () => {
  const { baseUrl } = await serve()
  expect(await raw(baseUrl, ['GET /\r\n\r\n'])).toMatch(/^HTTP\/1.1 400 /)
  expect(await raw(baseUrl, ['GET / HTTP/1.1\r\nhost: a b\r\nconnection: close\r\n\r\n'])).toMatch(
    /^HTTP\/1.1 400 /,
  )
})
