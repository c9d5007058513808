import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http, { type IncomingMessage, type RequestListener } from 'node:http'
import net, { type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { contract } from '../schemas/index.ts'
import { forwardTo } from './forward.ts'
import { startProxy, type Judgement, type Proxy, type ProxyOptions } from './index.ts'
import { Judges } from './judge/judgement.ts'
import { readExchange } from './judge/read-exchange.ts'
import { Recorder } from './recorder.ts'

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

async function proxyTo(
  target: string,
  options: Partial<ProxyOptions> = {},
): Promise<Proxy & { said: string[] }> {
  const said: string[] = []
  const proxy = await startProxy({
    target,
    host: '127.0.0.1',
    port: 0,
    say: (line) => void said.push(line),
    ...options,
  })
  open.push(() => proxy.close().catch(() => {}))
  return { ...proxy, said }
}

/** A proxy without the thread: it judges when it is asked. */
async function forwarding(
  target: string,
  keptBytes = 1_000_000,
): Promise<{ origin: string; report: () => Judgement; said: string[] }> {
  const said: string[] = []
  const judges = new Judges('')
  const record = (incoming: IncomingMessage) =>
    new Recorder(incoming, keptBytes, (exchange) => judges.add(readExchange(exchange)))
  const listener = forwardTo({ target: new URL(target), record, onFailure: (line) => void said.push(line) })
  return { origin: await serviceOf(listener), report: () => judges.judgement(0), said }
}

type Reporting = Awaited<ReturnType<typeof forwarding>>

const endingsOf = (proxy: Reporting) => proxy.report().endings

function outcomesOf(proxy: Reporting): Record<string, string> {
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
  test('an answer: status, reason, header spelling, order and repetitions, bytes', async () => {
    const body = gzipSync('hello')
    const listener: RequestListener = (_, outgoing) => {
      outgoing.sendDate = false
      outgoing.writeHead(418, 'Short And Stout', [
        'X-FIRST',
        '1',
        'Set-Cookie',
        'a=1',
        'x-second',
        '2',
        'Set-Cookie',
        'b=2',
        'Content-Encoding',
        'gzip',
        'CONTENT-LENGTH',
        String(body.length),
      ])
      outgoing.end(body)
    }
    const target = await serviceOf(listener)
    const proxy = await proxyTo(target)
    const [direct, proxied] = [await send(target), await send(proxy.origin)]
    expect(proxied.body).toEqual(body)
    expect(proxied.message.rawHeaders).toEqual(direct.message.rawHeaders)
    expect([proxied.message.statusCode, proxied.message.statusMessage]).toEqual([418, 'Short And Stout'])
  })

  test('a request: method, path, query, header spelling, bytes', async () => {
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
      headers: { 'X-Odd-CASE': 'v', accept: '*/*' },
      body: 'größe',
    })
    expect(seen[0]!.request.url).toBe('/plant-1/a%20b/?q=%2F')
    expect(seen[0]!.request.method).toBe('PUT')
    expect(seen[0]!.request.rawHeaders).toContain('X-Odd-CASE')
    const hosts = seen[0]!.request.rawHeaders.filter(
      (_, at, all) => at % 2 === 1 && /^host$/i.test(all[at - 1]!),
    )
    expect(hosts).toEqual([new URL(target).host])
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

  test('bytes beyond ASCII in the reason and in headers', async () => {
    const sent = Buffer.from(
      'HTTP/1.1 200 Tr\u00e8s\r\nX-Name: \u00e9\u00ff\r\nContent-Length: 2\r\n\r\n{}',
      'latin1',
    )
    const target = await rawService((socket) => socket.end(sent))
    const proxy = await proxyTo(target)
    const { message } = await send(proxy.origin)
    expect([message.statusMessage, message.headers['x-name']]).toEqual(['Tr\u00e8s', '\u00e9\u00ff'])
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

test('a connection of a client has one connection to the target, and they end together', async () => {
  const connections = new Set<Socket>()
  const server = http.createServer({ keepAliveTimeout: 3000 }, (_, outgoing) => void outgoing.end('{}'))
  server.on('connection', (socket) => connections.add(socket))
  const proxy = await proxyTo(await listening(server))
  const client = net.connect(Number(new URL(proxy.origin).port), '127.0.0.1')
  onTestFinished(() => void client.destroy())
  let text = ''
  client.on('data', (chunk) => (text += String(chunk)))
  const ended = once(client, 'end')
  for (let n = 1; n <= 20; n++) {
    client.write('POST / HTTP/1.1\r\nHost: proxy\r\nContent-Length: 0\r\n\r\n')
    await vi.waitFor(() => expect(text.split('HTTP/1.1 200 OK').length - 1).toBe(n))
  }
  expect(connections.size).toBe(1)
  await ended
})

test('a connection is kept as long as the service says, also for a second', async () => {
  const server = http.createServer({ keepAliveTimeout: 1000 }, (_, outgoing) => void outgoing.end('{}'))
  const proxy = await proxyTo(await listening(server))
  const client = net.connect(Number(new URL(proxy.origin).port), '127.0.0.1')
  onTestFinished(() => void client.destroy())
  let text = ''
  client.on('data', (chunk) => (text += String(chunk)))
  for (let n = 1; n <= 3; n++) {
    client.write('POST / HTTP/1.1\r\nHost: proxy\r\nContent-Length: 0\r\n\r\n')
    await vi.waitFor(() => expect(text.split('Keep-Alive: timeout=1').length - 1).toBe(n))
  }
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
}, 30_000)

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
const requestWith = (...headers: string[]) =>
  `${['POST / HTTP/1.1', 'Host: proxy', 'Content-Length: 2', ...headers].join('\r\n')}\r\n\r\n`

describe('never answers on its own', () => {
  test.each([
    ['100-continue', 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n'],
    ['100-continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['pancakes', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
  ])('to Expect: %s, but passes %j', async (expected, answer) => {
    const seen: string[] = []
    const target = await listening(
      net.createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', (data) => {
          seen.push(String(data))
          socket.write(answer)
        })
      }),
    )
    const proxy = await proxyTo(target)
    const { text } = writing(proxy.origin, requestWith(`Expect: ${expected}`))
    await vi.waitFor(() => expect(text()).not.toBe(''))
    expect(text().split('\r\n')[0]).toBe(answer.split('\r\n')[0])
    expect(seen[0]).toContain(`Expect: ${expected}`)
  })

  test('to long headers or a request without Host', async () => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.setHeader('x-long', 'x'.repeat(50_000)).end(),
    )
    const proxy = await proxyTo(target)
    const long = writing(proxy.origin, `POST / HTTP/1.1\r\nX-Long: ${'x'.repeat(10_000)}\r\n\r\n`)
    await vi.waitFor(() => expect(long.text()).toContain('x'.repeat(50_000)))
  })

  test('to something that is not HTTP', async () => {
    const proxy = await proxyTo('http://127.0.0.1:1')
    const { client, text } = writing(proxy.origin, 'garbage\r\n\r\n')
    await once(client, 'close')
    expect(text()).toBe('')
    expect(proxy.said).toEqual(['A client sent something that is not HTTP (HPE_INVALID_METHOD).'])
  })
})

describe('a target that', () => {
  test('dies in the middle of an answer ends the connection of the client there', async () => {
    const target = await rawService((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n' + 'x'.repeat(500), () =>
        setTimeout(() => socket.destroy(), 50),
      )
    })
    const proxy = await forwarding(target)
    const { body, error, message } = await send(proxy.origin)
    expect([body.length, error, message.headers['content-length']]).toEqual([500, 'aborted', '1000'])
    expect(endingsOf(proxy)).toMatchObject({ truncated: 1 })
  })

  test('dies in the middle of a chunked answer ends the connection of the client there', async () => {
    const target = await rawService((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n', () =>
        setTimeout(() => socket.destroy(), 50),
      )
    })
    const proxy = await forwarding(target)
    const { body, error } = await send(proxy.origin)
    expect([body.toString(), error]).toEqual(['hello', 'aborted'])
    expect(endingsOf(proxy)).toMatchObject({ truncated: 1 })
  })

  test('sends more than it declared is read up to its declared length, as without the proxy', async () => {
    const target = await rawService((socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nabcdefgh'),
    )
    const proxy = await proxyTo(target)
    expect((await send(proxy.origin)).body.toString()).toBe('abcd')
  })

  test.each([
    ['answers garbage', (socket: Socket) => void socket.end('garbage\r\n\r\n'), /not HTTP/],
    ['ends the connection without an answer', (socket: Socket) => void socket.destroy(), /without an answer/],
    ['answers the status 099', (socket: Socket) => void socket.end('HTTP/1.1 099 Odd\r\n\r\n'), /not HTTP/],
    ['answers a bell', (socket: Socket) => void socket.end('HTTP/1.1 200 \u0007\r\n\r\n'), /not HTTP/],
    [
      'switches protocols',
      (socket: Socket) =>
        void socket.write('HTTP/1.1 101 Go\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\nhello'),
      /not HTTP/,
    ],
  ])('%s gives the client no answer', async (_, answer, sentence) => {
    const proxy = await forwarding(await rawService(answer))
    await expect(send(proxy.origin)).rejects.toThrow(/socket hang up|ECONNRESET/)
    expect(proxy.said[0]).toMatch(sentence)
    expect(endingsOf(proxy)).toMatchObject({ reset: 1 })
  })

  test('is not there gives the client no answer', async () => {
    const proxy = await proxyTo('http://127.0.0.1:1')
    await expect(send(proxy.origin)).rejects.toThrow(/socket hang up|ECONNRESET/)
    expect(proxy.said[0]).toContain('accepts no connection. Check --target.')
  })

  test('never answers is left when the client leaves', async () => {
    const left = vi.fn()
    const target = await serviceOf((_, outgoing) => void outgoing.on('close', left))
    const proxy = await forwarding(target)
    const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }).end()
    outgoing.on('error', () => {})
    await sleep(200)
    expect(left).not.toHaveBeenCalled()
    outgoing.destroy()
    await vi.waitFor(() => expect(left).toHaveBeenCalled())
    expect(endingsOf(proxy)).toMatchObject({ aborted: 1 })
  })

  test('answers before it has read the request is heard', async () => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.writeHead(413, { connection: 'close' }).end('too large'),
    )
    const proxy = await proxyTo(target)
    const outgoing = http.request(proxy.origin, { method: 'POST', agent: false })
    outgoing.on('error', () => {})
    outgoing.write('x'.repeat(1000))
    const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
    expect(message.statusCode).toBe(413)
    outgoing.destroy()
  })
})

test('a client that leaves in the middle of an answer ends it for the service too', async () => {
  const left = vi.fn()
  const target = await serviceOf((_, outgoing) => {
    outgoing.write('x'.repeat(100))
    outgoing.on('close', left)
  })
  const proxy = await forwarding(target)
  const outgoing = http.request(proxy.origin, { method: 'POST', agent: false }).end()
  outgoing.on('error', () => {})
  const [message] = (await once(outgoing, 'response')) as [IncomingMessage]
  message.on('error', () => {})
  message.destroy()
  await vi.waitFor(() => expect(left).toHaveBeenCalled())
  expect(endingsOf(proxy)).toMatchObject({ aborted: 1 })
})

describe('the judge', () => {
  const quantity = { id: 'q1', name: 'pH' }

  test('passes a service and a client that keep the rules', async () => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.setHeader('content-type', 'application/json').end(rows([quantity])),
    )
    const proxy = await forwarding(target)
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
    const found = outcomesOf(proxy)
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
      const proxy = await forwarding(target)
      await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
      const found = outcomesOf(proxy)
      expect(found[requirement]).toBe(requirement === 'REQ-HTTP-12' ? 'warn' : 'fail')
    },
  )

  test('finds the client that repeats a statement after a 504 and sends no token', async () => {
    const target = await serviceOf((_, outgoing) => void outgoing.writeHead(504).end())
    const proxy = await forwarding(target)
    await ask(proxy.origin, 'SELECT id FROM v_quantities LIMIT 1')
    await ask(proxy.origin, 'SELECT id FROM v_quantities LIMIT 1')
    await send(proxy.origin, {
      headers: { 'content-type': 'application/json' },
      body: '{"statement":"SELECT 1"}',
    })
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
    const proxy = await forwarding(target)
    for (const since of ['2025-12-01', times[1]])
      await ask(proxy.origin, `SELECT * FROM v_timeseries WHERE last_updated_at > '${since}'`)
    expect(outcomesOf(proxy)).toMatchObject({ 'REQ-DELTA-9': 'warn', 'REQ-HTTP-4': 'pass' })
  })

  test('does not judge a body that the client had no time to send', async () => {
    const target = await serviceOf(
      (_, outgoing) => void outgoing.writeHead(413, { connection: 'close' }).end('too large'),
    )
    const proxy = await forwarding(target)
    const outgoing = http.request(proxy.origin, {
      path: contract.endpoint.path,
      method: 'POST',
      agent: false,
    })
    outgoing.on('error', () => {})
    outgoing.write('{"statement":"SEL')
    await once(outgoing, 'response')
    await vi.waitFor(() => expect(proxy.report().exchanges).toBe(1))
    expect(outcomesOf(proxy)).toMatchObject({ 'REQ-HTTP-13': 'not exercised', 'REQ-AUTH-4': 'fail' })
  })

  test('says that a body above the bound was not judged', async () => {
    const many = Array.from({ length: 1000 }, (_, n) => ({ id: n }))
    const target = await serviceOf((_, outgoing) => void outgoing.end(rows(many)))
    const proxy = await forwarding(target, 1000)
    const { body } = await ask(proxy.origin, 'SELECT id FROM v_quantities LIMIT 5')
    expect(JSON.parse(body.toString()).data.length).toBe(1000)
    expect(proxy.report()).toMatchObject({ beginningsOnly: 1, exchanges: 1 })
  })

  test('judges what passed before the proxy ended', async () => {
    const target = await serviceOf((_, outgoing) => void outgoing.end(rows([quantity])))
    const proxy = await proxyTo(target, { judge: true })
    await ask(proxy.origin, 'SELECT id, name FROM v_quantities LIMIT 1')
    expect((await proxy.close())!.exchanges).toBe(1)
  })
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

  test('that cannot be written does not stop the traffic', async () => {
    const store = newFolder()
    writeFileSync(store, 'a file')
    const target = await serviceOf((_, outgoing) => void outgoing.end(rows([])))
    const proxy = await proxyTo(target, { store, judge: true })
    await vi.waitFor(() => expect(proxy.said.join()).toContain('The judge failed'), { timeout: 20_000 })
    expect((await ask(proxy.origin, 'SELECT 1')).body.toString()).toBe(rows([]))
    expect(await proxy.report()).toBeUndefined()
  })
})
