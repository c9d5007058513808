import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { runRows } from '../../fixtures/factories/run-rows.ts'
import { sampleRows } from '../../invariants/tables.test-helper.ts'
import { UnknownVariant } from '../open-points/settings.ts'
import { createNodeEngine, type NodeEngine } from '../node/pglite/index.ts'
import {
  ControlError,
  createMock,
  FaultError,
  handlers,
  type Mock,
  MockError,
  type MockOptions,
  on,
} from './index.ts'

vi.mock('../node/pglite/index.ts', { spy: true })

let shared: Promise<NodeEngine> | undefined
afterAll(async () => (await shared)?.close())
/** A mock that starts over an engine that others share, for a test that is not about the start or the end of an engine. */
function quickMock(options?: MockOptions) {
  shared ??= createNodeEngine({ scale: 0.01 })
  vi.mocked(createNodeEngine).mockImplementationOnce(async () => ({
    ...(await shared!),
    close: async () => {},
  }))
  return createMock(options)
}

const baseUrl = 'https://api.example.com/plant-1'
const path = '/external/v1/statements/'

const send = (url: string, statement: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ statement }),
  })
const status = async (...request: Parameters<typeof fetch>) => (await fetch(...request)).status
/** What is given to `mock.fetch`. */
const init = (statement: string) => ({
  method: 'POST',
  headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
  body: JSON.stringify({ statement }),
})

/** Reads the rows that tests put. */
const mine = "SELECT id FROM v_quantities WHERE id LIKE 'mine%'"

/** The rows of a statement for one formula. */
const firstFormula = async () => {
  const response = await send(baseUrl + path, 'SELECT id FROM v_formulas LIMIT 1')
  return ((await response.json()) as { data: object[] }).data
}

/** The time that SQL tells, and whether each view has rows of the day before it. */
const recent = async (...views: readonly string[]) => {
  const counts = views.map(
    (view) => `(SELECT count(*) FROM ${view} WHERE last_updated_at > now() - interval '1 day')`,
  )
  const statement = `SELECT now(), least(${counts.join(', ')}) > 0 AS some`
  return ((await (await send(baseUrl + path, statement)).json()) as { data: object[] }).data
}

const one = { data: [{ n: 1 }], status: { state: 'success', message: 'Statement executed successfully' } }

describe('a mock of one service', () => {
  const mock = createMock({ baseUrl, token: 'secret' })
  const server = setupServer(
    ...mock.handlers,
    http.get('https://other.example/', () => HttpResponse.text('other')),
  )
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterEach(() => mock.reset())
  afterAll(async () => {
    server.close()
    await mock.close()
  })

  test('starts once, at its first statements', async () => {
    expect(createNodeEngine).not.toHaveBeenCalled()
    const both = await Promise.all([1, 1].map((n) => send(baseUrl + path, `SELECT ${n} AS n`)))
    for (const response of both) expect(await response.json()).toEqual(one)
    await mock.ready()
    expect(createNodeEngine).toHaveBeenCalledTimes(1)
    expect(createNodeEngine).toHaveBeenCalledWith(expect.objectContaining({ seed: 1, scale: 0.01 }))
  })

  test('answers from the simulated plant, and in one piece', async () => {
    const text = await (await send(baseUrl + path, 'SELECT * FROM v_timeseries_data LIMIT 2500')).text()
    expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(2500)
  })

  test('shows rows that a test puts, until it is reset', async () => {
    const statement = "SELECT name, status FROM v_bioprocesses WHERE id = 'run-1'"
    const read = async () =>
      ((await (await send(baseUrl + path, statement)).json()) as { data: object[] }).data
    expect(await read()).toEqual([])
    await mock.rows.put({ v_bioprocesses: [{ id: 'run-1', status: 'In-progress' }] })
    expect(await read()).toEqual([{ name: 'run-1', status: 'In-progress' }])
    await mock.rows.patch({ v_bioprocesses: [{ id: 'run-1', name: 'DO crash' }] })
    expect(await read()).toEqual([{ name: 'DO crash', status: 'In-progress' }])
    await mock.rows.remove({ v_bioprocesses: ['run-1'] })
    expect(await read()).toEqual([])
    await expect(mock.rows.put({ v_bioprocesses: [{ name: 'x' }] })).rejects.toThrow(ControlError)
    await mock.rows.put({ v_bioprocesses: [{ id: 'run-1' }] })
    mock.reset()
    expect(await read()).toEqual([])
  })

  test('has rows from the last day before now(), also after its time has moved', async () => {
    const series = ['v_timeseries', 'v_timeseries_data']
    const all = [...series, 'v_bioprocesses', 'v_bioprocess_quantity_data', 'v_formula_results']
    const atStart = [{ now: '2026-01-01T00:00:00.000000+00:00', some: true }]
    expect([await recent(...all), await recent(...all)]).toEqual([atStart, atStart])
    await mock.clock.advance('30h')
    expect(await recent(...series)).toEqual([{ now: '2026-01-02T06:00:00.000000+00:00', some: true }])
    mock.reset()
    expect(await recent(...all)).toEqual(atStart)
  })

  test('moves its time, answers stubs and waits for requests', async () => {
    expect(await mock.clock.advance('1h')).toBe('2026-01-01T01:00:00.000000+00:00')
    void mock.clock.advance('2h')
    expect(await mock.clock.now()).toBe('2026-01-01T03:00:00.000000+00:00')
    await mock.stub({ match: 'v_formulas', rows: [{ id: 'stub' }], times: 1 })
    const waiting = mock.waitForRequest({ statement: 'v_formulas', status: 200 })
    expect(await firstFormula()).toEqual([{ id: 'stub' }])
    expect(await waiting).toMatchObject([{ statement: 'SELECT id FROM v_formulas LIMIT 1' }])
    expect(await firstFormula()).not.toEqual([{ id: 'stub' }])
    await expect(mock.waitForRequest({ statement: /v_quantities/ }, { withinMs: 20 })).rejects.toThrow(
      '0 of 1 requests came within 20 ms.',
    )
    mock.reset()
    expect(await mock.clock.now()).toBe('2026-01-01T00:00:00.000000+00:00')
  })

  test('names a stub that answered nothing at a reset, once, and says why a stub cannot answer', async () => {
    const lines: string[] = []
    const own = createMock({ token: 'secret', log: (line) => lines.push(line) })
    const asked = () => own.fetch(baseUrl + path, init('SELECT id FROM v_formulas LIMIT 1'))
    for (const sent of [false, true, true]) {
      await own.stub({ match: 'limit 5', rows: [] })
      if (sent) await asked()
      own.reset()
    }
    const named =
      '[bioprocess-sql-contract] The stub {"match":"limit 5"} answered no statement. Compare it with those that were sent, or take it out.'
    expect(lines).toEqual([named])
    await own.stub({ match: 'v_formulas', rows: [{ idd: 1 }] })
    expect(await (await asked()).json()).toMatchObject({
      data: [],
      status: { message: 'Error executing statement' },
    })
    expect(lines.at(-1)).toMatch(
      /^\[bioprocess-sql-contract] StubError: The rows for v_formulas are not rows of it\. .* no column idd\. .*\n {4}STATEMENT: SELECT id FROM v_formulas LIMIT 1$/,
    )
    own.use({ 'rows.case': 'upper' })
    expect(await (await asked()).json()).toMatchObject({ data: [{ idd: 1 }] })
    await own.close()
  })

  test('undoes what was asked before a reset and not awaited, and nothing that was asked after it', async () => {
    const own = createMock({ token: 'secret' })
    for (const state of ['starting', 'started']) {
      const before = [
        own.rows.put({ v_quantities: [{ id: 'mine' }] }),
        own.clock.advance('4h'),
        own.stub({ match: 'v_formulas', rows: [{ id: 'stub' }] }),
      ]
      own.reset()
      own.faults(['status:503,on=v_formulas,times=1'])
      const after = own.rows.put({ v_quantities: [{ id: 'mine-too' }] })
      const statuses = await Promise.all(
        ['SELECT 1 AS n', 'SELECT id FROM v_formulas LIMIT 1'].map(async (statement) => {
          const { status } = await own.fetch(baseUrl + path, init(statement))
          return status
        }),
      )
      expect(statuses, state).toEqual([200, 503])
      await Promise.all([...before, after])
      const read = async (statement: string) =>
        ((await (await own.fetch(baseUrl + path, init(statement))).json()) as { data: object[] }).data
      expect(await read(mine)).toEqual([{ id: 'mine-too' }])
      expect(await read('SELECT id FROM v_formulas LIMIT 1')).not.toEqual([{ id: 'stub' }])
      expect(await own.clock.now()).toBe('2026-01-01T00:00:00.000000+00:00')
      own.reset()
      expect(await read(mine)).toEqual([])
    }
    await own.close()
  })

  test('reads the headers that the request has, wherever they were set', async () => {
    const { method, headers, body } = init('SELECT 1 AS n')
    const { authorization } = headers
    const other = new Request(baseUrl + path, { method, headers: { authorization: 'Bearer other' }, body })
    const changed = new Request(baseUrl + path, { method, headers: { authorization }, body })
    changed.headers.set('content-type', 'application/json')
    const blob = new Blob([body], { type: 'application/json' })
    expect(await status(baseUrl + path, { method, headers: { authorization }, body: blob })).toBe(200)
    expect(await status(baseUrl + path, { method, headers: { authorization }, body })).toBe(415)
    expect(await status(other.clone(), { headers })).toBe(200)
    expect(await status(new Request(other, { headers }))).toBe(200)
    expect(await status(changed)).toBe(200)
  })

  test('does not count a request that arrives while it is reset, nor give it what comes after', async () => {
    const own = quickMock({ token: 'secret' })
    const arriving = own.fetch(baseUrl + path, init('SELECT 1 AS n'))
    own.reset()
    own.once({ 'http.success': '201' })
    expect((await arriving).status).toBe(200)
    expect(own.requests()).toEqual([])
    expect((await own.fetch(baseUrl + path, init('SELECT 1 AS n'))).status).toBe(201)
    await own.close()
  })

  test('starts the count of a rate limit anew with a reset', async () => {
    const own = quickMock({ variants: { 'rate.mode': '429-retry-after' } })
    const ask = async () => (await own.fetch(baseUrl + path, init('SELECT 1 AS n'))).status
    const all = async () => new Set(await Promise.all(Array.from({ length: 51 }, ask)))
    expect(await all()).toEqual(new Set([200, 429]))
    own.reset()
    expect(await ask()).toBe(200)
    await own.close()
  })

  test('accepts a token of its identity provider after a reset too', async () => {
    const own = quickMock({ token: 'secret', variants: { 'auth.mode': 'client-credentials' } })
    const body = new URLSearchParams({ grant_type: 'client_credentials' })
    const authorization = `Basic ${btoa('development:secret')}`
    const headers = { authorization }
    const answer = await own.fetch('https://a.example/_mock/token', { method: 'POST', headers, body })
    const { access_token } = (await answer.json()) as { access_token: string }
    own.reset()
    const asked = init('SELECT 1 AS n')
    const bearer = { ...asked.headers, authorization: `Bearer ${access_token}` }
    expect(await (await own.fetch(baseUrl + path, { ...asked, headers: bearer })).json()).toEqual(one)
    await own.close()
  })

  test('takes no request that was aborted before it was sent, as a server gets none', async () => {
    const signal = AbortSignal.abort(new Error('The page was left.'))
    await expect(mock.fetch(baseUrl + path, { ...init('SELECT 1'), signal })).rejects.toThrow(
      'The page was left.',
    )
    await expect(fetch(baseUrl + path, { ...init('SELECT 1'), signal })).rejects.toThrow()
    expect(mock.requests()).toEqual([])
  })

  test.each([
    ['rows', []],
    ['errors', [on.error('exception')]],
    ['rows of a test', [on.rows('v_formulas', [])]],
    ['faults', [on.status(503)]],
  ])('lets a page of any origin read %s, also if it sends no origin, as happy-dom', async (_, used) => {
    server.use(...used)
    const preflight = await fetch(baseUrl + path, { method: 'OPTIONS' })
    const answer = await send(baseUrl + path, 'SELECT * FROM v_formulas')
    server.resetHandlers()
    expect([preflight.status, preflight.headers.get('access-control-allow-methods')]).toEqual([204, 'POST'])
    expect(mock.requests()).toHaveLength(1)
    for (const { headers } of [preflight, answer])
      expect(headers.get('access-control-allow-origin')).toBe('*')
  })

  test('answers errors as the service does', async () => {
    const unknown = await send(baseUrl + path, 'SELECT * FROM v_plants')
    expect([unknown.status, await unknown.json()]).toEqual([
      200,
      { data: [], status: { state: 'error', message: 'relation "v_plants" does not exist' } },
    ])
    expect((await send(baseUrl + path, 'SELECT 1', { authorization: 'Bearer wrong' })).status).toBe(401)
    expect((await fetch(baseUrl + path)).status).toBe(405)
  })

  test('lets the application decide about the path without its slash', async () => {
    const slashless = baseUrl + path.slice(0, -1)
    expect((await send(slashless, 'SELECT 1')).status).toBe(404)
    mock.use({ 'http.no-slash': '200' })
    expect(await (await send(slashless, 'SELECT 1 AS n')).json()).toEqual(one)
  })

  test('leaves the next version of the path alone until a variant puts something there', async () => {
    const next = baseUrl + path.replace('/v1/', '/v2/')
    await expect(send(next, 'SELECT 1 AS n')).rejects.toThrow()
    mock.once({ 'schema.extra': 'new-version' })
    expect(await (await send(next, 'SELECT 1 AS n')).json()).toEqual(one)
    const header = { 'x-mock-variant': 'schema.extra=new-version' }
    expect(await (await send(next, 'SELECT 1 AS n', header)).json()).toEqual(one)
    expect((await send(next, 'SELECT 1', { 'x-mock-variant': 'schema.extra=none-such' })).status).toBe(400)
    await expect(send(next, 'SELECT 1 AS n')).rejects.toThrow()
  })

  test('takes variants on until it is reset; those of a request win', async () => {
    mock.use({ 'rows.shape': 'array', 'http.success': '201' })
    const used = await send(baseUrl + path, 'SELECT 1 AS n', { 'x-mock-variant': 'http.success=202' })
    expect([used.status, await used.json()]).toEqual([202, { ...one, data: [[1]] }])
    mock.reset()
    expect(await (await send(baseUrl + path, 'SELECT 1 AS n')).json()).toEqual(one)
    expect(() => mock.use({ 'rows.shape': 'round' as 'array' })).toThrow(UnknownVariant)
  })

  test('takes variants on for one statement each, over those in use', async () => {
    const statusOf = async () => (await send(baseUrl + path, 'SELECT 1 AS n')).status
    mock.use({ 'http.success': '201', 'rows.shape': 'array' })
    mock.once({ 'http.success': '202' })
    mock.once({ 'http.success': '207' })
    await fetch(baseUrl + path)
    expect((await send(baseUrl + path, 'SELECT 1', { authorization: 'Bearer wrong' })).status).toBe(401)
    expect([await statusOf(), await statusOf(), await statusOf()]).toEqual([202, 207, 201])
    expect(() => mock.once({ 'rows.shape': 'round' as 'array' })).toThrow(UnknownVariant)
    mock.once({ 'http.success': '202' })
    mock.reset()
    expect(await statusOf()).toBe(200)
  })

  test('delays answers also after its faults are replaced', async () => {
    const slow = quickMock({ token: 'secret', latency: 150 })
    await slow.ready()
    for (const act of [() => {}, () => slow.faults([]), () => slow.reset()]) {
      act()
      const started = performance.now()
      await slow.fetch(baseUrl + path, init('SELECT 1 AS n'))
      // a timer may end within the millisecond before
      expect(performance.now() - started).toBeGreaterThan(149)
    }
    await slow.close()
  })

  test('fails as a network does where the connection breaks, and unpacks nothing twice', async () => {
    const long = { headers: { authorization: 'Bearer secret', 'content-type': 'application/json' } }
    const body = JSON.stringify({ statement: 'x'.repeat(1_048_577) })
    mock.use({ 'statements.max-length': 'reset', 'http.headers': 'gzip' })
    await expect(fetch(baseUrl + path, { method: 'POST', body, ...long })).rejects.toThrow(TypeError)
    await expect(mock.fetch(baseUrl + path, { method: 'POST', body, ...long })).rejects.toThrow(
      'fetch failed',
    )
    expect(await (await send(baseUrl + path, 'SELECT 1 AS n')).json()).toEqual(one)
  })

  test('fails as it is told to until it is reset', async () => {
    const error = vi.spyOn(console, 'error')
    mock.faults([
      'reset,on=v_formulas',
      'truncate:300,on=v_quantities',
      'status:503,on=v_experiments,times=1',
    ])
    const ask = (view: string) => send(baseUrl + path, `SELECT * FROM ${view} LIMIT 9`)
    await expect(ask('v_formulas')).rejects.toThrow(TypeError)
    const cut = await ask('v_quantities')
    expect(cut.status).toBe(200)
    await expect(cut.text()).rejects.toThrow()
    expect([(await ask('v_experiments')).status, (await ask('v_experiments')).status]).toEqual([503, 200])
    await expect(mock.fetch(baseUrl + path, init('SELECT * FROM v_formulas'))).rejects.toThrow('fetch failed')
    expect(mock.requests().map(({ status }) => status)).toEqual([undefined, 200, 503, 200, undefined])
    expect(() => mock.faults(['reset', 'lag' as 'reset'])).toThrow(FaultError)
    mock.reset()
    expect((await ask('v_formulas')).status).toBe(200)
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })

  test('tells the requests that reached it, until it is reset', async () => {
    await send(baseUrl + path, 'SELECT 1 AS n')
    await send(baseUrl + path, 'SELECT 2', { authorization: 'Bearer wrong' })
    await fetch(baseUrl + path)
    const [first, ...others] = mock.requests()
    expect(first).toEqual({
      method: 'POST',
      url: baseUrl + path,
      headers: expect.objectContaining({
        authorization: 'Bearer secret',
        'content-type': 'application/json',
      }),
      body: '{"statement":"SELECT 1 AS n"}',
      statement: 'SELECT 1 AS n',
      status: 200,
    })
    expect(others).toMatchObject([
      { statement: 'SELECT 2', status: 401 },
      { method: 'GET', body: '', status: 405 },
    ])
    mock.reset()
    expect(mock.requests()).toEqual([])
  })

  test('keeps the last requests whose bodies have 32 MiB', async () => {
    const long = 'x'.repeat(10 * 1024 * 1024)
    for (const n of [1, 2, 3, 4]) await send(baseUrl + path, `SELECT ${n} AS "${long}"`)
    expect(mock.requests().map(({ body }) => body.slice(0, 24))).toEqual(
      [2, 3, 4].map((n) => `{"statement":"SELECT ${n} A`),
    )
  })

  test('tells why a statement failed', async () => {
    await send(baseUrl + path, 'SELECT nope FROM v_bioprocesses')
    mock.faults(['truncate:300,on=v_quantities'])
    await send(baseUrl + path, 'SELECT * FROM v_quantities')
    await send(baseUrl + path, 'SELECT 1', { authorization: 'Bearer wrong' })
    expect(mock.requests().map(({ cause }) => cause)).toEqual([
      [
        'SqlError: column "nope" does not exist',
        'LINE 1: SELECT nope FROM v_bioprocesses',
        '               ^',
        'HINT: Perhaps you meant to reference the column "v_bioprocesses.name".',
      ].join('\n'),
      'Fault: truncate:300,on=v_quantities',
      expect.stringMatching(/^TokenRefused: The token is not valid/),
    ])
  })

  test('leaves everything else alone', async () => {
    const error = vi.spyOn(console, 'error').mockImplementation(() => {})
    expect(await (await fetch('https://other.example/')).text()).toBe('other')
    for (const url of [
      `https://api.example.com${path}`,
      `https://other.example/plant-1${path}`,
      `${baseUrl}/`,
    ])
      await expect(send(url, 'SELECT 1')).rejects.toThrow()
    error.mockRestore()
  })

  test('gives a statement up with its client, without a word', async () => {
    const error = vi.spyOn(console, 'error')
    const client = new AbortController()
    const left = fetch(baseUrl + path, {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify({ statement: 'SELECT pg_sleep(20)' }),
      signal: client.signal,
    })
    setTimeout(() => client.abort(), 50)
    await expect(left).rejects.toThrow('aborted')
    expect(await (await send(baseUrl + path, 'SELECT 1 AS n')).json()).toEqual(one)
    expect(error).not.toHaveBeenCalled()
    error.mockRestore()
  })

  test('has a fetch that needs no msw', async () => {
    const init = {
      method: 'POST',
      headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: '{"statement":"SELECT 1 AS n"}',
    }
    expect(await (await mock.fetch(baseUrl + path, init)).json()).toEqual(one)
    expect((await mock.fetch(`https://api.example.com${path}`, init)).status).toBe(404)
  })
})

describe('the handlers without configuration', () => {
  const server = setupServer(...handlers)
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(() => server.close())

  test.each(['https://a.example', 'http://localhost:8080/any/path'])(
    'answer below %s to any token',
    async (base) => {
      expect(await (await send(base + path, 'SELECT 1 AS n', { authorization: 'Bearer x' })).json()).toEqual(
        one,
      )
      expect((await send(base + path, 'SELECT 1', { authorization: 'Bearer ' })).status).toBe(401)
      expect((await send(base + path.slice(0, -1), 'SELECT 1')).status).toBe(404)
    },
  )
})

describe('creating a mock', () => {
  test.each([
    'api.example.com',
    '/plant-1',
    'ftp://a.example',
    'https://a.example?x=1',
    'https://u:p@a.example',
    'https://a.example/:id',
    '',
  ])('refuses the base URL %j', (baseUrl) => {
    expect(() => createMock({ baseUrl })).toThrow(MockError)
    expect(() => createMock({ baseUrl })).toThrow(`"${baseUrl}" is no base URL. Write it as https://`)
  })

  test('refuses faults at once, and begins them anew when it is reset', async () => {
    expect(() => createMock({ faults: ['lag:1s' as 'latency:1s'] })).toThrow('There is no fault "lag"')
    const mock = quickMock({ faults: ['status:503,times=1', { type: 'expire', after: 1 }] })
    const status = async () => (await mock.fetch(`https://a.example${path}`, init('SELECT 1'))).status
    expect([await status(), await status(), await status()]).toEqual([503, 200, 401])
    mock.reset()
    expect([await status(), await status(), await status()]).toEqual([503, 200, 401])
    mock.faults([])
    expect(await status()).toBe(200)
    await mock.close()
  })

  test('tells why a statement failed, unless it is told not to', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    const lines: string[] = []
    const [loud, own, quiet] = [{}, { log: (line: string) => lines.push(line) }, { log: false as const }].map(
      quickMock,
    )
    const url = `https://any.example${path}`
    for (const mock of [loud!, own!, quiet!]) {
      await mock.fetch(url, init('SELECT nope FROM v_bioprocesses'))
      await mock.fetch(url, init('SELECT 1 / 0'))
      await mock.fetch(url, init('SELECT 1'))
      await mock.close()
    }
    expect(lines).toEqual([
      `[bioprocess-sql-contract] SqlError: column "nope" does not exist
    LINE 1: SELECT nope FROM v_bioprocesses
                   ^
    HINT: Perhaps you meant to reference the column "v_bioprocesses.name".`,
      '[bioprocess-sql-contract] SqlError: division by zero\n    STATEMENT: SELECT 1 / 0',
    ])
    expect(warn.mock.calls.flat()).toEqual(lines)
    warn.mockRestore()
  })

  test('answers although its log fails', async () => {
    for (const log of [
      () => {
        throw new Error('no disk')
      },
      async () => Promise.reject(new Error('no disk')),
    ]) {
      const mock = quickMock({ token: 'secret', log })
      const answer = await mock.fetch(`https://a.example${path}`, init('SELECT none FROM v_formulas'))
      expect(await answer.json()).toMatchObject({ status: { state: 'error' } })
      await mock.close()
    }
    expect(() => createMock({ log: true as false })).toThrow(
      'The option log is true. Give a function, or false',
    )
  })

  test('refuses options that do not exist and lists those that do', () => {
    expect(() => createMock({ scael: 1, seed: 2 } as object)).toThrow(
      'There is no option "scael". The options are: seed, scale, asOf, runs, process, pointInterval, reportByException, scenario, baseUrl, token, data, databaseClock, variants, latency, faults, timeLimitMs, log.',
    )
  })

  test('refuses variants at once', () => {
    expect(() => createMock({ variants: { 'rows.shape': 'round' as 'array' } })).toThrow(UnknownVariant)
  })

  test.each([
    [{ token: 'two words' }, 'cannot be sent in a header'],
    [{ token: '' }, 'cannot be sent in a header'],
    [{ scale: 0 }, 'scale is 0. Give a number from 0.01 to 100.'],
    [{ seed: 1.5 }, 'seed is 1.5. Give a whole number.'],
    [{ asOf: 'soon' }, 'asOf is "soon", which is not a timestamp with a zone.'],
    [{ asOf: '1800-01-01T00:00:00Z' }, 'asOf is "1800-01-01T00:00:00Z". Write a time from 2000 to 2099'],
    [{ asOf: '9999-01-01T00:00:00Z' }, 'from 2000 to 2099'],
    [{ runs: -1 }, 'runs is -1. Give a whole number from 0 to 10000.'],
    [{ runs: 1e9 }, 'runs is 1000000000. Give a whole number from 0 to 10000.'],
    [
      { baseUrl: `https://a.example${path}` },
      'includes the path of the endpoint. Leave /external/v1/statements out.',
    ],
    [{ pointInterval: 0 }, 'pointInterval is 0. Give minutes from 1 to 1440.'],
    [{ process: 'beer' as 'cho' }, 'process is beer. Give ecoli, pichia or cho.'],
    [{ timeLimitMs: 0 }, 'timeLimitMs is 0. Give milliseconds from 1 to'],
    [{ timeLimitMs: 1e12 }, 'timeLimitMs is 1000000000000. Give milliseconds from 1 to'],
    [{ latency: -1 }, 'latency is -1. Give milliseconds'],
    [{ latency: [9, 1] as const }, 'latency is [9,1]. Give milliseconds'],
    [{ data: {}, seed: 2 }, 'Own rows have no seed'],
    [
      { data: {}, databaseClock: 'plant' as const },
      'reportByException, scenario, databaseClock. Give either `data` or those.',
    ],
    [{ scenario: 'two-runs' as 'one-run' }, 'There is no scenario two-runs. The scenarios are: one-run, '],
    [
      { scenario: 'running' as const, asOf: 'now' },
      'The scenario running has a plant of its own. Leave out asOf',
    ],
    [{ databaseClock: 'utc' as 'real' }, 'The option databaseClock is "utc". Give: "plant" | "real".'],
  ])('refuses %j', (options, sentence) => {
    expect(() => createMock(options)).toThrow(sentence)
  })

  test.each([{ databaseClock: 'real' as const }, { data: {} }])(
    'tells the real time in SQL with %j',
    async (options) => {
      const mock = quickMock(options)
      const before = Date.now()
      const response = await mock.fetch(`https://a.example${path}`, init('SELECT now()'))
      const { data } = (await response.json()) as { data: [{ now: string }] }
      expect(Date.parse(data[0].now)).toBeGreaterThanOrEqual(before)
      await mock.close()
    },
  )

  test('does not hide that the engine does not start, tries again, and closes', async () => {
    const mock = createMock()
    const start = vi.mocked(createNodeEngine)
    const before = start.mock.calls.length
    start.mockRejectedValueOnce(new Error('no memory')).mockRejectedValueOnce(new Error('no memory'))
    await expect(mock.ready()).rejects.toThrow('no memory')
    await expect(mock.fetch(`https://a.example${path}`)).rejects.toThrow('no memory')
    expect(start.mock.calls.length).toBe(before + 2)
    await mock.close()
  })

  test('starts again after close, also after a close before it began, as it was created', async () => {
    const mock = createMock({ token: 'secret' })
    await mock.close()
    await mock.close()
    await mock.ready()
    await mock.rows.put({ v_quantities: [{ id: 'mine' }] })
    mock.use({ 'rows.shape': 'array' })
    const left = mock.rows.put({ v_quantities: [{ id: 'late' }] })
    const closing = mock.close()
    await expect(left).rejects.toThrow()
    const answer = await mock.fetch(`https://a.example${path}`, init(mine))
    expect(await answer.json()).toMatchObject({ data: [] })
    expect(mock.requests()).toHaveLength(1)
    await closing
    await mock.close()
  })
})

/** Runs a process that asks a mock one statement; resolves when it has ended. */
async function run(end: string) {
  const script = `
    import { createMock } from ${JSON.stringify(import.meta.resolve('./index.ts'))}
    const mock = createMock()
    const answer = await mock.fetch('https://a.example${path}', {
      method: 'POST',
      headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
      body: '{"statement":"SELECT 1 AS n"}',
    })
    console.log(await answer.text())
    ${end}`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    cwd: resolve(import.meta.dirname, '../..'),
    timeout: 100_000,
  })
  let printed = ''
  child.stdout.on('data', (text) => (printed += text))
  child.stderr.on('data', (text) => (printed += text))
  const [code] = await once(child, 'close')
  return { code, printed }
}

describe('a process', () => {
  test('ends by itself without close()', async () => {
    expect(await run('')).toEqual({ code: 0, printed: `${JSON.stringify(one)}\n` })
  })

  test('ends after close(), of an idle mock and while a statement runs in a mock, a reference and a server', async () => {
    const end = `
      await mock.close()
      import { createReference, startServer } from ${JSON.stringify(import.meta.resolve('../index.ts'))}
      const { setTimeout: sleep } = await import('node:timers/promises')
      const close = async (started, fetch, baseUrl) => {
        await started.ready?.()
        const left = fetch(baseUrl + '${path}', {
          method: 'POST',
          headers: { authorization: 'Bearer x', 'content-type': 'application/json' },
          body: '{"statement":"SELECT COUNT(*) AS n FROM v_timeseries_data a, v_timeseries_data b"}',
        }).catch(() => {})
        await sleep(500)
        await started.close()
        await left
        console.log('closed')
      }
      const options = { scale: 0.01, tokens: ['x'] }
      const [reference, server] = [await createReference(options), await startServer(options)]
      await close(mock, mock.fetch, 'https://a.example')
      await close(reference, reference.fetch, reference.baseUrl)
      await close(server, fetch, server.baseUrl)`
    expect(await run(end)).toEqual({ code: 0, printed: `${JSON.stringify(one)}\n${'closed\n'.repeat(3)}` })
  })
})

/** The rows that a mock answers. */
async function rowsOf(mock: Mock, statement: string) {
  const answer = await mock.fetch(`https://a.example${path}`, init(statement))
  return ((await answer.json()) as { data: unknown[] }).data
}

describe('own rows', () => {
  const formula = sampleRows.v_formulas
  test('are what statements see, and nothing else', async () => {
    const mock = createMock({ data: { v_formulas: [formula] } })
    expect(await rowsOf(mock, 'SELECT * FROM v_formulas')).toEqual([formula])
    expect(await rowsOf(mock, 'SELECT count(*) AS n FROM v_bioprocesses')).toEqual([{ n: 0 }])
    await mock.close()
  })

  test('are completed as rows that a test puts, with the units of their quantities and the statistics of their points', async () => {
    const quantity = { id: 'q', name: 'OD600', default_unit: 'AU' }
    const run = runRows({
      id: 'run-1',
      run_start_timestamp: '2025-12-31T08:00:00Z',
      series: { OD600: { 0: 0.1, 2: 0.9 } },
    })
    const rows = { v_formulas: [{ id: 'f', notes: undefined }], v_quantities: [quantity], ...run }
    const own = createMock({ data: rows })
    const put = createMock({ data: {}, log: false })
    await put.rows.put(rows)
    for (const view of [
      'v_formulas',
      'v_quantities',
      'v_bioprocesses',
      'v_timeseries',
      'v_timeseries_data',
    ]) {
      const [mine, other] = await Promise.all(
        [own, put].map(async (mock) => {
          const answer = await mock.fetch(`https://a.example${path}`, init(`SELECT * FROM ${view}`))
          // the time of the change, from which the end of the run follows
          return (await answer.text()).replaceAll(
            /"(last_updated_at|\w*end_timestamp|duration_ms)":[^,}]*/g,
            '',
          )
        }),
      )
      expect(mine).toBe(other)
    }
    const [series] = await rowsOf(own, 'SELECT unit, statistics, last_updated_at FROM v_timeseries')
    expect(series).toMatchObject({
      unit: 'AU',
      statistics: { count: 2, last: 0.9 },
      last_updated_at: '2026-01-01T00:00:00.000000+00:00',
    })
    await Promise.all([own.close(), put.close()])
  })

  test('keep the statistics that they have', async () => {
    const { v_experiments, v_bioprocesses, v_timeseries, v_timeseries_data, v_quantities } = sampleRows
    const statistics = { ...v_timeseries.statistics, count: 77 }
    const kept = { ...v_timeseries, statistics, last_updated_at: '2025-05-05T05:05:05.000000+00:00' }
    const filled = { ...kept, id: 'filled', statistics: undefined, unit: undefined }
    const mock = createMock({
      data: {
        v_experiments: [v_experiments],
        v_bioprocesses: [v_bioprocesses],
        v_quantities: [v_quantities],
        v_timeseries: [filled, kept],
        v_timeseries_data: [v_timeseries_data, { ...v_timeseries_data, id: 'filled', value: 5 }],
      },
    })
    const rows = await rowsOf(mock, 'SELECT * FROM v_timeseries ORDER BY unit, id')
    expect(rows).toContainEqual(kept)
    expect(rows).toContainEqual(
      expect.objectContaining({
        id: 'filled',
        unit: v_quantities.default_unit,
        statistics: expect.objectContaining({ count: 1, last: 5 }),
        last_updated_at: kept.last_updated_at,
      }),
    )
    await mock.close()
  })

  test.each<[object, ...string[]]>([
    [
      {
        v_formulas: [formula, { ...formula, log_scale: 'yes' }, { ...formula, id: undefined }, { name: 'f' }],
      },
      'v_formulas[1] log_scale must be boolean.',
      "v_formulas[2] must have required property 'id'.",
      "v_formulas[3] must have required property 'id'.",
    ],
    [
      { v_formulas: [formula, { ...formula, notes: 'again' }] },
      'v_formulas[1] has the key of a row before it. Leave one of them out.',
    ],
    [
      {
        v_formulas: [
          { id: 'f', nam: 'x' },
          { id: 'g', last_updated_at: '0000-01-01T00:00:00Z' },
        ],
      },
      'v_formulas[0] has no column nam. The columns are: id, name, formula, log_scale, disable_interpolation, default_unit, run_phase, notes, state, last_updated_at.',
      'v_formulas[1].last_updated_at is "0000-01-01T00:00:00Z", which PostgreSQL does not read as a timestamp. Write 2025-03-01T08:12:00Z.',
    ],
    [
      { v_bioprocesses: [{ id: 'r', start_timestamp: 'soon' }] },
      'v_bioprocesses[0].start_timestamp is "soon", which PostgreSQL does not read as a timestamp. Write 2025-03-01T08:12:00Z.',
    ],
    [
      { v_timeseries: [{ id: 't', bioprocess_id: 'r', quantity_id: { name: 'pH' } }] },
      'v_timeseries.quantity_id refers to {"name":"pH"}, and no row of v_quantities has these values. Name one row.',
    ],
    [
      { v_timeseries_data: [{ id: 't', value: Number.NaN }] },
      'v_timeseries_data[0].value is NaN, which JSON does not have. Give text, a finite number, true, false, null, an array or an object.',
    ],
  ])('are refused with a sentence for each: %j', async (data, ...sentences) => {
    const refusal = ['The rows given as `data` do not match their schemas.', ...sentences].join('\n')
    await expect(createMock({ data }).ready()).rejects.toThrow(new MockError(refusal))
  })

  test('may have ids that lead nowhere, as a recording may', async () => {
    const mock = createMock({ data: { v_timeseries: [{ id: 't', bioprocess_id: 'r', quantity_id: 'q' }] } })
    onTestFinished(() => mock.close())
    const response = await mock.fetch(baseUrl + path, init('SELECT bioprocess_id FROM v_timeseries'))
    expect(await response.json()).toMatchObject({ data: [{ bioprocess_id: 'r' }] })
  })

  test('may be 60,000 rows', async () => {
    const data = {
      v_archived_records: Array.from({ length: 60_000 }, (_, n) => ({ record_id: `r${n}`, table_name: 't' })),
    }
    const mock = createMock({ data })
    expect(await rowsOf(mock, 'SELECT count(*) AS n FROM v_archived_records')).toEqual([{ n: 60_000 }])
    await mock.close()
  })

  test('of a view that is none are refused, and so is what is no list', async () => {
    const data = { v_plants: [], v_formulas: {} } as object
    await expect(createMock({ data }).ready()).rejects.toThrow(
      /There is no view v_plants. The views are: v_bioprocesses, .*\nv_formulas is not an array./s,
    )
  })
})

/** The experiments that whoever answers at an origin knows. */
async function experiments(origin: string, token: string) {
  const response = await send(origin + path, 'SELECT id FROM v_experiments ORDER BY id', {
    authorization: `Bearer ${token}`,
  })
  return [response.status, ((await response.json()) as { data: unknown[] }).data] as const
}

describe('two mocks in one process', () => {
  const [first, second] = [
    createMock({ baseUrl: 'https://one.example', token: 'a' }),
    createMock({ baseUrl: 'https://one.example/plant-2/', token: 'b', seed: 2, latency: [10, 20] }),
  ]
  // registered twice: the first handler that answers is the only one
  const server = setupServer(...first.handlers, ...second.handlers, ...first.handlers)
  beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
  afterAll(async () => {
    server.close()
    await Promise.all([first.close(), second.close()])
  })

  test('stand side by side at paths of one origin, and handlers that are registered twice answer once', async () => {
    const [one, two, refused] = await Promise.all([
      experiments('https://one.example', 'a'),
      experiments('https://one.example/plant-2', 'b'),
      experiments('https://one.example/plant-2', 'a'),
    ])
    expect([one[0], two[0], refused[0]]).toEqual([200, 200, 401])
    expect(one[1]).not.toEqual(two[1])
    expect(first.requests()).toHaveLength(1)
    expect(second.requests()).toHaveLength(2)
  })
})
