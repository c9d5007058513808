import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { createSettings } from '../../open-points/settings.ts'
import { appOf, body, pages, post, rows, token } from '../request.test-helper.ts'
import { TestClock } from './clock.test-helper.ts'
import type { FaultText } from './fault.ts'
import { type FaultList, Faults } from './faults.ts'

/** An application with faults over rows of about 1000 bytes, with a clock that does not wait. */
function appWith(list: FaultList, options: Parameters<typeof appOf>[1] = {}, seed = 1) {
  const clock = new TestClock()
  const faults = new Faults(list, { seed, clock, timeLimitMs: 2000 })
  const statements: string[] = []
  const app = appOf(
    (statement) => {
      statements.push(statement)
      return rows(`{"n":"${'x'.repeat(1000)}"}`)
    },
    { ...options, faults },
  )
  const ask = (statement = 'SELECT 1') => app.answer(post({ body: body(statement) }))
  return { ...app, ask, clock, faults, statements }
}

/** Streamed rows. */
const inPages = () => pages(...Array(9).fill(`{"n":"${'x'.repeat(200_000)}"}`))

const text = async ({ body }: { body: unknown }) => new Response(body as ArrayBuffer).text()
const error = (message: unknown) => ({ data: [], status: { state: 'error', message } })

test('faults that are always there stay when the others are replaced, and are alike in another session', async () => {
  const clock = new TestClock()
  const all = new Faults(['status:503'], { clock, always: ['latency:200ms'] })
  for (const faults of [all, all.again()]) {
    const specs = () => faults.list().map(({ spec }) => spec)
    expect(specs()).toEqual(['latency:200ms', 'status:503'])
    faults.replace(['status:500'])
    expect(specs()).toEqual(['latency:200ms', 'status:500'])
    faults.clear()
    expect(specs()).toEqual(['latency:200ms'])
  }
})

describe('a fault', () => {
  test('latency delays the answer and does not change it', async () => {
    const { ask, clock, log } = appWith(['latency:200ms'])
    expect((await ask()).status).toBe(200)
    expect(clock.slept).toEqual([200])
    expect(log).toMatchObject([{ status: 200, state: 'success' }])
  })

  test('status answers with the envelope, executes nothing and is in the log', async () => {
    const { ask, log, statements } = appWith(['status:503,retry-after=1500ms'])
    const answer = await ask()
    expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '2' } })
    expect(JSON.parse(await text(answer))).toEqual(error(expect.stringContaining('HTTP 503')))
    expect(statements).toEqual([])
    expect(log).toMatchObject([{ status: 503, cause: expect.stringContaining('Fault: status:503,') }])
  })

  test('reset sends no answer', async () => {
    const { ask, fetch, log } = appWith(['reset'])
    expect(await ask()).toMatchObject({ break: 'reset' })
    expect((await fetch(post())).type).toBe('error')
    expect(log[0]).toMatchObject({
      status: 0,
      state: 'broken',
      cause: expect.stringContaining('Fault: reset'),
    })
  })

  test.each<[FaultText, { 'content-length': string | undefined }, number]>([
    ['reset:300', { 'content-length': '1092' }, 300],
    ['truncate:300', { 'content-length': '1092' }, 300],
    ['truncate:5KB', { 'content-length': '1092' }, 1091],
    ['truncate:300,framing=chunked', { 'content-length': undefined }, 300],
  ])('%s cuts a complete body', async (spec, headers, afterBytes) => {
    const { ask, log } = appWith([spec])
    const answer = await ask()
    expect(answer).toMatchObject({ status: 200, break: { afterBytes } })
    expect(answer.headers['content-length']).toBe(headers['content-length'])
    expect(log).toMatchObject([{ status: 200, state: 'broken', cause: `Fault: ${spec}` }])
  })

  test.each<[FaultText, string | undefined]>([
    ['reset:300', undefined],
    ['truncate:300', '1324'],
    ['truncate:300,framing=chunked', undefined],
  ])('%s cuts a streamed body', async (spec, length) => {
    const faults = new Faults([spec])
    const { answer, fetch, log } = appOf(inPages, { faults })
    const broken = await answer(post())
    expect(broken).toMatchObject({ break: { afterBytes: 300 } })
    expect(broken.headers['content-length']).toBe(length)
    await expect((await fetch(post())).text()).rejects.toThrow('fetch failed')
    expect(log).toMatchObject([{ status: 200, state: 'broken' }])
  })

  test('truncate:300,framing=complete is complete for HTTP, streamed or not', async () => {
    const whole = await appWith(['truncate:300,framing=complete']).ask()
    expect(whole.headers['content-length']).toBe('300')
    expect(await text(whole)).toMatch(/^\{"data":\[\{"n":"x{285}$/)
    const faults = new Faults(['truncate:300,framing=complete'])
    const { fetch, log } = appOf(inPages, { faults })
    expect(await (await fetch(post())).text()).toBe(`{"data":[{"n":"${'x'.repeat(285)}`)
    expect(log).toMatchObject([{ state: 'broken' }])
  })

  test('drip sends every byte in order, slowly and uncompressed', async () => {
    const plain = await text(await appWith([]).ask())
    const { ask, clock } = appWith(['drip:100/s'])
    const answer = await ask()
    expect(answer.gzip).toBe(false)
    expect(await text(answer)).toBe(plain)
    expect(clock.slept).toHaveLength(110)
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeCloseTo(10_920)
  })

  test('drip stops reading rows when its reader leaves', async () => {
    const faults = new Faults(['drip:10/s'])
    const { answer, log } = appOf(inPages, { faults })
    const reader = ((await answer(post())).body as ReadableStream).getReader()
    const pending = reader.read()
    await reader.cancel(new Error('left'))
    await Promise.allSettled([pending])
    expect(log).toMatchObject([{ state: 'broken', cause: 'Error: left' }])
  })

  test('expire rejects each token after a number of requests, as the server rejects a wrong token', async () => {
    const { ask, fetch, clock, faults } = appWith(['expire:after=2'])
    const statuses = []
    for (let n = 0; n < 4; n++) statuses.push((await ask()).status)
    expect(statuses).toEqual([200, 200, 401, 401])
    const refused = await ask()
    const unknown = await fetch(post({ headers: { authorization: 'Bearer wrong' } }))
    expect(refused.headers['www-authenticate']).toBe(unknown.headers.get('www-authenticate'))
    expect(await text(refused)).toContain('The token has expired.')
    faults.replace(['expire:lifetime=1m'])
    expect((await ask()).status).toBe(200)
    clock.time += 60_000
    expect((await ask()).status).toBe(401)
    faults.replace(['expire:at=19700101T000000Z'])
    expect((await ask()).status).toBe(401)
  })

  test('limit answers 429 with Retry-After', async () => {
    const { ask, clock } = appWith(['limit:2/s'])
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await ask()).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await ask()).headers['retry-after']).toBe('1')
    clock.time += 1000
    expect((await ask()).status).toBe(200)
  })

  test('timeout answers 504 at once or after the time limit, as the setting timeout.body chooses', async () => {
    const settings = createSettings({ 'timeout.body': 'message' })
    const { ask, clock, faults, statements } = appWith(['timeout'], { settings })
    expect([(await ask()).status, clock.slept]).toEqual([504, []])
    faults.replace(['timeout:after=limit'])
    const late = await ask()
    expect([late.status, clock.slept, statements]).toEqual([504, [2000], []])
    expect(JSON.parse(await text(late))).toEqual({ message: 'Endpoint request timed out' })
  })
})

test('fake timers control the clock of the faults', async () => {
  vi.useFakeTimers()
  const { answer } = appOf(undefined, { faults: new Faults(['latency:1h', 'limit:1/min']) })
  const late = answer(post())
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect((await late).status).toBe(200)
  vi.useRealTimers()
})

test('a client that leaves during a latency ends the wait', async () => {
  const client = new AbortController()
  const { answer, log } = appOf(undefined, { faults: new Faults(['latency:20s']) })
  const asked = answer(post({ signal: client.signal }))
  client.abort(new Error('left'))
  await expect(asked).rejects.toThrow('left')
  expect(log).toMatchObject([{ status: 499, state: 'broken' }])
})

describe('the selection of requests', () => {
  test('a fault with a pattern applies to statements, and without one to every request before authentication', async () => {
    const { ask, answer, faults } = appWith(['status:503,on=v_timeseries'])
    expect((await ask('SELECT * FROM v_timeseries')).status).toBe(503)
    expect((await ask('SELECT * FROM v_timeseries_data')).status).toBe(200)
    expect((await answer(post({ headers: { authorization: '' } }))).status).toBe(401)
    faults.replace(['status:503'])
    expect((await answer(post({ headers: { authorization: '' } }))).status).toBe(503)
    faults.replace(['status:503,on=*'])
    expect((await answer(post({ headers: { authorization: '' } }))).status).toBe(401)
    expect((await ask()).status).toBe(503)
  })

  test('a fault of the body with a pattern applies to the bodies of its statements only', async () => {
    const { ask, answer } = appWith(['truncate:9,on=v_formulas'])
    expect((await ask('SELECT * FROM v_formulas')).break).toEqual({ afterBytes: 9 })
    expect((await ask('SELECT * FROM v_quantities')).break).toBeUndefined()
    expect((await answer(post({ headers: { authorization: '' } }))).break).toBeUndefined()
  })

  test.each([
    'status:503,times=1',
    'reset,times=1',
    'truncate:9,times=1',
    'status:503,times=1,on=*',
  ] as const)('%s waits for a request with a valid token', async (spec) => {
    const { ask, answer, faults } = appWith([spec])
    for (const authorization of ['', 'Bearer wrong']) {
      const refused = await answer(post({ headers: { authorization } }))
      expect([refused.status, refused.break]).toEqual([401, undefined])
    }
    expect(faults.list()).toMatchObject([{ matched: 0, triggered: 0 }])
    await ask()
    expect(faults.list()).toMatchObject([{ matched: 1, triggered: 1 }])
    expect(await ask()).toMatchObject({ status: 200 })
  })

  test('a fault with times applies to a path that needs no token', async () => {
    const { fetch } = appWith(['status:500,route=/openapi.json,times=1'])
    const get = async () => (await fetch(new Request('http://localhost/openapi.json'))).status
    expect([await get(), await get()]).toEqual([500, 200])
  })

  test('a route applies to any path of the server except the list of faults', async () => {
    const { fetch, ask } = appWith(['status:500,route=/*', 'truncate:10,route=/schemas/*'])
    const get = (path: string) => fetch(new Request(`http://localhost${path}`))
    expect((await get('/openapi.json')).status).toBe(500)
    expect((await ask()).status).toBe(500)
    expect((await get('/_mock/faults')).status).toBe(200)
    const cut = appWith(['truncate:10,route=/schemas/*'])
    const schema = await cut.fetch(new Request('http://localhost/schemas/envelope.schema.json'))
    await expect(schema.text()).rejects.toThrow()
    expect((await cut.ask()).break).toBeUndefined()
  })
})

describe('several faults', () => {
  test('apply in the order of their types, not in the order in which they were given', async () => {
    const list: FaultList = [
      'drip:1KB/s',
      'timeout',
      'status:500',
      'limit:1/min',
      'latency:5ms',
      'latency:7ms',
    ]
    const { ask, clock, faults } = appWith(list)
    expect((await ask()).status).toBe(500)
    expect(clock.slept).toEqual([5, 7])
    expect((await ask()).status).toBe(429)
    expect(faults.list().map(({ spec, matched, triggered }) => [spec, matched, triggered])).toEqual([
      ['drip:1KB/s', 2, 2],
      // the status ended both requests
      ['timeout', 0, 0],
      ['status:500', 1, 1],
      ['limit:1/min', 2, 1],
      ['latency:5ms', 2, 2],
      ['latency:7ms', 2, 2],
    ])
  })

  test('of the body combine: the shortest body, sent slowly', async () => {
    const { ask, fetch, clock } = appWith(['reset:500', 'truncate:300', 'drip:100/s'])
    expect(await ask()).toMatchObject({ break: { afterBytes: 300 }, gzip: false })
    clock.slept.length = 0
    const response = await fetch(post())
    await expect(response.text()).rejects.toThrow()
    expect(clock.slept).toHaveLength(30)
  })

  test('of the body apply to the answers of other faults', async () => {
    const { ask } = appWith(['status:500', 'truncate:3'])
    expect(await ask()).toMatchObject({ status: 500, break: { afterBytes: 3 } })
  })
})

test('the same seed and order of requests reproduce the same faults, also after setting them again', async () => {
  const list: FaultList = [
    'status:503,rate=0.3,burst=2',
    'reset,rate=0.2,on=v_formulas',
    'latency:1ms-9ms,rate=0.5',
  ]
  const outcomes = async (seed: number, statements: readonly string[]) => {
    const { ask, clock, faults } = appWith(list, {}, seed)
    const run = async () => {
      clock.slept.length = 0
      const seen = []
      for (const statement of statements) {
        const { status, break: fault } = await ask(statement)
        seen.push(`${status} ${fault}`)
      }
      return [seen, [...clock.slept], faults.list()]
    }
    const first = await run()
    faults.replace(list)
    expect(await run()).toEqual(first)
    return first
  }
  const statement = fc.constantFrom('SELECT 1', 'SELECT * FROM v_formulas')
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(statement, { maxLength: 30 }), async (seed, statements) => {
      expect(await outcomes(seed, statements)).toEqual(await outcomes(seed, statements))
    }),
    { numRuns: 20 },
  )
  const many = Array<string>(100).fill('SELECT 1')
  expect(await outcomes(1, many)).not.toEqual(await outcomes(2, many))
})

test('equal faults draw different delays, however they were added', async () => {
  const clock = new TestClock()
  const given = appWith(['latency:1ms-9ms', 'latency:1ms-9ms', 'latency:1ms-9ms'])
  await given.ask()
  expect(new Set(given.clock.slept).size).toBe(3)
  const added = new Faults(['latency:1ms-9ms'], { clock })
  added.add(['latency:1ms-9ms'])
  added.add(['latency:1ms-9ms'])
  await added.open('/x', true)!.arrive(new AbortController().signal)
  expect(clock.slept).toEqual(given.clock.slept)
})

test('a request without faults has no RequestFaults', async () => {
  const faults = new Faults()
  expect(faults.open('/external/v1/statements/', true)).toBeUndefined()
  faults.add(['reset,route=/x'])
  expect(faults.open('/external/v1/statements/', true)).toBeUndefined()
  expect(faults.open('/x', false)).toBeDefined()
})

const specs = async (response: Response) =>
  ((await response.json()) as { faults: { spec: string }[] }).faults.map(({ spec }) => spec)

describe('/_mock/faults', () => {
  const path = 'http://localhost/_mock/faults'
  const send = (method: string, given?: unknown) =>
    new Request(path, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(given !== undefined && { body: typeof given === 'string' ? given : JSON.stringify(given) }),
    })

  test('GET lists with counts, PUT replaces, POST adds, DELETE clears', async () => {
    const { fetch, ask } = appWith([])
    expect(await specs(await fetch(new Request(path)))).toEqual([])
    expect(
      await specs(await fetch(send('PUT', { faults: ['status:503,times=1', { type: 'reset', on: '*' }] }))),
    ).toEqual(['status:503,times=1', 'reset,on=*'])
    expect([(await ask()).status, (await ask()).break]).toEqual([503, 'reset'])
    const listed = (await (await fetch(new Request(path))).json()) as object
    expect(listed).toEqual({
      faults: [
        {
          spec: 'status:503,times=1',
          fault: { type: 'status', status: 503, times: 1 },
          matched: 2,
          triggered: 1,
          struck: 1,
        },
        { spec: 'reset,on=*', fault: { type: 'reset', on: '*' }, matched: 1, triggered: 1, struck: 1 },
      ],
    })
    expect(await specs(await fetch(send('POST', '"limit:1/s"')))).toHaveLength(3)
    const one = new Request(`${path}?fault=${encodeURIComponent('reset,on=*')}`, send('DELETE'))
    const left = (await (await fetch(one)).json()) as { faults: { spec: string; triggered: number }[] }
    expect(left.faults.map(({ spec, triggered }) => [spec, triggered])).toEqual([
      ['status:503,times=1', 1],
      ['limit:1/s', 0],
    ])
    const again = await fetch(one)
    expect([again.status, await again.text()]).toEqual([
      400,
      expect.stringContaining('No fault is \\"reset,on=*\\".'),
    ])
    expect(await specs(await fetch(send('DELETE')))).toEqual([])
    expect((await ask()).status).toBe(200)
  })

  test.each([
    ['{', /The body is not JSON\. Send/],
    [{ faults: ['reset', 'lag'] }, /There is no fault "lag"/],
    [{ faults: 'reset,times=x' }, /Write reset,times=1: .* a whole number/],
    [7, /7 is not a fault/],
  ])('rejects %j with a sentence and changes nothing', async (given, sentence) => {
    const { fetch, faults } = appWith(['timeout'])
    for (const method of ['PUT', 'POST']) {
      const response = await fetch(send(method, given))
      expect([response.status, await response.json()]).toEqual([400, error(expect.stringMatching(sentence))])
    }
    expect(faults.list()).toHaveLength(1)
  })

  test('is guarded like every route of /_mock', async () => {
    const { fetch } = appWith([], { admin: { token: 'admin' } })
    expect((await fetch(new Request(path))).status).toBe(401)
    expect((await fetch(new Request(path, { headers: { authorization: `Bearer ${token}` } }))).status).toBe(
      401,
    )
    const open = appWith([])
    expect((await open.fetch(new Request(path, { method: 'POST' }))).status).toBe(415)
    const foreign = { origin: 'https://evil.example', 'content-type': 'application/json' }
    expect(
      (await open.fetch(new Request(path, { method: 'PUT', headers: foreign, body: '[]' }))).status,
    ).toBe(403)
  })
})
