import { expect, test } from 'vitest'
import { appOf, body, engineOf, post, rows } from '../request.test-helper.ts'
import { Faults } from '../faults/faults.ts'
import { ServerSettings } from '../server-settings.ts'
import { MockSession } from './mock-session.ts'
import { SessionRows } from '../../rows/session-rows.ts'
import { Sessions } from './sessions.ts'

const plant = { now: () => undefined, asOf: undefined }
const partsOf = () => ({
  settings: new ServerSettings(),
  faults: new Faults(),
  rows: new SessionRows({ engine: () => engineOf(() => rows('')), plant }),
})
const open = () => {
  let time = 0
  const sessions = new Sessions(
    (id) => new MockSession(id, partsOf()),
    () => time,
  )
  return { sessions, advance: (ms: number) => (time += ms) }
}

test('a session is kept from the first request that may keep it', () => {
  const { sessions } = open()
  expect(sessions.find(null)).toBe(sessions.common)
  const found = sessions.find('a')
  expect(sessions.list()).toEqual([])
  expect(sessions.keep(found)).toBe(found)
  expect(sessions.find('a')).toBe(found)
  // another request had looked before the first one kept it
  expect(sessions.keep(new MockSession('a', partsOf()))).toBe(found)
  expect([sessions.end('a'), sessions.end('a')]).toEqual([true, false])
})

test.each(['', '.', '..', 'a b', 'ü', 'a/b', "a'; DROP", '../x', 'x'.repeat(65)])(
  '%j is no id of a session',
  (id) => {
    expect(() => open().sessions.find(id)).toThrow(/1 to 64 letters/)
  },
)

test('there are at most 256 sessions, and idle ones make room', () => {
  const { sessions, advance } = open()
  for (let n = 0; n < 256; n++) sessions.keep(sessions.find(`s${n}`))
  expect(() => sessions.keep(sessions.find('more'))).toThrow('There are 256 sessions. End one with DELETE')
  advance(599_000)
  sessions.keep(sessions.find('s0'))
  advance(2_000)
  sessions.keep(sessions.find('more'))
  expect(sessions.list().map(({ id }) => id)).toEqual(['s0', 'more'])
})

const control = (method: string, path: string, given?: unknown, session?: string) =>
  new Request(`http://localhost${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(session && { 'x-mock-session': session }) },
    ...(given !== undefined && { body: JSON.stringify(given) }),
  })
const inPath = (id: string, rest = '/external/v1/statements/') => `http://localhost/s/${id}${rest}`

test('requests with a header and with a path belong to the same session; variants, faults and logs are its own', async () => {
  const { fetch } = appOf()
  await fetch(control('PUT', '/_mock/variants', { 'http.success': '201' }, 'a'))
  await fetch(control('PUT', '/s/b/_mock/faults', ['status:503']))
  const statuses = async () => [
    (await fetch(post())).status,
    (await fetch(post({ headers: { 'x-mock-session': 'a' } }))).status,
    (await fetch(post({}, inPath('a')))).status,
    (await fetch(post({}, inPath('b')))).status,
    (await fetch(post({}, inPath('c')))).status,
  ]
  expect(await statuses()).toEqual([200, 201, 201, 503, 200])
  const logged = async (query: string, session?: string) => {
    const { requests } = (await (
      await fetch(control('GET', `/_mock/requests${query}`, undefined, session))
    ).json()) as {
      requests: { status: number; session?: string }[]
    }
    return requests.map((one) => [one.status, one.session])
  }
  expect(await logged('')).toEqual([[200, undefined]])
  expect((await logged('', 'a')).map(([status]) => status)).toEqual([201, 201])
  expect(await logged('?session=*')).toEqual([
    [200, undefined],
    [201, 'a'],
    [201, 'a'],
    [503, 'b'],
    [200, 'c'],
  ])
  await fetch(control('POST', '/_mock/sessions/a/reset', {}))
  await fetch(control('DELETE', '/_mock/sessions/b'))
  expect(await statuses()).toEqual([200, 200, 200, 200, 200])
  expect((await fetch(control('DELETE', '/_mock/sessions/zz'))).status).toBe(404)
})

test('a request without a valid token begins no session', async () => {
  const { fetch } = appOf()
  const headers = { authorization: 'Bearer wrong', 'x-mock-session': 'stranger' }
  expect((await fetch(post({ headers }))).status).toBe(401)
  expect(await (await fetch(control('GET', '/_mock/sessions'))).json()).toEqual({ sessions: [] })
  expect((await fetch(post({ headers: { 'x-mock-session': 'a b' } }))).status).toBe(400)
})

test('a GET begins no session, so that images of a page cannot use them up', async () => {
  const { fetch } = appOf()
  for (let n = 0; n < 300; n++)
    for (const path of ['requests', 'variants', 'clock', 'faults', 'stubs'])
      expect((await fetch(control('GET', `/s/w${n}/_mock/${path}`))).status).toBe(200)
  expect(await (await fetch(control('GET', '/_mock/sessions'))).json()).toEqual({ sessions: [] })
  expect((await fetch(control('PUT', '/s/mine/_mock/faults', ['status:503']))).status).toBe(200)
})

test.each([
  ['PUT', 'faults', ['lag']],
  ['PUT', 'variants', { 'rows.shape': 7 }],
  ['POST', 'clock', 'not an object of one member'],
])('%s /_mock/%s with a wrong body is refused', async (method, path, given) => {
  const { fetch } = appOf()
  expect((await fetch(control(method, `/s/a/_mock/${path}`, given))).status).toBe(400)
})

test('a request that waits in a session learns of the statement that begins it, and its events end with it', async () => {
  const { fetch, sessions } = appOf()
  const wait = (query: string) => fetch(control('GET', `/s/a/_mock/requests?${query}`))
  const waiting = [wait('count=1&within=20000'), wait('count=1&within=20000')]
  const events = await fetch(
    new Request('http://localhost/s/a/_mock/requests', { headers: { accept: 'text/event-stream' } }),
  )
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(sessions.list()).toEqual([])
  await fetch(post({}, inPath('a')))
  for (const response of await Promise.all(waiting))
    expect(await response.json()).toMatchObject({ requests: [{ id: 1, statement: 'SELECT 1' }] })
  const reader = events.body!.getReader()
  const { value } = await reader.read()
  expect(new TextDecoder().decode(value as Uint8Array)).toContain('SELECT 1')
  // the stream ends, so that whoever opens it again follows the session that has the name next
  sessions.end('a')
  expect((await reader.read()).done).toBe(true)
  expect(sessions.find('a').requests.entries()).toEqual([])
  expect((await wait('count=1&within=20')).status).toBe(408)
})

test('a session begins with the settings and faults of the start', async () => {
  const faults = new Faults(['status:503,times=1'])
  const { fetch } = appOf(undefined, { faults })
  const ask = async (id: string) => (await fetch(post({}, inPath(id)))).status
  expect([await ask('a'), await ask('a'), await ask('b'), (await fetch(post())).status]).toEqual([
    503, 200, 503, 503,
  ])
})

test('a session is found below the base path', async () => {
  const { fetch } = appOf(undefined, { basePath: '/plant-1' })
  expect((await fetch(post({}, 'http://localhost/plant-1/s/a/external/v1/statements/'))).status).toBe(200)
  expect((await fetch(control('PUT', '/plant-1/s/a/_mock/faults', ['status:503']))).status).toBe(200)
  expect((await fetch(post({}, 'http://localhost/plant-1/s/a/external/v1/statements/'))).status).toBe(503)
  expect((await fetch(post({}, 'http://localhost/plant-1/external/v1/statements/'))).status).toBe(200)
})

test('the test control of a session needs the same rights as the rest of it', async () => {
  const { fetch } = appOf(undefined, { admin: { token: 'admin' } })
  for (const path of [
    '/_mock/rows',
    '/_mock/stubs',
    '/_mock/clock',
    '/_mock/sessions',
    '/s/a/_mock/requests',
  ]) {
    expect((await fetch(control('GET', path))).status).toBe(401)
    const foreign = new Request(`http://localhost${path}`, { headers: { origin: 'https://evil.example' } })
    expect((await fetch(foreign)).status).toBe(403)
  }
})

test('requests can be selected, awaited and forgotten', async () => {
  const { fetch } = appOf()
  const ask = (n: number) => fetch(post({ body: body(`SELECT ${n}`) }))
  const get = async (query: string) => {
    const response = await fetch(control('GET', `/_mock/requests?${query}`))
    const { requests, status } = (await response.json()) as {
      requests?: unknown[]
      status?: { message: string }
    }
    return [response.status, requests?.length ?? status?.message]
  }
  await ask(1)
  expect(await get('statement=SELECT 1')).toEqual([200, 1])
  expect(await get('statement=select&status=200&state=success')).toEqual([200, 1])
  expect(await get('status=504')).toEqual([200, 0])
  expect(await get('after=1')).toEqual([200, 0])
  expect(await get('after=2020-01-01T00:00:00Z')).toEqual([200, 1])
  const waiting = get('count=2&within=5000')
  await ask(2)
  expect(await waiting).toEqual([200, 2])
  expect(await get('count=3&within=20')).toEqual([408, '2 of 3 requests came within 20 ms.'])
  expect(await get('count=0&within=20')).toEqual([409, 'A request came that was not to come: SELECT 1.'])
  expect(await get('statement=v_formulas&count=0&within=20')).toEqual([200, 0])
  expect((await get('count=1'))[0]).toBe(400)
  expect((await get('count=1&within=-1'))[0]).toBe(400)
  expect((await get('statemnt=x'))[1]).toContain('There is no parameter statemnt.')
  expect((await get('status=abc'))[1]).toContain('Give an HTTP status, such as 503.')
  expect((await get('state=zzz'))[1]).toContain('Give success or error.')
  expect((await get('statement=/limit/i'))[0]).toBe(400)
  expect((await get('after=soon'))[0]).toBe(400)
  await fetch(control('DELETE', '/_mock/requests'))
  expect(await get('')).toEqual([200, 0])
})
