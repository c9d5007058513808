import { setTimeout as sleep } from 'node:timers/promises'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createMock, type Mock, MockError, type MockSession, on } from './index.ts'

const baseUrl = 'https://api.example.com/plant-1'
const mock = createMock({ baseUrl, token: 'secret', log: false })
const server = setupServer(...mock.handlers)
beforeAll(async () => {
  server.listen({ onUnhandledRequest: 'error' })
  await mock.ready()
})
afterEach(() => server.resetHandlers())
afterAll(async () => {
  server.close()
  await mock.close()
})

/** What an application does: it knows its base URL. */
async function read(statement: string, base = baseUrl, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${base}/external/v1/statements/`, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ statement }),
  })
  return { status: response.status, rows: ((await response.json()) as { data: { id: string }[] }).data }
}
const mine = "SELECT id FROM v_experiments WHERE id LIKE 'mine%'"
const ids = async (...where: [base?: string, headers?: Readonly<Record<string, string>>]) =>
  (await read(mine, ...where)).rows.map(({ id }) => id)
const newest = 'SELECT MAX(timestamp) AS id FROM v_timeseries_data'

describe('tests of one file that run at once', () => {
  test.concurrent.each(Array.from({ length: 10 }, (_, n) => `mine-${n}`))(
    'see only what they changed: %s',
    (id) =>
      server.boundary(async () => {
        using session = mock.session()
        server.use(...session.handlers)
        for (let round = 0; round < 3; round++) {
          await session.rows.put({ v_experiments: [{ id, external_id: 'A' }] })
          await sleep(Math.random() * 20)
          expect(await ids()).toEqual([id])
          await session.rows.patch({ v_experiments: [{ id, external_id: 'B' }] })
          session.use({ 'http.success': '201' })
          expect(await read(`SELECT external_id AS id FROM v_experiments WHERE id = '${id}'`)).toEqual({
            status: 201,
            rows: [{ id: 'B' }],
          })
          expect(session.requests()).toHaveLength(2)
          session.reset()
          mock.reset()
          expect(await ids()).toEqual([])
          session.reset()
        }
      })(),
  )
})

test('a session has a time and faults of its own', async () => {
  using session = mock.session()
  const before = (await read(newest)).rows
  await session.clock.advance('4h')
  expect((await read(newest, session.baseUrl)).rows).not.toEqual(before)
  expect((await read(newest)).rows).toEqual(before)
  session.faults(['status:503'])
  expect((await read(newest, session.baseUrl)).status).toBe(503)
  expect((await read(newest)).status).toBe(200)
})

/** A session with a row of its own, which ends with the test. */
const begin = async (): Promise<MockSession> => {
  const session = mock.session()
  onTestFinished(() => session.end())
  await session.rows.put({ v_experiments: [{ id: 'mine' }] })
  return session
}

describe('a request belongs to the session', () => {
  test('that its base URL names', async () => {
    const session = await begin()
    expect(session.baseUrl).toBe(`${baseUrl}/s/${session.id}`)
    expect(await ids(session.baseUrl)).toEqual(['mine'])
    expect(await ids()).toEqual([])
  })
  test('that its header names', async () => {
    const session = await begin()
    expect(await ids(baseUrl, session.headers)).toEqual(['mine'])
    const { headers } = session
    const own = await mock.fetch(`${baseUrl}/external/v1/statements/`, {
      method: 'POST',
      headers: { ...headers, authorization: 'Bearer secret', 'content-type': 'application/json' },
      body: JSON.stringify({ statement: mine }),
    })
    expect(await own.json()).toMatchObject({ data: [{ id: 'mine' }] })
  })
  test('whose handlers are in use', async () => {
    const session = await begin()
    server.use(...session.handlers)
    expect(await ids()).toEqual(['mine'])
    server.resetHandlers()
    expect(await ids()).toEqual([])
  })
  test('and in the next version too', async () => {
    const session = await begin()
    session.use({ 'schema.extra': 'new-version' })
    const next = `${session.baseUrl}/external/v2/statements/`
    const init = { method: 'POST', headers: { authorization: 'Bearer secret' } }
    expect((await fetch(next, init)).status).not.toBe(404)
  })
  test('also where any base URL is matched', async () => {
    const anywhere = createMock({ log: false })
    onTestFinished(() => anywhere.close())
    server.use(...anywhere.handlers)
    const session = anywhere.session({ id: 'one' })
    await session.rows.put({ v_experiments: [{ id: 'mine' }] })
    expect(session.baseUrl).toBe('http://localhost/s/one')
    expect(await ids(session.baseUrl)).toEqual(['mine'])
    expect(await ids('https://other.example/s/one')).toEqual(['mine'])
    // a base URL of a service may end so
    expect(await ids('https://other.example/s/two')).toEqual([])
  })
})

test('answers of on.* are among the requests of the session that the request names', async () => {
  using one = mock.session()
  using other = mock.session()
  server.use(on.rows('v_formulas', [{ id: 'f' }]))
  await read('SELECT * FROM v_formulas', one.baseUrl)
  expect(one.requests()).toMatchObject([{ statement: 'SELECT * FROM v_formulas', status: 200 }])
  expect(other.requests()).toEqual([])
})

const ended = (id: string) => `The session "${id}" has ended. Create another one with mock.session().`

describe('a session that has ended', () => {
  test('says so', async () => {
    const session = mock.session()
    server.use(...session.handlers)
    await session.rows.put({ v_experiments: [{ id: 'mine' }] })
    session.end()
    const acts: Record<keyof Omit<MockSession, Plain>, () => unknown> = {
      fetch: () => session.fetch(baseUrl),
      use: () => session.use({}),
      once: () => session.once({}),
      faults: () => session.faults([]),
      rows: () => session.rows.put({ v_experiments: [{ id: 'mine' }] }),
      clock: () => session.clock.now(),
      stub: () => session.stub(),
      reset: () => session.reset(),
    }
    for (const act of Object.values(acts))
      await expect((async () => act())()).rejects.toThrow(ended(session.id))
    const response = await fetch(`${baseUrl}/external/v1/statements/`, { method: 'POST', body: '{}' })
    expect([response.status, await response.text()]).toEqual([
      500,
      expect.stringContaining(JSON.stringify(ended(session.id)).slice(1, -1)),
    ])
  })
  type Plain =
    | 'handlers'
    | 'id'
    | 'baseUrl'
    | 'headers'
    | 'end'
    | 'requests'
    | 'waitForRequest'
    | typeof Symbol.dispose

  test('does not take requests that name it', async () => {
    const { baseUrl: own, headers, ...session } = mock.session({ id: 'late' })
    session.end()
    for (const where of [[own], [baseUrl, headers]] as Parameters<typeof ids>[])
      expect((await read(mine, ...where).catch((error: unknown) => error)) as object).not.toMatchObject({
        status: 200,
      })
  })

  test('does not take a change that was sent before', async () => {
    const session = mock.session()
    const put = session.rows.put({ v_experiments: [{ id: 'mine' }] })
    session.end()
    await expect(put.then(() => ids(session.baseUrl))).rejects.toThrow()
  })

  test('gives its id to another one', async () => {
    mock.session({ id: 'again' }).end()
    using session = mock.session({ id: 'again' })
    expect(await ids(session.baseUrl)).toEqual([])
  })
})

describe('bad input', () => {
  test.each<[name: string, act: (mock: Mock) => unknown, message: RegExp]>([
    [
      'an id that another session has',
      (one) => [one.session({ id: 'a' }), one.session({ id: 'a' })],
      /There is a session "a" already/,
    ],
    ['an id with a slash', (one) => one.session({ id: 'a/b' }), /1 to 64 letters/],
    ['an id that is a number', (one) => one.session({ id: 5 as never }), /Give: string/],
    [
      'an option that does not exist',
      (one) => one.session({ name: 'a' } as never),
      /There is no option "name"/,
    ],
  ])('%s is refused', (_, act, message) => {
    const one = createMock()
    expect(() => act(one)).toThrow(MockError)
    expect(() => act(createMock())).toThrow(message)
  })

  test('a header that names no session says so', async () => {
    const response = await fetch(`${baseUrl}/external/v1/statements/`, {
      method: 'POST',
      headers: { 'x-mock-session': 'none' },
    })
    expect(await response.text()).toContain('There is no session')
  })

  test('the end of the mock ends its sessions', async () => {
    const other = createMock()
    const session = other.session()
    await other.close()
    expect(() => session.use({})).toThrow('The mock of the session was closed.')
  })
})
