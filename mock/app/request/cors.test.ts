import { describe, expect, test } from 'vitest'
import { StatementTimeout } from '../../statement.ts'
import { appOf, endpoint, post } from '../request.test-helper.ts'

const origin = 'http://localhost:5173'
const page = (headers: Record<string, string> = {}) => post({ headers: { origin, ...headers } })

const preflight = (headers: Record<string, string> = {}, url = endpoint) =>
  new Request(url, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
      ...headers,
    },
  })

const cors = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

describe('a preflight', () => {
  test('is permitted without a token and counts as no statement', async () => {
    const { fetch, log } = appOf()
    const response = await fetch(preflight())
    expect(response.status).toBe(204)
    expect(await response.text()).toBe('')
    expect(cors(response)).toEqual({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'authorization,content-type',
      'access-control-max-age': '600',
    })
    expect(log).toEqual([])
  })

  test('from a public page to this machine is permitted on request', async () => {
    const response = await appOf().fetch(preflight({ 'access-control-request-private-network': 'true' }))
    expect(response.headers.get('access-control-allow-private-network')).toBe('true')
  })

  test('is permitted without the slash too, so that the page can read the answer', async () => {
    const { fetch } = appOf()
    const url = endpoint.slice(0, -1)
    expect((await fetch(preflight({}, url))).status).toBe(204)
    const response = await fetch(post({ headers: { origin } }, url))
    expect(response.status).toBe(404)
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  test('without its headers is a method that is not allowed', async () => {
    const { fetch } = appOf()
    const plain = new Request(endpoint, { method: 'OPTIONS' })
    const half = new Request(endpoint, { method: 'OPTIONS', headers: { origin } })
    expect((await fetch(plain)).status).toBe(405)
    expect((await fetch(half)).status).toBe(405)
  })

  test('is permitted only at the statement endpoint', async () => {
    const { fetch } = appOf()
    for (const path of ['/_mock/health', '/_mock/requests', '/_mock/token', '/openapi.json', '/']) {
      const response = await fetch(preflight({}, `http://localhost${path}`))
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect(cors(response)).toEqual({})
    }
  })
})

describe('a page reads', () => {
  const readable = {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Retry-After, WWW-Authenticate',
  }

  test.each([
    ['rows', 200, undefined, {}],
    ['a refused token', 401, undefined, { authorization: 'Bearer wrong' }],
    ['a refused variant', 400, undefined, { 'x-mock-variant': 'x' }],
    ['the 504', 504, () => new StatementTimeout(1), {}],
  ])('%s', async (_, status, outcome, headers) => {
    const response = await appOf(outcome).fetch(page(headers))
    expect(response.status).toBe(status)
    expect(cors(response)).toEqual(readable)
  })

  test('the same answers that other clients get without these headers', async () => {
    const { fetch } = appOf()
    const [ofPage, ofOthers] = [await fetch(page()), await fetch(post())]
    expect(cors(ofOthers)).toEqual({})
    expect(await ofPage.text()).toBe(await ofOthers.text())
    const rest = [...ofPage.headers].filter(([name]) => !name.startsWith('access-control-'))
    expect(rest).toEqual([...ofOthers.headers])
  })
})
