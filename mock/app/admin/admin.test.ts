import { describe, expect, test } from 'vitest'
import type { AppOptions } from '../app.ts'
import { EngineBusy } from '../../statement.ts'
import { createSettings } from '../../open-points/settings.ts'
import { appOf, body, pages, post, token } from '../request.test-helper.ts'

const get = (path: string, headers: Record<string, string> = {}) =>
  new Request(`http://localhost${path}`, { headers })
const statusOf = async (request: Request, options: Partial<AppOptions> = {}) =>
  (await appOf(undefined, options).fetch(request)).status

test('/_mock/ready says whether the server answers statements', async () => {
  expect(await statusOf(get('/_mock/ready'))).toBe(200)
  expect(await statusOf(get('/_mock/ready'), { engine: () => undefined })).toBe(503)
  expect(await statusOf(get('/_mock/ready'), { isStopping: () => true })).toBe(503)
})

test('/_mock/ready answers balancers by any name and with OPTIONS, and tells only the names of the server the time', async () => {
  const plant = { now: () => '2026-01-01T00:00:00Z', asOf: undefined }
  for (const admin of [{}, { token: 'admin-token' }, false] as const) {
    const { fetch } = appOf(undefined, { plant, admin })
    for (const method of ['GET', 'OPTIONS']) {
      const ask = (host: string) =>
        fetch(new Request('http://localhost/_mock/ready', { method, headers: { host } }))
      const [own, other] = [await ask('localhost:4010'), await ask('10.1.2.3')]
      expect([own.status, await own.json()]).toEqual([200, { ready: true, now: '2026-01-01T00:00:00Z' }])
      expect([other.status, await other.json()]).toEqual([200, { ready: true }])
      expect(other.headers.has('access-control-allow-origin')).toBe(false)
    }
  }
})

test('/_mock/rows answers 503 with Retry-After while no engine is free to try the rows', async () => {
  const { fetch } = appOf(() => new EngineBusy())
  const rows = JSON.stringify({ v_quantities: [{ id: 'q1', name: 'Colour' }] })
  const response = await fetch(
    new Request('http://localhost/_mock/rows', {
      method: 'PUT',
      body: rows,
      headers: { 'content-type': 'application/json' },
    }),
  )
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1'])
})

test('/_mock/health answers during the start and reports the state of the engines', async () => {
  const { fetch } = appOf(undefined, { engine: () => undefined })
  expect(await (await fetch(get('/_mock/health'))).json()).toEqual({
    alive: true,
    uptimeSeconds: 0,
    droppedLogLines: 0,
  })
  const engines = { idle: 1, busy: 0, starting: 0, waiting: 0, ended: {} }
  const running = appOf(undefined, { engineStatus: () => engines })
  expect(await (await running.fetch(get('/_mock/health'))).json()).toMatchObject({ engines })
})

test('/_mock/metrics counts the answers of the endpoint', async () => {
  const { fetch } = appOf(undefined, { residentBytes: () => 1e8 })
  await (await fetch(post())).text()
  await fetch(post({ headers: { authorization: '' } }))
  const response = await fetch(get('/_mock/metrics'))
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  expect(text).toContain('bioprocess_sql_statements_total{status="200",outcome="success"} 1\n')
  expect(text).toContain('bioprocess_sql_statements_total{status="401",outcome="error"} 1\n')
  expect(text).toContain('process_resident_memory_bytes 100000000\n')
})

describe('/_mock/requests', () => {
  test('lists the answers of the endpoint without tokens', async () => {
    const { fetch } = appOf(() => pages(''))
    await fetch(post({ body: body(`SELECT '${token}'`) }))
    await fetch(post({ headers: { authorization: 'Bearer almost-right' } }))
    const text = await (await fetch(get('/_mock/requests'))).text()
    expect(JSON.parse(text)).toMatchObject({
      requests: [
        { id: 1, status: 200, state: 'success', statement: "SELECT '[token]'" },
        { id: 2, status: 401, state: 'error' },
      ],
    })
    expect(text).not.toMatch(new RegExp(`${token}|almost-right`))
  })

  test('is an event stream on request, which ends when the server stops', async () => {
    const server = new AbortController()
    const { fetch } = appOf(() => pages(''), { closing: server.signal })
    for (const n of [1, 2]) await fetch(post({ body: body(`SELECT ${n}`) }))
    const response = await fetch(
      get('/_mock/requests', { accept: 'text/event-stream', 'last-event-id': '1' }),
    )
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    let text = ''
    for await (const chunk of response.body!) {
      text += new TextDecoder().decode(chunk as Uint8Array)
      if (text.includes('SELECT 3')) server.abort()
      else if (text.includes('SELECT 2')) await fetch(post({ body: body('SELECT 3') }))
    }
    const events = text.trimEnd().split('\n\n')
    expect(events).toHaveLength(2)
    expect(events[0]).toMatch(/^data: \{"id":2,.*"statement":"SELECT 2",.*\}\nid: 2$/)
    expect(events[1]).toMatch(/"statement":"SELECT 3".*\nid: 3$/s)
  })
})

describe('/_mock/* answers', () => {
  test.each([
    ['a rebound name', { host: 'evil.example' }, 403],
    ['a name that only begins like one of ours', { host: 'localhost.evil.example' }, 403],
    ['a foreign page', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a page of another port', { host: 'localhost:4010', origin: 'http://localhost:3000' }, 403],
    ['a page of its own', { host: 'localhost:4010', origin: 'http://localhost:4010' }, 200],
    ['an IPv6 address', { host: '[::1]:4010' }, 200],
    ['a name that was configured', { host: 'Plant.example:4010' }, 200],
    [
      'its own page behind a proxy',
      { host: 'plant.example:4010', origin: 'https://plant.example', 'sec-fetch-site': 'same-origin' },
      200,
    ],
    ['an address that was configured', { host: '[fd00::1]:4010' }, 200],
  ])('%s', async (_, headers, status) => {
    const admin = { hosts: ['plant.example', 'fd00::1'] }
    expect(await statusOf(get('/_mock/health', headers), { admin })).toBe(status)
  })

  test.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
    ['none', 200],
  ])('an image or a script of a page whose site is %s with %d', async (site, status) => {
    const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
    expect(await statusOf(get('/s/a/_mock/requests', headers))).toBe(status)
  })

  test('only /_mock/ready without the admin token, if there is one', async () => {
    const options = { admin: { token: 'admin-token' } }
    for (const path of ['/_mock/health', '/_mock/metrics', '/_mock/requests', '/_mock/none']) {
      expect(await statusOf(get(path), options)).toBe(401)
      expect(await statusOf(get(path, { authorization: `Bearer ${token}` }), options)).toBe(401)
    }
    expect(await statusOf(get('/_mock/health', { authorization: 'Bearer admin-token' }), options)).toBe(200)
    expect(await statusOf(get('/_mock/ready'), options)).toBe(200)
  })

  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  test.each([
    ['PUT', '/_mock/faults', {}],
    ['PUT', '/_mock/variants', {}],
    ['POST', '/_mock/variants/next', {}],
    ['POST', '/_mock/token', form],
  ])('413 to %s %s with more than 64 KiB, and stops reading', async (method, path, headers) => {
    let sent = 0
    const endless = new ReadableStream({
      pull: (controller) => {
        sent += 1e6
        if (sent > 100e6) controller.close()
        else controller.enqueue(new Uint8Array(1e6))
      },
    })
    const settings = createSettings({ 'auth.mode': 'client-credentials' })
    const { fetch } = appOf(undefined, { settings })
    const ask = async (body: string | ReadableStream, more: Record<string, string> = {}) => {
      const all = { 'content-type': 'application/json', ...headers, ...more }
      const init = { method, headers: all, body, duplex: 'half' } as const
      const response = await fetch(new Request(`http://localhost${path}`, init))
      return [response.status, await response.text()]
    }
    const refused = [413, expect.stringContaining('The body is too long. Send at most 64 KiB.')]
    expect(await ask(endless)).toEqual(refused)
    expect(sent).toBeLessThan(10e6)
    expect(await ask(' '.repeat(65_537))).toEqual(refused)
    expect(await ask(' '.repeat(65_537), { 'content-length': '65537' })).toEqual(refused)
    expect((await ask(' '.repeat(65_536)))[0]).toBe(path === '/_mock/token' ? 401 : 400)
  })

  test('no form of another site, and no request if it is turned off', async () => {
    const form = new Request('http://localhost/_mock/none', { method: 'POST', body: 'a=b' })
    expect(await statusOf(form)).toBe(415)
    for (const path of ['/_mock/health', '/_mock/metrics', '/_mock/requests'])
      expect(await statusOf(get(path), { admin: false })).toBe(404)
  })
})
