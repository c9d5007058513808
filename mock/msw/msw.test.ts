import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { UnknownVariant } from '../app/behaviour.ts'
import { createReference } from '../node/server.ts'
import { createMock, handlers, MockError } from './index.ts'

vi.mock('../node/server.ts', { spy: true })

const baseUrl = 'https://api.example.com/plant-1'
const path = '/external/v1/statements/'

const send = (url: string, statement: string, headers: Record<string, string> = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: 'Bearer secret', 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ statement }),
  })
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
    expect(createReference).not.toHaveBeenCalled()
    const both = await Promise.all([1, 1].map((n) => send(baseUrl + path, `SELECT ${n} AS n`)))
    for (const response of both) expect(await response.json()).toEqual(one)
    await mock.ready()
    expect(createReference).toHaveBeenCalledTimes(1)
    expect(createReference).toHaveBeenCalledWith(expect.objectContaining({ seed: 1, scale: 0.01 }))
  })

  test('answers from the simulated plant, and in one piece', async () => {
    const text = await (await send(baseUrl + path, 'SELECT * FROM v_timeseries_data LIMIT 2500')).text()
    expect((JSON.parse(text) as { data: unknown[] }).data).toHaveLength(2500)
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
    mock.use({ 'http.noSlash': '200' })
    expect(await (await send(slashless, 'SELECT 1 AS n')).json()).toEqual(one)
  })

  test('takes variants on until it is reset; those of a request win', async () => {
    mock.use({ 'rows.shape': 'array', 'http.success': '201' })
    const used = await send(baseUrl + path, 'SELECT 1 AS n', { 'x-mock-variant': 'http.success=202' })
    expect([used.status, await used.json()]).toEqual([202, { ...one, data: [[1]] }])
    mock.reset()
    expect(await (await send(baseUrl + path, 'SELECT 1 AS n')).json()).toEqual(one)
    expect(() => mock.use({ 'rows.shape': 'round' })).toThrow(UnknownVariant)
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

  test('refuses variants at once', () => {
    expect(() => createMock({ variants: { 'rows.shape': 'round' } })).toThrow(UnknownVariant)
  })

  test('does not hide that the engine does not start, tries again, and closes', async () => {
    const mock = createMock({ token: 'two words' })
    const before = vi.mocked(createReference).mock.calls.length
    await expect(mock.ready()).rejects.toThrow('can not be sent in a header')
    await expect(mock.fetch(`https://a.example${path}`)).rejects.toThrow('can not be sent in a header')
    expect(vi.mocked(createReference).mock.calls.length).toBe(before + 2)
    await mock.close()
  })

  test('ends with close, also twice or before it began', async () => {
    const mock = createMock()
    await mock.close()
    await mock.close()
    await expect(mock.ready()).rejects.toThrow('The mock was closed.')
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
    timeout: 50_000,
  })
  let printed = ''
  child.stdout.on('data', (text) => (printed += text))
  child.stderr.on('data', (text) => (printed += text))
  const [code] = await once(child, 'close')
  return { code, printed }
}

describe('a process', () => {
  test.each([
    ['after close()', 'await mock.close()'],
    ['without it', ''],
  ])('ends by itself %s', async (_, end) => {
    expect(await run(end)).toEqual({ code: 0, printed: `${JSON.stringify(one)}\n` })
  })
})
