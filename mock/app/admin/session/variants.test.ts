import { describe, expect, test } from 'vitest'
import type { AppOptions } from '../../app.ts'
import { appOf, post } from '../../request.test-helper.ts'

const url = 'http://localhost/_mock/variants'

function service(options: Partial<AppOptions> = {}) {
  const { fetch } = appOf(undefined, options)
  const send = async (method: string, body?: unknown, path = '', headers: Record<string, string> = {}) => {
    const json = { 'content-type': 'application/json', ...headers }
    const init = { method, headers: json, body: JSON.stringify(body) }
    const response = await fetch(new Request(url + path, method === 'GET' ? {} : init))
    return { status: response.status, body: (await response.json()) as Listing }
  }
  const success = async (headers: Record<string, string> = {}) => (await fetch(post({ headers }))).status
  return { send, success }
}

interface Listing {
  variants: { point: string; knob: string; value: string; source: string }[]
  next: { variants: Record<string, string>; left: number }[]
  status: { message: string }
}
const stateOf = ({ variants }: Listing, id: string) => variants.find(({ point }) => point === id)

test('PUT replaces variants, PATCH adds some, DELETE resets them, GET lists them', async () => {
  const { send, success } = service()
  expect((await send('PUT', { 'http.success': '201' })).status).toBe(200)
  expect(await success()).toBe(201)
  await send('PATCH', { 'rows.nulls': 'omitted' })
  const listing = (await send('GET')).body
  expect(stateOf(listing, 'http.success')).toMatchObject({ value: '201', source: 'run time' })
  expect(stateOf(listing, 'rows.nulls')).toMatchObject({ value: 'omitted', source: 'run time' })
  await send('PUT', { 'rows.nulls': 'omitted' })
  expect(await success()).toBe(200)
  expect(stateOf((await send('DELETE')).body, 'rows.nulls')).toMatchObject({
    value: 'null',
    source: 'default',
  })
})

test('PUT, PATCH, POST next and the header accept the number and the former id of an open point', async () => {
  const { send, success } = service()
  await send('PUT', { 'NS-16': '201' })
  const { body } = await send('PATCH', { 'ts.format': 'micros-z' })
  expect(stateOf(body, 'http.success')).toMatchObject({ value: '201', source: 'run time' })
  expect(stateOf(body, 'timestamps.format')).toMatchObject({ value: 'micros-z', source: 'run time' })
  await send('POST', { variants: { 'NS-16': '202' }, count: 2 }, '/next')
  expect(await success({ 'x-mock-variant': 'NS-16=207' })).toBe(207)
  expect(await success()).toBe(202)
})

test('POST next sets variants for some statements, and a header overrides them', async () => {
  const { send, success } = service()
  const { body } = await send('POST', { variants: { 'http.success': '202' }, count: 2 }, '/next')
  expect(body.next).toEqual([{ variants: { 'http.success': '202' }, left: 2 }])
  expect(await success({ 'x-mock-variant': 'http.success=207' })).toBe(207)
  expect(await success({ 'x-mock-variant': 'http.succes=207' })).toBe(400)
  expect(await success()).toBe(202)
  expect(await success()).toBe(200)
})

test.each([
  ['PUT', '', { 'http.success': '299', 'rows.shape': 'array' }, /has no variant "299"/],
  ['PATCH', '', { 'http.sucess': '201' }, /There is no setting "http.sucess"/],
  ['DELETE', '?setting=http.sucess', undefined, /There is no setting "http.sucess"/],
  ['PUT', '', [], /a variant for each setting/],
  ['PUT', '', { 'http.success': 201 }, /a variant for each setting/],
  ['PUT', '', null, /a variant for each setting/],
  ['POST', '/next', { 'http.success': '201' }, /Send \{"variants"/],
  ['POST', '/next', { variants: { 'http.success': '201' }, count: 0 }, /whole number/],
  ['POST', '/next', { variants: { 'http.success': '201' }, times: 1 }, /Send \{"variants"/],
])('refuses %s %s %j and changes nothing', async (method, path, body, message) => {
  const { send } = service()
  const refusal = await send(method, body, path)
  expect(refusal.status).toBe(400)
  expect(refusal.body.status.message).toMatch(message)
  const listing = (await send('GET')).body
  expect(listing.next).toEqual([])
  expect(listing.variants.filter(({ source }) => source !== 'default')).toEqual([])
})

test('refuses a body that is not JSON', async () => {
  const { fetch } = appOf()
  const init = { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{' }
  expect((await fetch(new Request(url, init))).status).toBe(400)
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe('variants for the next statement', () => {
  const tokens = ['token-of-a', 'token-of-b']
  const created = { variants: { 'http.success': '201' } }

  test('are kept when a request fails authentication', async () => {
    const { send, success } = service({ tokens })
    await send('POST', { variants: { ...created.variants, 'auth.invalid': '403' } }, '/next')
    expect(await success({ authorization: '' })).toBe(401)
    expect(await success(bearer('token-of-nobody'))).toBe(403)
    expect(await success(bearer('token-of-b'))).toBe(201)
    expect(await success(bearer('token-of-b'))).toBe(200)
  })

  test('armed with a token hold for statements with that token only', async () => {
    const { send, success } = service({ tokens })
    const { body } = await send('POST', created, '/next', bearer('token-of-a'))
    expect(body.next).toEqual([{ ...created, left: 1 }])
    await send('POST', { variants: { 'http.success': '202' } }, '/next')
    expect(await success(bearer('token-of-b'))).toBe(202)
    expect(await success(bearer('token-of-b'))).toBe(200)
    expect(await success(bearer('token-of-a'))).toBe(201)
    expect(await success(bearer('token-of-a'))).toBe(200)
  })

  test.each(['Bearer token-of-nobody', 'Basic dG9rZW4='])(
    'are refused with the credentials %s',
    async (authorization) => {
      const { send } = service({ tokens })
      expect((await send('POST', created, '/next', { authorization })).status).toBe(401)
      expect((await send('GET')).body.next).toEqual([])
    },
  )

  test('hold for any token where the token is that of the administrator', async () => {
    const { send, success } = service({ tokens, admin: { token: 'admin-token' } })
    expect((await send('POST', created, '/next', bearer('admin-token'))).status).toBe(200)
    expect(await success(bearer('token-of-b'))).toBe(201)
  })
})
