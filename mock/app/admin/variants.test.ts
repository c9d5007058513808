import { expect, test } from 'vitest'
import { appOf, post } from '../request.test-helper.ts'

const url = 'http://localhost/_mock/variants'

function service() {
  const { fetch } = appOf()
  const send = async (method: string, body?: unknown, path = '') => {
    const init = { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const response = await fetch(new Request(url + path, method === 'GET' ? {} : init))
    return { status: response.status, body: (await response.json()) as Listing }
  }
  const success = async (headers: Record<string, string> = {}) => (await fetch(post({ headers }))).status
  return { send, success }
}

interface Listing {
  variants: { knob: string; value: string; source: string }[]
  next: { variants: Record<string, string>; left: number }[]
  status: { message: string }
}
const stateOf = ({ variants }: Listing, knob: string) => variants.find((one) => one.knob === knob)

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
