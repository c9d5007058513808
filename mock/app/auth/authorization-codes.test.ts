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

  test.each([
    ['x', 400],
    ['x'.repeat(42), 400],
    ['aZ09-._~'.repeat(6), 200],
    ['x'.repeat(128), 200],
    ['x'.repeat(129), 400],
    ['x+'.repeat(30), 400],
  ])('with the verifier %s is answered with %i', async (code_verifier, status) => {
    const app = appWith('authorization-code')
    const { target } = await authorize(app, { code_challenge: await challengeOf(code_verifier) })
    const response = await exchange(app, target.searchParams.get('code'), { code_verifier })
    expect(response.status).toBe(status)
  })

  test('that is exchanged again revokes the token that it gave', async () => {
    const app = appWith('authorization-code')
    const tokens = []
    const codes = []
    for (const scope of ['first', 'second']) {
      const { target } = await authorize(app, { scope })
      codes.push(target.searchParams.get('code'))
      const response = await exchange(app, codes.at(-1)!)
      tokens.push(((await response.json()) as { access_token: string }).access_token)
    }
    expect((await use(app, tokens[0]!)).code).toBe(200)
    expect((await exchange(app, codes[0]!)).status).toBe(400)
    expect(await use(app, tokens[0]!)).toEqual({ code: 401, message: expect.stringMatching(/not valid/) })
    expect((await use(app, tokens[1]!)).code).toBe(200)
  })

  test('waits for its exchange however many others are issued', async () => {
    const app = appWith('authorization-code')
    const { target } = await authorize(app)
    for (let n = 0; n < 1100; n += 1) await authorize(app)
    expect((await exchange(app, target.searchParams.get('code'))).status).toBe(200)
  })

  test('of another server, or a changed one, gets nothing', async () => {
    const app = appWith('authorization-code')
    const { target } = await authorize(app, { scope: 'read' })
    const code = target.searchParams.get('code')!
    expect((await exchange(appWith('authorization-code'), code)).status).toBe(400)
    const [grant, signature] = code.split('.')
    const more = Buffer.from(
      Buffer.from(grant!, 'base64url').toString().replace('"read"', '"all!"'),
    ).toString('base64url')
    for (const forged of [`${more}.${signature}`, `${more}.`, more, `${grant}.${signature}x`, '.', ''])
      expect((await exchange(app, forged)).status).toBe(400)
    expect((await exchange(app, code)).status).toBe(200)
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
