import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { challengeOf } from './authorization-codes.ts'
import {
  appWith,
  type App,
  ask,
  client,
  clock,
  credentials,
  get,
  origin,
  use,
} from './provider.test-helper.ts'

describe('an authorization code', () => {
  const verifier = 'a-verifier-that-is-long-enough-for-everybody-0123'
  const redirect = 'http://localhost:5173/callback?x=1'

  const authorize = async (app: App, change: Record<string, string> = {}) => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.id,
      redirect_uri: redirect,
      state: 'st/ate',
      scope: 'read',
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
      ...change,
    })
    const response = await get(app, `authorize?${query}`)
    return { response, target: new URL(response.headers.get('location') ?? 'about:blank') }
  }

  const exchange = (app: App, code: string | null, change: Record<string, string> = {}) =>
    ask(app, {
      grant_type: 'authorization_code',
      code: code ?? '',
      redirect_uri: redirect,
      code_verifier: verifier,
      ...credentials,
      ...change,
    })

  test('is issued immediately and exchanged for a token once', async () => {
    const app = appWith('authorization-code')
    const { response, target } = await authorize(app)
    expect(response.status).toBe(302)
    expect(target.href).toMatch(/^http:\/\/localhost:5173\/callback\?x=1&code=/)
    expect(target.searchParams.get('state')).toBe('st/ate')
    expect(target.searchParams.get('iss')).toBe(`${origin}/_mock`)
    const exchanged = await exchange(app, target.searchParams.get('code'))
    const { access_token: token, scope } = (await exchanged.json()) as Record<string, string>
    expect(scope).toBe('read')
    expect(decodeJwt(token!)).toMatchObject({ sub: 'developer', client_id: 'app' })
    expect((await use(app, token!)).code).toBe(200)
    const again = await exchange(app, target.searchParams.get('code'))
    expect(again.status).toBe(400)
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' })
  })

  test.each([
    [{ code_verifier: 'another' }, 'invalid_grant'],
    [{ code_verifier: '' }, 'invalid_grant'],
    [{ redirect_uri: 'http://localhost:5173/other' }, 'invalid_grant'],
    [{ code: 'guessed' }, 'invalid_grant'],
    [{ client_secret: 'wrong' }, 'invalid_client'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
  ])('is not exchanged with %j', async (change, error) => {
    const app = appWith('authorization-code')
    const { target } = await authorize(app)
    const response = await exchange(app, target.searchParams.get('code'), change)
    expect(await response.json()).toMatchObject({ error })
  })

  test('expires after a minute', async () => {
    const app = appWith('authorization-code')
    const { target } = await authorize(app)
    clock.now += 60_000
    expect((await exchange(app, target.searchParams.get('code'))).status).toBe(400)
  })

  test.each([
    [{ redirect_uri: 'https://evil.example/' }, /address of this machine/],
    [{ redirect_uri: 'https://localhost.evil.example/' }, /address of this machine/],
    [{ redirect_uri: 'http://localhost@evil.example/' }, /address of this machine/],
    [{ redirect_uri: 'http://localhost:80@evil.example/' }, /address of this machine/],
    [{ redirect_uri: 'javascript:alert(1)' }, /address of this machine/],
    [{ redirect_uri: '' }, /address of this machine/],
    [{ client_id: 'other' }, /no such client/],
  ])('is not sent anywhere for %j', async (change, message) => {
    const { response } = await authorize(appWith('authorization-code'), change)
    expect(response.status).toBe(400)
    expect(response.headers.has('location')).toBe(false)
    expect(await response.json()).toMatchObject({ error_description: expect.stringMatching(message) })
  })

  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type'],
    [{ code_challenge: '' }, 'invalid_request'],
    [{ code_challenge_method: 'plain' }, 'invalid_request'],
  ])('is not issued for %j, and the page gets the error', async (change, error) => {
    const { response, target } = await authorize(appWith('authorization-code'), change)
    expect(response.status).toBe(302)
    expect(target.searchParams.get('error')).toBe(error)
    expect(target.searchParams.get('state')).toBe('st/ate')
    expect(target.searchParams.has('code')).toBe(false)
  })
})
