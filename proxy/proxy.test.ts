import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type RequestListener } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { contract } from '../schemas/index.ts'
import { startProxy, type Proxy, type ProxyOptions } from './index.ts'

const TOKEN = 'a-secret-token-of-the-client'
const open: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of open.splice(0).toReversed()) await close()
})

async function listening(server: net.Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const serviceOf = (listener: RequestListener) => listening(http.createServer(listener))

/** A target that writes these bytes after a request and then does as told. */
const rawService = (answer: (socket: Socket) => void) =>
  listening(
    net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    }),
  )

type Proxying = Proxy & { said: string[] }

async function proxyTo(target: string, options: Partial<ProxyOptions> = {}): Promise<Proxying> {
  const said: string[] = []
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    judge: true,
    storeBodies: false,
    keptBytes: 1_000_000,
    say: (line) => void said.push(line),
    ...options,
  })
  open.push(() => proxy.close().catch(() => {}))
  return { ...proxy, said }
}

/** Resolves once the proxy has counted an exchange that ended so. */
const sees = (proxy: Proxying, ending: 'complete' | 'truncated' | 'reset' | 'aborted') =>
  vi.waitFor(() => expect(proxy.report().endings[ending]).toBe(1), { timeout: 10_000 })

/** The outcomes by requirement, once the proxy has judged this many exchanges. */
async function outcomesOf(proxy: Proxying, exchanges: number): Promise<Record<string, string>> {
  await vi.waitFor(() => expect(proxy.report().exchanges).toBe(exchanges), { timeout: 10_000 })
  const { service, client } = proxy.report()
  return Object.fromEntries([...service, ...client].map((finding) => [finding.requirement, finding.outcome]))
}

function newFolder(): string {
  const path = mkdtempSync(join(tmpdir(), 'proxy-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return join(path, 'seen')
}

interface Received {
  message: IncomingMessage
  body: Buffer
  /** How the answer ended, if not completely. */
  error?: string
}

/** Sends a request; resolves also if the answer is truncated. */
function send(
  origin: string,
  options: http.RequestOptions & { body?: string | Buffer } = {},
): Promise<Received> {
  const { body, ...rest } = options
  return new Promise((resolve, reject) => {
    const outgoing = http.request(origin, {
      path: contract.endpoint.path,
      method: 'POST',
      agent: false,
      ...rest,
    })
    outgoing.on('error', reject)
    outgoing.on('response', (message) => {
      const chunks: Buffer[] = []
      const done = (error?: string) =>
        resolve({ message, body: Buffer.concat(chunks), ...(error && { error }) })
      message.on('data', (chunk: Buffer) => chunks.push(chunk))
      message.on('end', () => done())
      message.on('error', (error) => done(error.message))
    })
    outgoing.end(body)
  })
}

const ask = (origin: string, statement: string, headers: Record<string, string> = {}) =>
  send(origin, {
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ statement }),
  })

const rows = (data: unknown[], message = 'ok') =>
  JSON.stringify({ data, status: { state: 'success', message } })

describe('a proxy changes nothing of', () => {
  test('an answer: status, headers, repetitions, bytes', async () => {
    const body = gzipSync('hello')
    const listener: RequestListener = (_, outgoing) => {
      outgoing.sendDate = false
      outgoing.writeHead(418, {
        'x-first': '1',
        'set-cookie': ['a=1', 'b=2'],
        'content-encoding': 'gzip',
        'content-length': String(body.length),
        connection: 'close',
      })
      outgoing.end(body)
    }
    const target = await serviceOf(listener)
    const proxy = await proxyTo(target)
    const [direct, proxied] = [await send(target), await send(proxy.origin)]
    expect(proxied.body).toEqual(body)
    expect(proxied.message.headers).toEqual(direct.message.headers)
    expect(proxied.message.statusCode).toBe(418)
  })

  test('a request: method, path, query, headers, bytes', async () => {
    const seen: { request: IncomingMessage; body: string }[] = []
    const target = await serviceOf(async (incoming, outgoing) => {
      let body = ''
      for await (const chunk of incoming) body += String(chunk)
      seen.push({ request: incoming, body })
      outgoing.end('{}')
    })
    const proxy = await proxyTo(`${target}/plant-1`)
    await send(proxy.origin, {
      path: '/a%20b/?q=%2F',
      method: 'PUT',
      headers: { 'x-own': 'v', accept: '*/*' },
      body: 'größe',
    })
    expect(seen[0]!.request.url).toBe('/plant-1/a%20b/?q=%2F')
    expect(seen[0]!.request.method).toBe('PUT')
    expect(seen[0]!.request.headers).toMatchObject({
      'x-own': 'v',
      accept: '*/*',
      host: new URL(target).host,
      'content-length': '7',
    })
    expect(seen[0]!.body).toBe('größe')
  })

  test('any bytes in both directions, however they are cut into chunks', async () => {
    const target = await serviceOf((incoming, outgoing) => void incoming.pipe(outgoing))
    const proxy = await proxyTo(target, { judge: true })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 8 }), async (chunks) => {
        const received = await new Promise<Buffer>((resolve, reject) => {
          const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }, async (message) => {
            const parts: Buffer[] = []
            for await (const part of message) parts.push(part as Buffer)
            resolve(Buffer.concat(parts))
          })
          outgoing.on('error', reject)
          for (const chunk of chunks) outgoing.write(chunk)
          outgoing.end()
        })
        expect(received).toEqual(Buffer.concat(chunks))
      }),
      { numRuns: 25 },
    )
  })

  test('bytes beyond ASCII in headers, whatever the reason', async () => {
    const sent = Buffer.from(
      'HTTP/1.1 200 Tr\u00e8s\r\nX-Name: \u00e9\u00ff\r\nContent-Length: 2\r\n\r\n{}',
      'latin1',
    )
    const target = await rawService((socket) => socket.end(sent))
    const proxy = await proxyTo(target)
    const { message } = await send(proxy.origin)
    expect([message.statusCode, message.headers['x-name']]).toEqual([200, '\u00e9\u00ff'])
  })

  test('an answer to HEAD, and one without a body', async () => {
    const target = await serviceOf((incoming, outgoing) => {
      if (incoming.method === 'HEAD') outgoing.writeHead(200, { 'content-length': '1234' }).end()
      else outgoing.writeHead(204).end()
    })
    const proxy = await proxyTo(target)
    const head = await send(proxy.origin, { method: 'HEAD' })
    expect(head.message.headers['content-length']).toBe('1234')
    expect((await send(proxy.origin)).message.statusCode).toBe(204)
  })
})

test('a message of a declared length that announces trailers passes', async () => {
  const target = await rawService((socket) =>
    socket.end('HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nContent-Length: 2\r\n\r\n{}'),
  )
  const proxy = await proxyTo(target)
  const { body } = await send(proxy.origin, { headers: { trailer: 'X-Sum' } })
  expect(body.toString()).toBe('{}')
})

test('the length of an answer passes even if Connection names it', async () => {
  const target = await rawService((socket) =>
    socket.end(
      'HTTP/1.1 200 OK\r\nConnection: close, content-length, X-Own\r\nX-Own: 1\r\nContent-Length: 2\r\n\r\n{}',
    ),
  )
  const { message } = await send((await proxyTo(target)).origin)
  expect([message.headers['content-length'], message.headers['x-own']]).toEqual(['2', undefined])
})

test('an answer that ends with its connection arrives whole', async () => {
  const text = 'x'.repeat(5_000_000)
  const target = await rawService((socket) =>
    socket.end(`HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n${text}`),
  )
  const proxy = await proxyTo(target)
  const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }).end()
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  await sleep(300)
  let read = 0
  for await (const chunk of message) read += (chunk as Buffer).length
  expect(read).toBe(text.length)
})

test('a client that reads slowly slows the service down', async () => {
  let written = 0
  const target = await serviceOf((_, outgoing) => {
    const more = () => {
      while (written < 200_000_000) {
        written += 65_536
        if (!outgoing.write(Buffer.alloc(65_536))) return void outgoing.once('drain', more)
      }
      outgoing.end()
    }
    more()
  })
  const proxy = await proxyTo(target)
  const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }).end()
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  await sleep(500)
  expect(written).toBeLessThan(50_000_000)
  let read = 0
  for await (const chunk of message) read += (chunk as Buffer).length
  expect(read).toBe(written)
})

/** Writes a request as it is, and collects what comes back. */
function writing(origin: string, request: string): { client: Socket; text: () => string } {
  const client = net.connect(Number(new URL(origin).port), '127.0.0.1').setEncoding('latin1')
  onTestFinished(() => void client.destroy())
  let text = ''
  client.on('data', (chunk) => (text += String(chunk)))
  client.on('error', () => {})
  client.write(request)
  return { client, text: () => text }
}

test('an early hint of the service does not become the answer', async () => {
  const target = await serviceOf((_, outgoing) => {
    outgoing.writeEarlyHints({ link: '</style>; rel=preload' }, () => outgoing.writeHead(201).end('{}'))
  })
  const { message, body } = await send((await proxyTo(target)).origin)
  expect([message.statusCode, body.toString()]).toEqual([201, '{}'])
})

test('a 100 Continue of the service that nobody asked for does not become the answer', async () => {
  const target = await rawService((socket) => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    socket.end('HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}')
  })
  const { message, body } = await send((await proxyTo(target)).origin)
  expect([message.statusCode, body.toString()]).toEqual([201, '{}'])
})

test('repeated headers pass in both directions', async () => {
  const seen: IncomingMessage[] = []
  const service = http.createServer((incoming) => {
    seen.push(incoming)
    incoming.socket.end(`HTTP/1.1 200 OK\r\nX-Own: 1\r\nX-Own: 2\r\nContent-Length: 2\r\n\r\n{}`)
  })
  const proxy = await proxyTo(await listening(service))
  const { text } = writing(
    proxy.origin,
    `POST / HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n`,
  )
  await vi.waitFor(() => expect(text()).toContain('x-own: 1\r\nx-own: 2'), { timeout: 10_000 })
  expect(seen[0]!.headersDistinct['authorization']).toEqual(['Bearer a', 'Bearer b'])
})

describe('the service sees as many requests as the judge:', () => {
  const inner = 'POST /external/v1/statements/ HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}'
  const chunked = `Transfer-Encoding: chunked\r\n\r\n${inner.length.toString(16)}\r\n${inner}\r\n0\r\n\r\n`
  const methods = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'POST', 'PATCH']
  const framings = {
    'in chunks': chunked,
    'in chunks that Connection names': `Connection: transfer-encoding\r\n${chunked}`,
    'of a length': `Content-Length: ${inner.length}\r\n\r\n${inner}`,
    'of a length that Connection names': `Connection: content-length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    'of a length that Connection names among others': `Connection: close, Content-Length\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    'after an expectation': `Expect: 100-continue\r\n${chunked}`,
    'after an upgrade': `Connection: upgrade\r\nUpgrade: h2c\r\n${chunked}`,
  }

  test.each(
    methods.flatMap((method) => Object.entries(framings).map(([form, text]) => ({ method, form, text }))),
  )('$method with a request as its body $form', async ({ method, text }) => {
    const bodies: string[] = []
    const target = await serviceOf(async (incoming, outgoing) => {
      let body = ''
      for await (const chunk of incoming) body += String(chunk)
      bodies.push(`${incoming.method} ${body}`)
      outgoing.end('{}')
    })
    const proxy = await proxyTo(target)
    const sent = writing(proxy.origin, `${method} /external/v1/statements/ HTTP/1.1\r\nHost: h\r\n${text}`)
    await vi.waitFor(() => expect(sent.text()).toMatch(/HTTP\/1.1 200/), { timeout: 10_000 })
    // a request that was hidden in the first would be served before this one
    await ask(proxy.origin, 'SELECT 1')
    expect(bodies).toEqual([`${method} ${inner}`, 'POST {"statement":"SELECT 1"}'])
    await vi.waitFor(() => expect(proxy.report().exchanges).toBe(2), { timeout: 10_000 })
  })

  test.each([
    ['two lengths', 'Content-Length: 2\r\nContent-Length: 90\r\n\r\n{}'],
    ['a length and chunks', `Content-Length: 4\r\n${chunked}`],
    ['chunks in an unknown coding', 'Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n'],
    ['a space before the colon', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a length that is no number', 'Content-Length: +2\r\n\r\n{}'],
    ['garbage', 'garbage\r\n\r\n'],
  ])('none of a message with %s', async (_, text) => {
    const served = vi.fn((_: IncomingMessage, outgoing: http.ServerResponse) => void outgoing.end('{}'))
    const proxy = await proxyTo(await serviceOf(served))
    const { client, text: answer } = writing(proxy.origin, `POST / HTTP/1.1\r\nHost: h\r\n${text}`)
    await once(client, 'close')
    expect(answer()).toMatch(/^HTTP\/1.1 400/)
    expect(served).not.toHaveBeenCalled()
    expect(proxy.report().exchanges).toBe(0)
  })

  test('none of a request that its client does not finish', async () => {
    const served = vi.fn((_: IncomingMessage, outgoing: http.ServerResponse) => void outgoing.end('{}'))
    const proxy = await proxyTo(await serviceOf(served))
    const { client } = writing(proxy.origin, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n{"st')
    await sleep(200)
    client.destroy()
    await send(proxy.origin)
    await sees(proxy, 'complete')
    expect([served.mock.calls.length, proxy.report().exchanges]).toEqual([1, 1])
  })

  test('none of a request above 16 MiB, which is refused', async () => {
    const served = vi.fn((_: IncomingMessage, outgoing: http.ServerResponse) => void outgoing.end('{}'))
    const proxy = await proxyTo(await serviceOf(served))
    const { message, body } = await send(proxy.origin, { body: Buffer.alloc(16 * 1024 * 1024 + 1) })
    expect(message.statusCode).toBe(413)
    expect(JSON.parse(body.toString()).status.message).toContain('more than 16 MiB.')
    expect(proxy.said).toEqual([expect.stringContaining('more than 16 MiB. Send a shorter statement.')])
    expect([served.mock.calls.length, proxy.report().exchanges]).toEqual([0, 0])
  })
})

describe('a target that', () => {
  test('dies in the middle of an answer ends the connection of the client there', async () => {
    const target = await rawService((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n' + 'x'.repeat(500), () =>
        setTimeout(() => socket.destroy(), 50),
      )
    })
    const proxy = await proxyTo(target)
    const { body, error, message } = await send(proxy.origin)
    expect([body.length, error, message.headers['content-length']]).toEqual([500, 'aborted', '1000'])
    await sees(proxy, 'truncated')
  })

  test('dies in the middle of a chunked answer ends the connection of the client there', async () => {
    const target = await rawService((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', () =>
        setTimeout(() => socket.destroy(), 50),
      )
    })
    const proxy = await proxyTo(target)
    const { body, error } = await send(proxy.origin)
    expect([body.toString(), error]).toEqual(['hello', 'aborted'])
    await sees(proxy, 'truncated')
  })

  test('sends more than it declared is read up to its declared length, as without the proxy', async () => {
    const target = await rawService((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcdefgh'),
    )
    const proxy = await proxyTo(target)
    expect((await send(proxy.origin)).body.toString()).toBe('abcd')
  })

  test.each([
    ['answers garbage', (socket: Socket) => void socket.end('garbage\r\n\r\n')],
    ['ends the connection without an answer', (socket: Socket) => void socket.destroy()],
    ['answers the status 099', (socket: Socket) => void socket.end('HTTP/1.1 099 Odd\r\n\r\n')],
    ['answers a bell', (socket: Socket) => void socket.end('HTTP/1.1 200 OK\r\nX-Bell: \u0007\r\n\r\n')],
    [
      'switches protocols',
      (socket: Socket) =>
        void socket.write('HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello'),
    ],
  ])('%s gives the client no answer', async (_, answer) => {
    const proxy = await proxyTo(await rawService(answer))
    await expect(send(proxy.origin)).rejects.toThrow(/socket hang up|ECONNRESET/)
    expect(proxy.said[0]).toMatch(/gave no HTTP answer/)
    await sees(proxy, 'reset')
  })

  test('is not there gives the client no answer', async () => {
    const proxy = await proxyTo('http://127.0.0.1:1')
    await expect(send(proxy.origin)).rejects.toThrow(/socket hang up|ECONNRESET/)
    expect(proxy.said[0]).toContain('gave no HTTP answer (ECONNREFUSED). Check --target.')
  })

  test('never answers is left when the client leaves', async () => {
    const left = vi.fn()
    const target = await serviceOf((_, outgoing) => void outgoing.on('close', left))
    const proxy = await proxyTo(target)
    const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }).end()
    outgoing.on('error', () => {})
    await sleep(200)
    expect(left).not.toHaveBeenCalled()
    outgoing.destroy()
    await vi.waitFor(() => expect(left).toHaveBeenCalled())
    await sees(proxy, 'aborted')
  })
})

test('a client that leaves in the middle of an answer ends it for the service too', async () => {
  const left = vi.fn()
  const target = await serviceOf((_, outgoing) => {
    outgoing.write('x'.repeat(100))
    outgoing.on('close', left)
  })
  const proxy = await proxyTo(target)
  const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }).end()
  outgoing.on('error', () => {})
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  message.on('error', () => {})
  message.destroy()
  await vi.waitFor(() => expect(left).toHaveBeenCalled())
  await sees(proxy, 'aborted')
})

describe('the judge', () => {
  const quantity = { id: 'q1', name: 'pH' }

  test('passes a service and a client that keep the rules', async () => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.setHeader('content-type', 'application/json').end(rows([quantity])),
    )
    const proxy = await proxyTo(target)
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
    const found = await outcomesOf(proxy, 1)
    expect(Object.values(found)).not.toContain('fail')
    expect(found).toMatchObject({
      'REQ-HTTP-4': 'pass',
      'REQ-SQL-3': 'pass',
      'REQ-AUTH-4': 'pass',
      'REQ-HTTP-13': 'pass',
    })
  })

  test.each([
    ['REQ-SQL-3', rows([quantity, { id: 'q2', name: 'DO' }])],
    ['REQ-HTTP-5', JSON.stringify({ data: [], status: { state: 'OK', message: 'ok' } })],
    ['REQ-HTTP-4', JSON.stringify({ data: [] })],
    ['REQ-VIEW-TYPES:v_quantities', rows([{ id: 7, name: 'pH' }])],
    ['REQ-HTTP-12', rows([quantity]), 'text/html'],
  ])(
    'finds the service that breaks %s, also in compressed answers',
    async (requirement, body, type = 'application/json') => {
      const target = await serviceOf((_, outgoing) => {
        outgoing.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(gzipSync(body))
      })
      const proxy = await proxyTo(target)
      await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
      const found = await outcomesOf(proxy, 1)
      expect(found[requirement]).toBe(requirement === 'REQ-HTTP-12' ? 'warn' : 'fail')
    },
  )

  test('finds the client that repeats a statement after a 504 and sends no token', async () => {
    const target = await serviceOf((_, outgoing) => void outgoing.writeHead(504).end())
    const proxy = await proxyTo(target)
    await ask(proxy.origin, 'SELECT id FROM v_quantities LIMIT 1')
    await ask(proxy.origin, 'SELECT id FROM v_quantities LIMIT 1')
    await send(proxy.origin, {
      headers: { 'content-type': 'application/json' },
      body: '{"statement":"SELECT 1"}',
    })
    await vi.waitFor(() => expect(proxy.report().exchanges).toBe(3), { timeout: 10_000 })
    const found = proxy.report().client
    const failed = found.filter(({ outcome }) => outcome === 'fail').map(({ requirement }) => requirement)
    expect(failed).toContain('REQ-AUTH-4')
    expect(failed.some((id) => id.startsWith('REQ-TIME'))).toBe(true)
  })

  test('finds the client that counts a truncated answer as read', async () => {
    const times = ['01', '02', '03', '04'].map((second) => `2025-12-01T08:00:${second}Z`)
    const body = rows(times.map((last_updated_at) => ({ last_updated_at })))
    let number = 0
    const target = await serviceOf((_, outgoing) => {
      outgoing.setHeader('content-length', body.length)
      if (number++ > 0) return void outgoing.end(body)
      outgoing.write(body.slice(0, -60), () => setTimeout(() => outgoing.destroy(), 50))
    })
    const proxy = await proxyTo(target)
    for (const since of ['2025-12-01', times[1]])
      await ask(proxy.origin, `SELECT * FROM v_timeseries WHERE last_updated_at > '${since}'`)
    expect(await outcomesOf(proxy, 2)).toMatchObject({ 'REQ-DELTA-9': 'warn', 'REQ-HTTP-4': 'pass' })
  })

  const good = rows([quantity])

  test.each([
    ['has bytes that are not UTF-8', Buffer.from(good.replace('pH', '\u00e9'), 'latin1'), ''],
    ['begins with a byte order mark', `\uFEFF${good}`, ''],
    ['is not encoded as it says', 'xx', 'gzip'],
    ['is not deflated as it says', 'xx', 'deflate'],
  ])('finds the service whose answer %s', async (_, body, coding) => {
    const target = await serviceOf((_, outgoing) => {
      outgoing.setHeader('content-type', 'application/json')
      if (coding) outgoing.setHeader('content-encoding', coding)
      outgoing.end(body)
    })
    const proxy = await proxyTo(target)
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
    expect(await outcomesOf(proxy, 1)).toMatchObject({ 'REQ-HTTP-4': 'fail' })
  })

  test.each([
    ['with deflate', deflateSync(good), 'deflate'],
    ['with deflate, without its wrapper', deflateRawSync(good), 'deflate'],
    ['with br', brotliCompressSync(good), 'br'],
  ])('reads an answer that is encoded %s', async (_, body, coding) => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.setHeader('content-encoding', coding).end(body),
    )
    const proxy = await proxyTo(target)
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
    expect(await outcomesOf(proxy, 1)).toMatchObject({ 'REQ-HTTP-4': 'pass' })
  })

  test.each([
    ['not UTF-8', Buffer.from('{"statement":"SELECT \u00e9"}', 'latin1'), undefined],
    ['not encoded as they say', Buffer.from('xx'), 'gzip'],
  ])('finds the client whose bytes are %s', async (_, body, coding) => {
    const proxy = await proxyTo(await serviceOf((_, outgoing) => void outgoing.end(good)))
    await send(proxy.origin, { body, headers: coding ? { 'content-encoding': coding } : {} })
    expect(await outcomesOf(proxy, 1)).toMatchObject({ 'REQ-HTTP-13': 'fail' })
  })

  test.each([
    ['too large', 'plain', rows(Array.from({ length: 1000 }, () => quantity)), 'identity'],
    ['too large', 'unpacked', gzipSync(Buffer.alloc(17 * 1024 * 1024)), 'gzip'],
    ['undecodable', 'in zstd', 'xx', 'zstd'],
    ['undecodable', 'encoded twice', gzipSync(gzipSync(good)), 'gzip, gzip'],
  ])('counts an answer as %s: %s', async (gap, _, body, coding) => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.setHeader('content-encoding', coding).end(body),
    )
    for (const judge of [true, false]) {
      const proxy = await proxyTo(target, { judge, keptBytes: 20_000 })
      await ask(proxy.origin, 'SELECT id, name FROM v_quantities')
      await sees(proxy, 'complete')
      const none = { 'too large': 0, undecodable: 0, cut: 0, failure: 0 }
      expect(proxy.report().notJudged).toEqual(judge ? { ...none, [gap]: 1 } : none)
    }
  })

  test.each([
    ['truncated', 'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{'],
    ['reset', 'garbage\r\n\r\n'],
  ] as const)('counts an answer that the service ends as %s', async (ending, answer) => {
    const proxy = await proxyTo(await rawService((socket) => void socket.end(answer)))
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities').catch(() => {})
    await sees(proxy, ending)
    expect(proxy.report().notJudged.cut).toBe(1)
  })

  test('says that a body above the bound was not judged', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => ({ id: n }))
    const target = await serviceOf((_, outgoing) => void outgoing.end(rows(many)))
    const proxy = await proxyTo(target, { keptBytes: 1000 })
    const { body } = await ask(proxy.origin, 'SELECT id FROM v_quantities LIMIT 5')
    expect(JSON.parse(body.toString()).data.length).toBe(1000)
    await sees(proxy, 'complete')
    expect(proxy.report()).toMatchObject({ notJudged: { 'too large': 1 }, exchanges: 1 })
  })

  test('judges what passed before the proxy ended', async () => {
    const target = await serviceOf((_, outgoing) => void outgoing.end(rows([quantity])))
    const proxy = await proxyTo(target, { judge: true })
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
    expect((await proxy.close()).exchanges).toBe(1)
  })
})

test('ends at once, with its report, while a target does not answer and a client does not finish', async () => {
  const asked = vi.fn()
  const proxy = await proxyTo(await serviceOf(asked))
  const waiting = send(proxy.origin).catch(({ code }: NodeJS.ErrnoException) => code)
  writing(proxy.origin, 'POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 20\r\n\r\n{"st')
  await vi.waitFor(() => expect(asked).toHaveBeenCalled(), { timeout: 10_000 })
  expect(await proxy.close()).toMatchObject({ exchanges: 1, endings: { aborted: 1 } })
  expect(await waiting).toBe('ECONNRESET')
})

describe('the store', () => {
  const statement = "SELECT id FROM v_quantities WHERE name = 'Titer of X' AND last_updated_at > '2025-12-01'"

  test.each([
    ['without bodies', false],
    ['with bodies', true],
  ])('holds no token, and row values only if asked: %s', async (_, storeBodies) => {
    const target = await serviceOf((incoming, outgoing) => {
      outgoing.setHeader('set-cookie', 'session=abc123')
      outgoing.end(rows([{ id: 'secret-row' }], `echo ${incoming.headers.authorization}`))
    })
    const store = newFolder()
    const proxy = await proxyTo(target, { store, storeBodies })
    await ask(proxy.origin, statement, { 'x-api-key': 'key-of-the-client' })
    await proxy.close()
    const text = readFileSync(join(store, 'exchanges.ndjson'), 'utf8')
    for (const secret of [TOKEN, 'abc123', 'key-of-the-client']) expect(text).not.toContain(secret)
    expect(text.includes('secret-row')).toBe(storeBodies)
    const line = JSON.parse(text) as { statement: string; answer: { rows: number; status: number } }
    expect(line.answer).toMatchObject({ rows: 1, status: 200, state: 'success' })
    expect(line.statement).toBe(statement.replace('Titer of X', 'xxxxx xx x'))
  })

  test('holds the values of listed headers only', async () => {
    const target = await serviceOf((_, outgoing) => {
      outgoing.setHeader('location', 'https://login.example/?state=of-the-client')
      outgoing.setHeader('retry-after', '7').end(rows([]))
    })
    const store = newFolder()
    const proxy = await proxyTo(target, { store })
    const jwt = 'eyJhbGciOiJSUzI1NiJ9.of-the-client'
    await ask(proxy.origin, 'SELECT 1', {
      'x-goog-iap-jwt-assertion': jwt,
      'cf-access-jwt-assertion': jwt,
      'x-amzn-oidc-data': jwt,
      dpop: jwt,
      'x-csrf': jwt,
      'x-forwarded-client-cert': jwt,
      referer: `http://x/?token=${jwt}`,
      'user-agent': 'a-client/1',
    })
    await proxy.close()
    const text = readFileSync(join(store, 'exchanges.ndjson'), 'utf8')
    expect(text).not.toContain('of-the-client')
    expect(JSON.parse(text)).toMatchObject({
      headers: { 'user-agent': 'a-client/1', referer: '[redacted]' },
      answer: { headers: { 'retry-after': '7', location: '[redacted]' } },
    })
  })

  test('that cannot be opened keeps the proxy from starting', async () => {
    const store = newFolder()
    writeFileSync(store, 'a file')
    for (const folder of [store, '/proc/none', '/proc/none/below'])
      await expect(proxyTo('http://127.0.0.1:1', { store: folder })).rejects.toThrow(
        'Name another folder with --store.',
      )
  })

  test('that is full lets traffic pass, says so once and counts what it lacks', async () => {
    const store = newFolder()
    mkdirSync(store)
    symlinkSync('/dev/full', join(store, 'exchanges.ndjson'))
    const target = await serviceOf((_, outgoing) => void outgoing.end(rows([])))
    const proxy = await proxyTo(target, { store })
    for (const statement of ['SELECT 1', 'SELECT 2'])
      expect((await ask(proxy.origin, statement)).body.toString()).toBe(rows([]))
    expect(await proxy.close()).toMatchObject({ exchanges: 2, notStored: 2, notJudged: { failure: 0 } })
    expect(proxy.said).toEqual([expect.stringContaining('(ENOSPC). Traffic passes')])
  })
})
