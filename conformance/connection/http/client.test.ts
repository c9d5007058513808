import { describe, expect, onTestFinished, test } from 'vitest'
import { Client, TransportError } from './client.ts'
import { Pace } from './pace.ts'
import { Limits, Stopped, type RunLimits } from './limits.ts'
import { Tokens } from './tokens.ts'

const SERVED = () => new Response('{}', { status: 200 })
const status = (code: number, headers: Record<string, string> = {}) =>
  new Response('', { status: code, headers })

interface Setup {
  answer: (token: string | null, n: number) => Response | Promise<Response>
  renew?: () => Promise<string>
  limits?: RunLimits
  rate?: number
}

/** A client with an immediate fake server; `sent` has the tokens of all requests. */
function client({ answer, renew, limits = {}, rate }: Setup) {
  const sent: (string | null)[] = []
  const secrets: string[] = []
  const made = new Client({
    baseUrl: 'http://target.test',
    path: '/',
    tokens: new Tokens('t1', renew, (token) => secrets.push(token)),
    headers: {},
    fetch: async (_, init) => {
      const authorization = new Headers(init?.headers).get('authorization')
      sent.push(authorization?.replace('Bearer ', '') ?? null)
      return answer(sent.at(-1)!, sent.length)
    },
    timeoutMs: 1000,
    retries: 1,
    limits: new Limits(limits),
    pace: new Pace(rate, 1),
  })
  onTestFinished(() => made.options.limits.end())
  return { client: made, sent, secrets }
}

describe('a target that limits requests', () => {
  test.each([
    ['429', status(429)],
    ['503', status(503)],
    ['503 with an invalid pause', status(503, { 'retry-after': 'soon' })],
  ])('a request is repeated after HTTP %s', async (_, response) => {
    const { client: c, sent } = client({ answer: (__, n) => (n < 4 ? response : SERVED()) })
    expect((await c.send('{}')).response?.status).toBe(200)
    expect([sent.length, c.pace.refused]).toEqual([4, 3])
  })
  test('a request is repeated after a refused connection, if the target has answered before', async () => {
    const refused = new TypeError('fetch failed', { cause: { code: 'ECONNREFUSED' } })
    const { client: c } = client({
      answer: (_, n) => (n > 1 && n < 6 ? Promise.reject(refused) : SERVED()),
    })
    await c.send('1')
    expect((await c.send('2')).response?.status).toBe(200)
  })
  test('requests are given up at once after three in a row were refused to the end, until one is served', async () => {
    let isBusy = true
    const { client: c, sent } = client({ answer: () => (isBusy ? status(503) : SERVED()) })
    for (let n = 0; n < 4; n++) await expect(c.send('{}')).rejects.toThrow('limited the requests')
    const before = sent.length
    await expect(c.send('{}')).rejects.toThrow('limited the requests')
    expect(sent.length).toBe(before + 1)
    isBusy = false
    expect((await c.send('{}')).response?.status).toBe(200)
  })
  test('a rate is kept from the first request', async () => {
    const { client: c } = client({ answer: () => SERVED(), rate: 50 })
    const started = performance.now()
    await Promise.all([1, 2, 3, 4, 5].map((n) => c.send(`${n}`)))
    expect(performance.now() - started).toBeGreaterThan(75)
    expect([c.pace.refused, c.pace.waitedMs]).toEqual([0, 0])
  })
})

describe('Retry-After', () => {
  test('Retry-After is obeyed with 403, 429 and 503, and every attempt counts as a request', async () => {
    const asking = [403, 429, 503]
    const { client: c } = client({
      answer: (_, n) => (n <= asking.length ? status(asking[n - 1]!, { 'retry-after': '0' }) : SERVED()),
    })
    expect((await c.send('{}')).response?.status).toBe(200)
    expect([c.statements, c.pace.refused]).toEqual([4, 3])
  })
  test.each([
    ['a 504', status(504, { 'retry-after': '0' })],
    ['a pause longer than the suite waits', status(429, { 'retry-after': '3600' })],
  ])('Retry-After is ignored with %s, which is no answer', async (_, response) => {
    const { client: c, sent } = client({ answer: () => response })
    await expect(c.send('{}')).rejects.toMatchObject({ exchange: { response: { status: response.status } } })
    expect(sent).toHaveLength(1)
  })
  test('a request with paced false is sent once', async () => {
    const { client: c, sent } = client({ answer: () => status(503, { 'retry-after': '0' }) })
    await expect(c.send('{}', { paced: false })).rejects.toThrow('limited the requests with HTTP 503')
    expect(sent).toHaveLength(1)
  })
})

describe('a refused token', () => {
  test('a refused token is renewed once for all waiting requests, and each is repeated once', async () => {
    let renewals = 0
    const {
      client: c,
      sent,
      secrets,
    } = client({
      answer: (token) => (token === 't1' ? status(401) : SERVED()),
      renew: async () => `t${++renewals + 1}`,
    })
    const exchanges = await Promise.all([c.send('1'), c.send('2'), c.send('3')])
    expect(exchanges.map(({ response }) => response?.status)).toEqual([200, 200, 200])
    expect(sent).toEqual(['t1', 't1', 't1', 't2', 't2', 't2'])
    expect(secrets).toEqual(['t1', 't2'])
    expect(c.refusals.servedAgain).toEqual([])
  })
  test('a refused request that is served later with the same token is noted', async () => {
    const { client: c } = client({
      answer: (_, n) => (n === 2 ? status(401) : SERVED()),
      renew: async () => 't2',
    })
    await c.send('1')
    await c.send('1')
    expect(c.refusals.servedAgain).toEqual([])
    await c.send('1', { headers: { 'Content-Type': 'text/plain' } })
    expect(c.refusals.servedAgain).toEqual([])
    await c.sendAgain(c.refusals.refused[0]!)
    expect(c.refusals.servedAgain).toHaveLength(1)
  })
  test('a token that worked before and is now refused for a plain statement too ends the run', async () => {
    const { client: c } = client({ answer: (_, n) => (n > 1 ? status(401) : SERVED()) })
    await c.send('1')
    await expect(c.send('2')).rejects.toThrow(Stopped)
    await expect(c.send('3')).rejects.toThrow(Stopped)
  })
  test('a 401 is returned if the token never worked, or if only this statement is refused', async () => {
    const never = client({ answer: () => status(401) })
    await never.client.send('1')
    expect(never.sent).toHaveLength(1)
    const forbidden = client({ answer: (_, n) => (n === 2 ? status(401) : SERVED()) })
    await forbidden.client.send('1')
    expect((await forbidden.client.send('2')).response?.status).toBe(401)
    expect((await forbidden.client.send('3')).response?.status).toBe(200)
  })
  test('a token that is refused with 403 is renewed if the plain statement is refused too', async () => {
    const { client: c, sent } = client({
      answer: (token, n) => (n === 1 || token === 't2' ? SERVED() : status(403)),
      renew: async () => 't2',
    })
    await c.send('1')
    expect((await c.send('2')).response?.status).toBe(200)
    expect(sent).toEqual(['t1', 't1', 't1', 't2'])
  })
  test('a token is not renewed for a 403 that withholds one statement', async () => {
    let renewals = 0
    const { client: c } = client({
      answer: (_, n) => (n === 2 ? status(403) : SERVED()),
      renew: async () => `t${++renewals + 1}`,
    })
    await c.send('1')
    expect((await c.send('2')).response?.status).toBe(403)
    expect((await c.send('3')).response?.status).toBe(200)
    expect(renewals).toBe(0)
  })
  test('a token is renewed once if the view of the plain statement is withheld', async () => {
    let renewals = 0
    const { client: c } = client({
      answer: (_, n) => (n === 1 ? SERVED() : status(403)),
      renew: async () => `t${++renewals + 1}`,
    })
    for (const body of ['1', '2', '3', '4']) await c.send(body)
    expect((await c.send('5')).response?.status).toBe(403)
    expect(renewals).toBe(1)
  })
  test('a 403 is returned if the token cannot be renewed', async () => {
    const { client: c, sent } = client({ answer: (_, n) => (n === 1 ? SERVED() : status(403)) })
    await c.send('1')
    expect((await c.send('2')).response?.status).toBe(403)
    expect(sent).toHaveLength(2)
  })
  test('a token is not renewed again after the command fails', async () => {
    let asked = 0
    const renew = async () => {
      if (++asked > 1) throw new Error('no more')
      return 't1'
    }
    const { client: c } = client({ answer: () => status(401), renew })
    for (const body of ['1', '2', '3']) await c.send(body)
    expect(asked).toBe(2)
    expect(c.options.tokens.failure).toBe('no more')
  })
})

const hang = () => {
  throw new DOMException('too late', 'TimeoutError')
}
const reset = () => {
  throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNRESET', message: 'r' } })
}

describe('the end of a run', () => {
  test('the run ends after its maximum number of requests and keeps their replies', async () => {
    const { client: c, sent } = client({ answer: SERVED, limits: { maxStatements: 2 } })
    await Promise.all([c.send('1'), c.send('2')])
    await expect(c.send('3')).rejects.toThrow('2 requests were sent')
    expect(sent).toHaveLength(2)
  })
  test('the run ends after four requests that time out or exceed the size limit', async () => {
    const { client: c, sent } = client({ answer: hang })
    for (let n = 1; n <= 4; n++) await expect(c.send('x')).rejects.toThrow(TransportError)
    await expect(c.send('x')).rejects.toThrow('did not complete 4 replies')
    expect(sent).toHaveLength(4)
  })
  test('the run ends after large replies of more than the permitted memory in total', async () => {
    const { client: c } = client({
      answer: () => new Response(Buffer.alloc(3 * 1024 * 1024, ' ')),
      limits: { maxMemory: 10 * 1024 * 1024 },
    })
    const bytes = async () => (await c.send('x')).response!.bytes
    for (let n = 1; n <= 3; n++) await bytes()
    await expect(bytes()).rejects.toThrow('sent more than 10 MiB in large replies; lower --max-rows')
    await expect(bytes()).rejects.toThrow(Stopped)
  })
  test('small replies do not end the run, whatever their number', async () => {
    const body = Buffer.alloc(200 * 1024, ' ')
    const { client: c } = client({
      answer: () => new Response(body),
      limits: { maxMemory: 10 * 1024 * 1024 },
    })
    for (let n = 1; n <= 100; n++) await c.send('x')
    expect(c.options.limits.reason).toBeUndefined()
  })
  test('large replies may have 160 MiB in total by default', () => {
    const limits = new Limits({})
    limits.countMemory(160 * 1024 * 1024)
    expect(() => limits.countMemory(1)).toThrow('sent more than 160 MiB')
    limits.end()
  })
  test('the end of the run aborts pending requests, even if fetch ignores the signal', async () => {
    const stop = new AbortController()
    const { client: c } = client({ answer: () => new Promise(() => {}), limits: { signal: stop.signal } })
    const sent = c.send('x')
    stop.abort()
    await expect(sent).rejects.toThrow('it was aborted')
    const late = client({ answer: () => new Promise(() => {}) })
    await expect(late.client.send('x', { timeoutMs: 10 })).rejects.toThrow('no complete reply within 0.01 s')
  })
  test('the end of the run does not wait for a token', async () => {
    const stop = new AbortController()
    const renew = () => new Promise<string>(() => setTimeout(() => stop.abort()))
    const { client: c } = client({ answer: () => status(401), renew, limits: { signal: stop.signal } })
    await expect(c.send('x')).rejects.toThrow('it was aborted')
  })
  test('a reset connection does not end the run and is retried', async () => {
    const { client: c, sent } = client({ answer: reset })
    for (let n = 1; n <= 5; n++) await expect(c.send('x')).rejects.toThrow('closed the connection')
    expect(sent).toHaveLength(10)
  })
})

test('replies are kept for the answers while their memory is below 128 MiB, small ones also after a large one', async () => {
  const large = `[${'1,'.repeat(1_500_000)}1]`
  const { client: c } = client({ answer: (_, n) => new Response(n < 3 ? large : '{}') })
  for (const body of ['1', '2', '3']) await c.send(body)
  expect(c.answers.map(({ request }) => request.body)).toEqual(['1', '3'])
})
