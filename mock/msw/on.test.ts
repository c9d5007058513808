import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest'
import { UnknownVariant } from '../open-points/settings.ts'
import { createMock, FaultError, type Mock, MockError, on } from './index.ts'

const url = 'https://api.example.com/plant-1/external/v1/statements/'
/** Stands for whatever answers when none of the handlers does. */
const server = setupServer(http.post(url, () => HttpResponse.json('the mock')))

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

async function ask(statement: string, signal?: AbortSignal) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
    body: JSON.stringify({ statement }),
    ...(signal && { signal }),
  })
  return { status: response.status, body: (await response.json()) as unknown }
}

const failed = (message: unknown) => ({ data: [], status: { state: 'error', message } })

describe('on.timeout', () => {
  test('answers 504 at once', async () => {
    server.use(on.timeout())
    expect(await ask('SELECT 1')).toEqual({
      status: 504,
      body: failed(expect.stringContaining('30000 ms')),
    })
  })

  test('answers after a time that may be given, unless the client leaves before', async () => {
    server.use(on.timeout({ afterMs: 20, variants: { 'timeout.body': 'message' } }))
    expect((await ask('SELECT 1')).body).toEqual({ message: 'Endpoint request timed out' })
    server.use(on.timeout({ afterMs: 30_000 }))
    await expect(ask('SELECT 1', AbortSignal.timeout(20))).rejects.toThrow('timeout')
  })
})

describe('on.error', () => {
  test.each([
    ['syntax', 'SELEC 1', 'JSON decode error: syntax error at or near "SELEC"'],
    ['unknown-view', 'SELECT * FROM v_formulas', 'relation "v_formulas" does not exist'],
    ['unknown-view', 'SELECT 1', 'relation "v_unknown" does not exist'],
    ['exception', 'SELECT 1', 'Error executing statement'],
  ] as const)('answers %s to %s', async (kind, statement, message) => {
    server.use(on.error(kind))
    expect(await ask(statement)).toEqual({ status: 200, body: failed(message) })
  })

  test('answers as the variants say', async () => {
    server.use(on.error('exception', { variants: { 'http.exception': '500' } }))
    expect((await ask('SELECT 1')).status).toBe(500)
  })

  test('refuses what it does not know', () => {
    expect(() => on.error('timeout' as 'syntax')).toThrow(MockError)
    expect(() => on.error('toString' as 'syntax')).toThrow('Give one of: syntax, unknown-view, exception.')
    expect(() => on.error('syntax', { variants: { 'http.exception': '418' as '500' } })).toThrow(
      UnknownVariant,
    )
  })
})

describe('on.rows', () => {
  const rows = [{ id: 'a' }, { id: 'b' }]

  test.each(['v_formulas', 'select *  from V_FORMULAS', /formulas$/gi])(
    'answers what %s matches',
    async (match) => {
      server.use(on.rows(match, rows))
      for (const _ of [1, 2])
        expect(await ask('SELECT * FROM\n  v_formulas')).toEqual({
          status: 200,
          body: { data: rows, status: { state: 'success', message: 'Statement executed successfully' } },
        })
      expect((await ask('SELECT * FROM v_experiments')).body).toBe('the mock')
    },
  )

  test('refuses a view that does not exist', () => {
    expect(() => on.rows('v_formulaz' as string, rows)).toThrow(
      'There is no view v_formulaz. The views are: v_bioproc',
    )
  })

  test('has msw fail a statement over its view to which the rows are no answer', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    const mock = createMock()
    server.use(on.rows('v_formulas', [{ idd: 'a' }]))
    expect((await ask('SELECT id FROM v_formulas')).status).toBe(500)
    expect(String(error.mock.calls.flat().join(' '))).toContain(
      'match more of the statement, such as "from v_formulas"',
    )
    expect(mock.requests()).toMatchObject([{ status: 500, cause: expect.stringContaining('no column idd') }])
    expect((await ask('SELECT max(id) AS idd FROM v_formulas')).status).toBe(200)
    server.use(on.rows('from v_formulas', [{ idd: 'a' }]))
    expect((await ask('SELECT id FROM v_formulas')).body).toMatchObject({ data: [{ idd: 'a' }] })
    error.mockRestore()
  })

  test('says so when there are none', async () => {
    server.use(on.rows('v_formulas', []))
    expect((await ask('SELECT * FROM v_formulas')).body).toEqual({
      data: [],
      status: { state: 'success', message: 'The statement ran successfully but returned no results' },
    })
  })

  test('takes the name of a view as a whole name, as faults do', async () => {
    server.use(on.rows('v_timeseries', rows))
    expect((await ask('SELECT * FROM v_timeseries_data')).body).toBe('the mock')
    server.use(on.rows("= 'Completed'", rows))
    expect((await ask("SELECT * FROM v_bioprocesses WHERE status= 'Completed'")).body).toMatchObject({
      data: rows,
    })
    expect((await ask('SELECT * FROM "v_timeseries" t')).body).toMatchObject({ data: rows })
  })

  test.each([/./, /.*/s, /^/, /\w+/g, /(?:)/, /[^]/y])(
    'refuses %s, which matches every statement',
    (match) => {
      expect(() => on.rows(match, rows)).toThrow('matches every statement')
    },
  )

  test('refuses a text that is in every statement, and rows that are no list', () => {
    expect(() => on.rows(' ', rows)).toThrow(
      '" " names no statements. Give the name of a view, * or a RegExp.',
    )
    expect(() => on.rows(null as never, rows)).toThrow('null names no statements.')
    expect(() => on.rows('a', {} as [])).toThrow('The rows are not an array of objects.')
  })

  test('refuses values that no service answers', () => {
    expect(() => on.rows('a', [{}, { n: Number.NaN }])).toThrow('rows[1].n is NaN, which JSON does not have.')
    expect(() => on.rows('a', [{ n: 1n }])).toThrow('rows[0].n is the BigInt 1, which JSON does not have.')
    expect(() => on.rows('a', [{ text: '\ud800' }])).toThrow('rows[0].text contains a character')
  })

  test('takes a text as stubs take it', async () => {
    server.use(on.rows('*', rows))
    expect((await ask('SELECT id FROM v_formulas')).body).toMatchObject({ data: rows })
    server.resetHandlers(
      on.rows('LIMIT 5', rows),
      http.post(url, () => HttpResponse.json('the mock')),
    )
    expect((await ask('SELECT id FROM v_formulas limit 5')).body).toMatchObject({ data: rows })
    expect((await ask('SELECT id FROM v_formulas limit 50')).body).toBe('the mock')
    expect(() => on.rows('x'.repeat(1001), rows)).toThrow('It has more than 1000 characters.')
  })
})

describe('on.status', () => {
  test('answers the status with the envelope, and when to come back', async () => {
    server.use(on.status(500))
    expect(await ask('SELECT 1')).toEqual({ status: 500, body: failed(expect.stringContaining('HTTP 500')) })
    server.use(on.status(503, { retryAfterMs: 1500 }))
    const response = await fetch(url, { method: 'POST' })
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2'])
    expect(() => on.status(200)).toThrow(FaultError)
  })

  test('refuses a token as the service does', async () => {
    server.use(on.status(401))
    const response = await fetch(url, { method: 'POST' })
    expect([response.status, response.headers.get('www-authenticate')]).toEqual([
      401,
      'Bearer error="invalid_token"',
    ])
  })
})

describe('a connection that breaks', () => {
  test('on.reset gives no answer', async () => {
    server.use(on.reset())
    await expect(ask('SELECT 1')).rejects.toThrow(TypeError)
  })

  test.each([0, 7, 1000, 100_000])('on.truncate(%i) ends there', async (bytes) => {
    server.use(on.truncate(bytes))
    const response = await fetch(url, { method: 'POST' })
    expect(response.status).toBe(200)
    let received = ''
    const read = async () => {
      for await (const part of response.body!) received += new TextDecoder().decode(part as Uint8Array)
    }
    await expect(read()).rejects.toThrow()
    expect(received).toHaveLength(bytes)
    expect('{"data":[{"id":"0"},{"id":"1"}').toContain(received.slice(0, 20))
  })

  test('on.truncate sends a long body as it is read', async () => {
    server.use(on.truncate(1e12))
    const response = await fetch(url, { method: 'POST' })
    const reader = response.body!.getReader()
    expect(response.status).toBe(200)
    expect(new TextDecoder().decode((await reader.read()).value)).toMatch(/^{"data":/)
    // not awaited: it ends with that of the copy that msw keeps
    void reader.cancel()
  })

  test('refuses what is no number of bytes', () => {
    expect(() => on.truncate(-1)).toThrow(FaultError)
  })
})

describe('on.rateLimit', () => {
  test('lets so many pass to the mock', async () => {
    server.use(on.rateLimit({ requests: 2, windowMs: 60_000 }))
    const statuses = []
    for (let n = 0; n < 3; n++) statuses.push((await ask('SELECT 1')).status)
    expect(statuses).toEqual([200, 200, 429])
    const response = await fetch(url, { method: 'POST' })
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50)
    expect(() => on.rateLimit({ requests: 0 })).toThrow(FaultError)
  })
})

describe('on.slow', () => {
  test('waits and leaves the answer to the next', async () => {
    server.use(on.slow(20))
    expect((await ask('SELECT 1')).body).toBe('the mock')
    server.use(on.slow(30_000))
    await expect(ask('SELECT 1', AbortSignal.timeout(20))).rejects.toThrow('timeout')
  })

  test('with Infinity never answers, lists the request, and ends when the client leaves', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const mock = createMock()
    server.use(on.slow(Infinity))
    const leaving = new AbortController()
    const asked = ask('SELECT 1', leaving.signal)
    const outcome = asked.catch((error: Error) => error.name)
    await expect.poll(() => mock.requests()).toMatchObject([{ statement: 'SELECT 1' }])
    await vi.advanceTimersByTimeAsync(2 ** 31)
    const none = new Promise((resolve) => setImmediate(resolve, 'none'))
    expect(await Promise.race([outcome, none])).toBe('none')
    leaving.abort()
    expect(await outcome).toBe('AbortError')
    expect(mock.requests()[0]).not.toHaveProperty('status')
  })

  test.each([-1, Number.NaN, -Infinity, 2 ** 31])('refuses %s', (ms) => {
    expect(() => on.slow(ms)).toThrow(RangeError)
    expect(() => on.timeout({ afterMs: ms })).toThrow('Give milliseconds from 0')
  })
})

describe('mock.requests()', () => {
  const ofUrl = createMock({ baseUrl: 'https://api.example.com/plant-1' })
  const ofAny = createMock()
  const ofOther = createMock({ baseUrl: 'https://api.example.com/plant' })
  beforeEach(() => [ofUrl, ofAny, ofOther].forEach((mock) => mock.reset()))

  test.each([
    ['timeout', () => on.timeout(), 504, /^StatementTimeout: /],
    ['error', () => on.error('unknown-view'), 200, /^SqlError: relation "v_formulas" does not exist/],
    ['rows', () => on.rows('v_formulas', []), 200, undefined],
    ['status', () => on.status(503), 503, /^Fault: status:503/],
    ['truncate', () => on.truncate(0), 200, /^Fault: truncate:0/],
    ['reset', () => on.reset(), undefined, /^Fault: reset/],
  ] as const)(
    'lists a request that on.%s answered, once and with its cause',
    async (_, handler, status, cause) => {
      server.use(handler())
      await ask('SELECT * FROM v_formulas').catch(() => {})
      for (const mock of [ofUrl, ofAny]) {
        const [request, ...others] = mock.requests()
        expect(others).toEqual([])
        expect(request).toMatchObject({ method: 'POST', url, statement: 'SELECT * FROM v_formulas' })
        expect(request!.status).toBe(status)
        if (cause) expect(request!.cause).toMatch(cause)
        else expect(request).not.toHaveProperty('cause')
      }
      expect(ofOther.requests()).toEqual([])
    },
  )

  test('leaves out requests that on.* passes on to the mock', async () => {
    server.use(on.slow(1), on.rows('v_formulas', []), on.rateLimit({ requests: 1 }))
    await ask('SELECT * FROM v_experiments')
    expect(ofUrl.requests()).toEqual([])
    await ask('SELECT * FROM v_experiments')
    expect(ofUrl.requests()).toMatchObject([{ status: 429, cause: expect.stringMatching(/^Fault: limit/) }])
  })
})

describe('an option that does not exist', () => {
  const wrong = { nope: 1 } as object
  const refused = /There is no option "nope"\. The options are: /

  /** The functions of `on` that take options, and how each gets a wrong one. */
  const handlers: Record<Exclude<keyof typeof on, 'rows' | 'reset' | 'truncate' | 'slow'>, () => unknown> = {
    timeout: () => on.timeout(wrong),
    error: () => on.error('syntax', wrong),
    status: () => on.status(503, wrong),
    rateLimit: () => on.rateLimit({ requests: 1, ...wrong }),
  }
  test.each(Object.entries(handlers))('of on.%s is refused', (_, handler) => {
    expect(handler).toThrow(refused)
    expect(() => on.timeout(5 as never)).toThrow('The options are of the type number.')
  })

  const mock = createMock()
  type Plain = 'handlers' | 'fetch' | 'ready' | 'requests' | 'reset' | 'close'
  /** The members of a mock that take objects, and how each gets a wrong one. */
  const members: Record<
    Exclude<keyof Mock, Plain>,
    readonly [act: () => unknown, sentence: string | RegExp]
  > = {
    use: [() => mock.use(null as never), 'The variants are not an object.'],
    once: [() => mock.once(undefined as never), 'The variants are not an object.'],
    faults: [() => mock.faults(undefined as never), 'The faults are not an array.'],
    waitForRequest: [() => mock.waitForRequest(wrong), refused],
    rows: [() => mock.rows.put(undefined as never), 'The rows are not an object.'],
    clock: [() => mock.clock.advance(undefined as never), 'Send one of {"advance": "4h"}'],
    stub: [() => mock.stub({ match: '*', rows: [], ...wrong }), 'has the unknown member nope.'],
    session: [() => mock.session(wrong), refused],
  }
  test.each(Object.entries(members))(
    'or a wrong object of mock.%s is refused',
    async (_, [act, sentence]) => {
      await expect((async () => act())()).rejects.toThrow(sentence)
      await mock.close()
    },
  )

  test.each([
    [{ statement: 5 }, {}, 'The option statement is of the type number. Give: string | RegExp.'],
    [{ statement: '' }, {}, '"" names no statements.'],
    [{ status: '200' }, {}, 'The option status is of the type string. Give: number.'],
    [{}, { nope: 1 }, 'There is no option "nope".'],
    [{}, { count: -1 }, 'count is -1. Give a whole number of at least 1.'],
    [{}, { withinMs: Infinity }, 'withinMs is Infinity. Give milliseconds from 0 to'],
  ])('of waitForRequest, as %j with %j, is refused', async (filter, options, sentence) => {
    await expect(mock.waitForRequest(filter as object, options as object)).rejects.toThrow(sentence)
  })
})
