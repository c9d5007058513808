import { describe, expect, test } from 'vitest'
import { StatementRefused } from '../../engine/engine.ts'
import { appOf, post } from '../request.test-helper.ts'
import { statementsOfToken, withheldBy, withheldView } from './permission.ts'
import { createSettings, defaultSettings } from '../settings.ts'

const none = { authorization: '' }
const wrong = { authorization: 'Bearer wrong' }

const ask = (app: ReturnType<typeof appOf>, variants: string, headers: Record<string, string> = {}) =>
  app.fetch(post({ headers: { 'x-mock-variant': variants, ...headers } }))

const denied = () =>
  new StatementRefused('other', `permission denied for view ${withheldView}`, '42501', withheldView)
const withheldAs = (slug: string) => withheldBy(createSettings({ 'auth.permission': slug }))

describe('a token that does not pass is answered', () => {
  test.each([
    ['auth.missing=401', none, 401, { 'www-authenticate': 'Bearer' }],
    ['auth.missing=403', none, 403, {}],
    ['auth.missing=400', none, 400, {}],
    ['auth.missing=302-login', none, 302, { location: '/login' }],
    ['auth.missing=200-envelope', none, 200, {}],
    ['auth.invalid=401', wrong, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }],
    ['auth.invalid=403', wrong, 403, {}],
    ['auth.invalid=200-envelope', wrong, 200, {}],
    ['auth.missing=403', wrong, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }],
    ['auth.invalid=403', none, 401, { 'www-authenticate': 'Bearer' }],
  ])('%s, to %j: %i', async (variant, headers, status, more) => {
    const response = await ask(appOf(), variant, headers)
    expect(response.status).toBe(status)
    const told = [...response.headers].filter(([name]) => name === 'www-authenticate' || name === 'location')
    expect(Object.fromEntries(told)).toEqual(more)
    expect(await response.json()).toEqual({
      data: [],
      status: { state: 'error', message: expect.stringMatching(/token/) },
    })
  })

  const sentence = expect.stringMatching(/^The token is not valid\. .*<ACCESS_TOKEN>/)
  test.each([
    ['detail', 'application/json', { detail: sentence }],
    ['message', 'application/json', { message: sentence }],
    ['error-object', 'application/json', { error: { code: 'invalid_token', message: sentence } }],
    [
      'problem-json',
      'application/problem+json',
      { type: 'about:blank', title: 'Unauthorized', status: 401, detail: sentence },
    ],
  ])('auth.body=%s', async (slug, type, body) => {
    const response = await ask(appOf(), `auth.body=${slug}`, wrong)
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.json()).toEqual(body)
  })

  test('auth.body=html, auth.body=empty', async () => {
    const html = await ask(appOf(), 'auth.body=html', wrong)
    expect(html.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await html.text()).toMatch(/<h1>401 Unauthorized<\/h1>.*&lt;ACCESS_TOKEN&gt;/)
    expect(await (await ask(appOf(), 'auth.body=empty', wrong)).text()).toBe('')
  })

  test('as the envelope where that is its status, whatever auth.body says', async () => {
    const response = await ask(appOf(), 'auth.missing=200-envelope, auth.body=html', none)
    expect(await response.json()).toMatchObject({ data: [], status: { state: 'error' } })
  })
})

describe('a token that runs out', () => {
  const variant = 'auth.permission=401-mid-run'

  test('is good for so many statements, and for none after them', async () => {
    const app = appOf()
    for (let n = 0; n < statementsOfToken; n += 1) expect((await ask(app, variant)).status).toBe(200)
    for (let n = 0; n < 3; n += 1) {
      const response = await ask(app, variant)
      expect(response.status).toBe(401)
      expect(response.headers.get('www-authenticate')).toBe('Bearer error="invalid_token"')
    }
    expect((await app.fetch(post())).status).toBe(200)
  })

  test.each([
    ['403', 403],
    ['419', 419],
  ])('is refused as auth.expired=%s says', async (slug, status) => {
    const app = appOf()
    for (let n = 0; n < statementsOfToken; n += 1) await ask(app, variant)
    expect((await ask(app, `${variant}, auth.expired=${slug}`)).status).toBe(status)
  })

  test('takes no other token with it', async () => {
    const app = appOf(undefined, { tokens: ['a', 'b'] })
    for (let n = 0; n <= statementsOfToken; n += 1) await ask(app, variant, { authorization: 'Bearer a' })
    expect((await ask(app, variant, { authorization: 'Bearer b' })).status).toBe(200)
  })
})

describe('a view that the token may not read', () => {
  test.each([
    ['403', 403],
    ['permission-denied', 200],
  ])('auth.permission=%s', async (slug, status) => {
    const response = await ask(appOf(denied), `auth.permission=${slug}`)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      data: [],
      status: { state: 'error', message: 'permission denied for view v_formula_results' },
    })
  })

  test('is withheld by the gate under these variants alone', () => {
    expect(withheldBy(defaultSettings)).toBeUndefined()
    expect(withheldAs('401-mid-run')).toBeUndefined()
    expect(withheldAs('403')).toEqual({ view: withheldView, as: 'denied' })
    expect(withheldAs('permission-denied')).toEqual({ view: withheldView, as: 'denied' })
    expect(withheldAs('view-hidden')).toEqual({ view: withheldView, as: 'hidden' })
  })

  test('a right that the database itself denies stays in the log', async () => {
    const app = appOf(() => new StatementRefused('other', 'permission denied for function x', '42501'))
    const response = await ask(app, 'auth.permission=403')
    expect(await response.json()).toMatchObject({ status: { message: 'Error executing statement' } })
  })
})
