import { describe, expect, test } from 'vitest'
import { EngineBusy, SqlError, StatementTimeout } from '../statement.ts'
import { createSettings } from '../open-points/settings.ts'
import type { FaultText } from './faults/fault.ts'
import { appOf, body, endpoint, pages, post, rows, token } from './request.test-helper.ts'

const error = (message: unknown) => ({ data: [], status: { state: 'error', message } })
const syntaxError = new SqlError('syntax', 'syntax error at or near "SELEC"', '42601')
const unknownView = new SqlError('unknown-relation', 'no v_plants', '42P01', 'v_plants')
const brokenColumn = new SqlError('other', `column "${token}" does not exist`, '42703')

/** A body that never ends, sent in pieces. */
const endless = () => new ReadableStream({ pull: () => new Promise(() => {}) })

/** More than is held back. */
const longRow = `{"n":"${'x'.repeat(1 << 20)}"}`

describe('an answer with rows', () => {
  test('is 200 with the rows and the success message', async () => {
    const response = await appOf(() => pages('{"n":1}', ',{"n":2}')).fetch(post())
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.text()).toBe(
      '{"data":[{"n":1},{"n":2}],"status":{"state":"success","message":"Statement executed successfully"}}',
    )
  })

  test('says that there are no results if there are none', async () => {
    expect(await (await appOf(() => pages('')).fetch(post())).json()).toEqual({
      data: [],
      status: { state: 'success', message: 'The statement ran successfully but returned no results' },
    })
  })

  test('lists the column names in addition to rows that are arrays, also without rows', async () => {
    const options = { settings: createSettings({ 'rows.shape': 'array-with-columns' }) }
    for (const [page, data] of [
      ['[1]', [[1]]],
      ['', []],
    ] as const)
      expect(await (await appOf(() => pages(page), options).fetch(post())).json()).toMatchObject({
        columns: ['n'],
        data,
      })
  })

  test('becomes an error if the first MiB of rows fails, and is truncated if a later page does', async () => {
    for (const early of [pages(brokenColumn), pages('{"n":1}', brokenColumn)])
      expect(await (await appOf(() => early).fetch(post())).json()).toEqual(
        error('Error executing statement'),
      )
    const { fetch, log } = appOf(() => pages(longRow, brokenColumn))
    const late = await fetch(post())
    await expect(late.text()).rejects.toThrow()
    expect(log).toMatchObject([{ status: 200, state: 'broken', cause: expect.stringContaining('column') }])
  })

  test('is logged once if its reader leaves while it waits for a page', async () => {
    const engine = new EventTarget()
    const chunks = (async function* () {
      yield new TextEncoder().encode(longRow)
      await new Promise((_, fail) => engine.addEventListener('end', () => fail(new Error('too late'))))
    })()
    const { fetch, log } = appOf(() => ({ columns: [], chunks }))
    const reader = (await fetch(post())).body!.getReader()
    await reader.read()
    const pending = reader.read()
    await new Promise((underWay) => setTimeout(underWay))
    const left = reader.cancel(new Error('left'))
    engine.dispatchEvent(new Event('end'))
    await Promise.allSettled([pending, left])
    expect(log).toMatchObject([{ state: 'broken', cause: 'Error: left' }])
  })
})

describe('the three documented errors', () => {
  test.each([
    ['an unknown view', unknownView, 'relation "v_plants" does not exist'],
    ['an exception', brokenColumn, 'Error executing statement'],
    ['an exception that is no SQL error', new TypeError('oops'), 'Error executing statement'],
    ['a syntax error', syntaxError, 'JSON decode error: syntax error at or near "SELEC"'],
  ])('%s', async (_, cause, message) => {
    const response = await appOf(() => cause).fetch(post())
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(error(message))
  })

  test('a body that is not JSON', async () => {
    const response = await appOf().fetch(post({ body: "{'statement': 'SELECT 1'}" }))
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual(
      error("JSON decode error: expected a property name in double quotes or '}' at line 1 column 2"),
    )
  })
})

test.each([
  'Application/JSON',
  'application/json;',
  'application/json;charset="utf-8"',
  'application/json; v="1"; charset=UTF-8; profile=x',
])('a body of type %j is JSON', async (type) => {
  const response = await appOf().fetch(post({ headers: { 'content-type': type } }))
  expect(response.status).toBe(200)
})

describe('a refusal', () => {
  const drip = post({ body: endless() })
  test.each([
    [400, 'a body without a statement', post({ body: '{"sql":"SELECT 1"}' }), {}],
    [400, 'a statement that is no text', post({ body: body(1) }), {}],
    [401, 'no token', post({ headers: { authorization: '' } }), { 'www-authenticate': 'Bearer' }],
    [
      401,
      'a wrong token',
      post({ headers: { authorization: 'Bearer wrong' } }),
      { 'www-authenticate': 'Bearer error="invalid_token"' },
    ],
    [404, 'the path without its slash', post({}, endpoint.slice(0, -1)), {}],
    [404, 'another path', post({}, 'http://localhost/external/v2/statements/'), {}],
    [405, 'GET', post({ method: 'GET' }), { allow: 'POST' }],
    [405, 'PUT', post({ method: 'PUT' }), { allow: 'POST' }],
    [408, 'a body that does not arrive', drip, { connection: 'close' }],
    [413, 'a long statement', post({ body: body('x'.repeat(1_048_577)) }), {}],
    [413, 'a declared length', post({ headers: { 'content-length': '10000000' } }), {}],
    [415, 'no content type', post({ headers: { 'content-type': 'text/plain' } }), {}],
    [415, 'another encoding', post({ headers: { 'content-type': 'application/json; charset=latin1' } }), {}],
    [
      415,
      'another encoding behind a parameter',
      post({ headers: { 'content-type': 'application/json;v=1;charset="utf-16"' } }),
      {},
    ],
    [415, 'a compressed body', post({ headers: { 'content-encoding': 'gzip' } }), {}],
  ])('with status %i: %s', async (status, _, request, headers) => {
    const response = await appOf(undefined, { bodyTimeLimitMs: 20 }).fetch(request)
    expect(response.status).toBe(status)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json',
      ...headers,
    })
    expect(await response.json()).toEqual(error(expect.stringMatching(/\.$/)))
  })

  test('a HEAD request has no body and the status of its GET', async () => {
    const response = await appOf().fetch(post({ method: 'HEAD' }))
    expect(response.status).toBe(405)
  })

  test('a statement of 1 MiB is not refused, a longer one is', async () => {
    expect((await appOf().fetch(post({ body: body('é'.repeat(524_288)) }))).status).toBe(200)
    expect((await appOf().fetch(post({ body: body('é'.repeat(524_289)) }))).status).toBe(413)
  })

  test('gets 503 if no engine is free, and during the start', async () => {
    const busy = await appOf(() => new EngineBusy()).fetch(post())
    const starting = await appOf(undefined, { engine: () => undefined }).fetch(post())
    for (const response of [busy, starting]) {
      expect(response.status).toBe(503)
      expect(response.headers.get('retry-after')).toBe('1')
      expect(await response.json()).toEqual(error(expect.stringContaining('again')))
    }
  })

  test('gets 504 after the time limit, with the remedy', async () => {
    const response = await appOf(() => new StatementTimeout(30_000)).fetch(post())
    expect(response.status).toBe(504)
    expect(await response.json()).toEqual(error(expect.stringContaining('split')))
  })
})

describe('the log', () => {
  test('holds the outcome, the text of the database and no token', async () => {
    const { fetch, log } = appOf(() => brokenColumn)
    await fetch(post({ body: body(`SELECT '${token}',\n1`) }))
    expect(log).toEqual([
      {
        status: 200,
        state: 'error',
        durationMs: expect.any(Number),
        statement: "SELECT '[token]', 1",
        text: "SELECT '[token]',\n1",
        cause: 'SqlError: column "[token]" does not exist',
        request: 'POST /external/v1/statements/ application/json with a token',
        got: expect.stringMatching(
          /^HTTP 200\n(.*\n)*content-type: .*\n(.*\n)*\n\{.*"Error executing statement"/,
        ),
      },
    ])
  })

  test.each<[string, Record<string, string>, FaultText | '', number]>([
    ['a wrong token', { authorization: 'Bearer wrong-token' }, '', 401],
    ['a fault', {}, 'status:503', 503],
    ['another content type', { 'content-type': 'text/plain' }, '', 415],
  ])('holds what was sent and answered where %s refuses it', async (_, headers, fault, status) => {
    const { fetch, log, sessions } = appOf()
    if (fault) sessions.find(null).faults.replace([fault])
    const sent = body("SELECT 'wrong-token'")
    const response = await fetch(post({ body: sent, headers: { ...headers, 'user-agent': 'app/1' } }))
    const head = [...response.headers].map((pair) => pair.join(': ')).toSorted()
    expect(log).toMatchObject([
      { status, client: 'app/1', sent: status === 401 ? body("SELECT '[token]'") : sent },
    ])
    const [first, ...lines] = log[0]!.got!.split('\n')
    expect(first).toBe(`HTTP ${status}`)
    expect(lines.slice(0, -2).toSorted()).toEqual(head)
    expect(lines.slice(-2)).toEqual(['', await response.text()])
    expect(log[0]).not.toHaveProperty('statement')
  })

  test.each(['/external/v1/statement/', '/external/v1/statements', '/v1/statements/', '/openapi.json', '/'])(
    'holds a POST to %s, which gets 404',
    async (path) => {
      const { fetch, log, sessions } = appOf()
      const headers = { authorization: '', 'content-type': 'text/plain', origin: 'http://app.example' }
      const response = await fetch(post({ headers }, `http://localhost${path}?key=${token}`))
      expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([404, '*'])
      const request = `POST ${path} text/plain without a token`
      expect(log).toMatchObject([{ status: 404, state: 'error', request, sent: body('SELECT 1') }])
      expect(sessions.find(null).requests.entries()).toMatchObject([{ request }])
      await fetch(new Request(`http://localhost${path}nothing`))
      expect(log).toHaveLength(1)
    },
  )

  test('holds no part of a token that stands where the kept text of wide characters ends', async () => {
    const { fetch, log } = appOf()
    for (let wide = 3980; wide < 4000; wide++) {
      const sent = body(`${'\u6c34'.repeat(wide)}wrong-token`)
      await fetch(post({ body: sent, headers: { authorization: 'Bearer wrong-token' } }))
      expect(log.at(-1)!.sent).toContain('\u6c34[token]')
    }
  })

  test('holds the part of a body that was sent before a fault cut it', async () => {
    const { fetch, log, sessions } = appOf()
    sessions.find(null).faults.replace(['truncate:9'])
    await expect((await fetch(post())).text()).rejects.toThrow()
    expect(log).toMatchObject([{ state: 'broken', got: expect.stringMatching(/\n\n\{"data":\[$/) }])
  })

  test('holds the first part of a long body, and nothing of a reset connection', async () => {
    const { fetch, log, sessions } = appOf(() => rows(`{"n":"${'x'.repeat(100_000)}"}`))
    await (await fetch(post())).text()
    expect(log[0]!.got).toHaveLength(8000)
    sessions.find(null).faults.replace(['reset'])
    await fetch(post())
    expect(log[1]).toMatchObject({ state: 'broken', sent: body('SELECT 1') })
    expect(log[1]).not.toHaveProperty('got')
  })

  test('holds the variants of a statement, and its whole text where its line is shortened', async () => {
    const { fetch, log } = appOf(() => pages(''))
    const long = `SELECT '${'x'.repeat(300)}'`
    await (await fetch(post({ body: body(long), headers: { 'x-mock-variant': 'rows.shape=array' } }))).text()
    await (await fetch(post({ body: body('SELECT 1') }))).text()
    expect(log).toMatchObject([{ text: long, variants: 'rows.shape=array' }, { statement: 'SELECT 1' }])
    expect(log[1]).not.toHaveProperty('text')
    expect(log[1]).not.toHaveProperty('variants')
  })

  test('never holds a token that was refused', async () => {
    const { fetch, log } = appOf()
    const authorization = 'Bearer almost-right'
    await fetch(post({ headers: { authorization } }))
    await fetch(post({ headers: { authorization, 'x-mock-variant': 'almost-right=1' } }))
    expect(log).toMatchObject([{ status: 401 }, { status: 400, cause: expect.stringContaining('[token]') }])
    expect(JSON.stringify(log)).not.toContain('almost-right')
  })

  test('counts the bytes of the body', async () => {
    const { fetch, log } = appOf()
    const text = await (await fetch(post())).text()
    expect(log).toMatchObject([{ status: 200, state: 'success', bytes: text.length, statement: 'SELECT 1' }])
  })

  test('reports a client that went away', async () => {
    const client = new AbortController()
    const { fetch, log } = appOf(() => {
      client.abort()
      return client.signal.reason as Error
    })
    await expect(fetch(post({ signal: client.signal }))).rejects.toThrow('aborted')
    expect(log).toMatchObject([{ status: 499, state: 'broken' }])
  })
})
