import { describe, expect, test } from 'vitest'
import { StatementRefused } from '../../statement.ts'
import { appOf, post } from '../request.test-helper.ts'
import { permission } from '../../open-points/auth/permission.ts'
import { createSettings } from '../../open-points/settings.ts'

const none = { authorization: '' }
const wrong = { authorization: 'Bearer wrong' }

const ask = (app: ReturnType<typeof appOf>, variants: string, headers: Record<string, string> = {}) =>
  app.fetch(post({ headers: { 'x-mock-variant': variants, ...headers } }))

const view = 'v_formula_results'
const denied = () => new StatementRefused('other', `permission denied for view ${view}`, '42501', view)
const isWithheld = (variant: string) => under(variant).views?.[view]?.isWithheld === true
const under = (variant: string) => permission(createSettings({ 'auth.permission': variant }))
const statementsPerToken = under('401-mid-run').statementsPerToken!

describe('a request without a valid token', () => {
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
  ])('under %s with the headers %j gets status %i', async (variant, headers, status, more) => {
    const response = await ask(appOf(), variant, headers)
    expect(response.status).toBe(status)
    const shown = [...response.headers].filter(([name]) => name === 'www-authenticate' || name === 'location')
    expect(Object.fromEntries(shown)).toEqual(more)
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
  ])('gets the body of auth.body=%s', async (variant, type, body) => {
    const response = await ask(appOf(), `auth.body=${variant}`, wrong)
    expect(response.status).toBe(401)
    expect(response.headers.get('content-type')).toBe(type)
    expect(await response.json()).toEqual(body)
  })

  test('gets a page under auth.body=html and no body under auth.body=empty', async () => {
    const html = await ask(appOf(), 'auth.body=html', wrong)
    expect(html.headers.get('content-type')).toMatch(/^text\/html/)
    expect(await html.text()).toMatch(/<h1>401 Unauthorized<\/h1>.*&lt;ACCESS_TOKEN&gt;/)
    expect(await (await ask(appOf(), 'auth.body=empty', wrong)).text()).toBe('')
  })

  test('gets the envelope under 200-envelope, whatever auth.body is', async () => {
    const response = await ask(appOf(), 'auth.missing=200-envelope, auth.body=html', none)
    expect(await response.json()).toMatchObject({ data: [], status: { state: 'error' } })
  })
})

describe('a token that expires after some statements', () => {
  const variant = 'auth.permission=401-mid-run'

  test('passes for 50 statements and is refused after them', async () => {
    const app = appOf()
    for (let n = 0; n < statementsPerToken; n += 1) expect((await ask(app, variant)).status).toBe(200)
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
  ])('is refused with the status of auth.expired=%s', async (expired, status) => {
    const app = appOf()
    for (let n = 0; n < statementsPerToken; n += 1) await ask(app, variant)
    expect((await ask(app, `${variant}, auth.expired=${expired}`)).status).toBe(status)
  })

  test('expires independently of other tokens', async () => {
    const app = appOf(undefined, { tokens: ['a', 'b'] })
    for (let n = 0; n <= statementsPerToken; n += 1) await ask(app, variant, { authorization: 'Bearer a' })
    expect((await ask(app, variant, { authorization: 'Bearer b' })).status).toBe(200)
  })
})

describe('a withheld view', () => {
  test.each([
    ['403', 403],
    ['permission-denied', 200],
  ])('is refused with the status of auth.permission=%s', async (variant, status) => {
    const response = await ask(appOf(denied), `auth.permission=${variant}`)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      data: [],
      status: { state: 'error', message: 'permission denied for view v_formula_results' },
    })
  })

  test('is withheld only under three variants of auth.permission', () => {
    const variants = ['none', '401-mid-run', 'rows-filtered', '403', 'permission-denied', 'view-hidden']
    expect(variants.filter(isWithheld)).toEqual(['403', 'permission-denied', 'view-hidden'])
  })

  test('keeps a right that the database denies in the log', async () => {
    const app = appOf(() => new StatementRefused('other', 'permission denied for function x', '42501'))
    const response = await ask(app, 'auth.permission=403')
    expect(await response.json()).toMatchObject({ status: { message: 'Error executing statement' } })
  })
})
