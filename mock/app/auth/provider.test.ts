import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose'
import { describe, expect, test } from 'vitest'
import { appOf } from '../request.test-helper.ts'
import {
  appWith,
  ask,
  client,
  clock,
  credentials,
  get,
  grant,
  origin,
  tokenOf,
  use,
} from './provider.test-helper.ts'

const basic = (id: string, secret: string) => ({ authorization: `Basic ${btoa(`${id}:${secret}`)}` })

describe('client credentials', () => {
  test('give a token that the statement endpoint accepts and the published keys verify', async () => {
    const app = appWith('client-credentials')
    const response = await ask(app, { ...grant, ...credentials, scope: 'read' })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'read',
    })
    const token = String(body['access_token'])
    expect(await use(app, token)).toMatchObject({ code: 200 })
    const keys = createLocalJWKSet((await (await get(app, '.well-known/jwks.json')).json()) as JSONWebKeySet)
    const { payload } = await jwtVerify(token, keys, {
      issuer: `${origin}/_mock`,
      audience: 'bioprocess-sql',
      currentDate: new Date(clock.now),
    })
    expect(payload).toMatchObject({ sub: 'app', client_id: 'app', scope: 'read', iat: clock.now / 1000 })
    expect(payload.exp).toBe(clock.now / 1000 + 3600)
    expect(decodeProtectedHeader(token)).toMatchObject({ typ: 'at+jwt', alg: 'ES256' })
  })

  test('may be sent by HTTP Basic, encoded as in a form', async () => {
    const app = appWith('client-credentials')
    expect((await ask(app, grant, basic('app', 'p%3Ass+word'))).status).toBe(200)
    expect((await ask(app, grant, basic('app', 'p:ss word'))).status).toBe(200)
    const raw = appWith('client-credentials', { client: { id: 'app', secret: 'a+b%/==' } })
    for (const secret of ['a+b%/==', 'a%2Bb%25%2F%3D%3D'])
      expect((await ask(raw, grant, basic('app', secret))).status).toBe(200)
    expect((await ask(raw, grant, basic('app', 'a b%/=='))).status).toBe(401)
    expect((await ask(app, grant, basic('app', 'wrong'))).status).toBe(401)
    expect((await ask(app, grant, basic('app', '%'))).status).toBe(401)
  })

  test('are by default the id development and the first token', async () => {
    const app = appWith('client-credentials', { client: undefined, tokens: ['s3cret', 'other'] } as never)
    await tokenOf(app, { client_id: 'development', client_secret: 's3cret' })
    expect((await ask(app, { ...grant, client_id: 'development', client_secret: 'other' })).status).toBe(401)
  })

  test.each([
    [{ ...credentials }, 400, 'unsupported_grant_type'],
    [{ ...credentials, grant_type: 'password' }, 400, 'unsupported_grant_type'],
    [{ ...credentials, grant_type: 'authorization_code' }, 400, 'unsupported_grant_type'],
    [grant, 401, 'invalid_client'],
    [{ ...grant, client_id: 'app' }, 401, 'invalid_client'],
    [{ ...grant, ...credentials, client_secret: 'wrong' }, 401, 'invalid_client'],
    [{ ...grant, ...credentials, client_id: 'other' }, 401, 'invalid_client'],
    [{ ...grant, ...credentials, expires_in: 'soon' }, 400, 'invalid_request'],
    [{ ...grant, ...credentials, expires_in: '999999999' }, 400, 'invalid_request'],
    [{ ...grant, ...credentials, not_before: '1.5' }, 400, 'invalid_request'],
    ['grant_type=client_credentials&client_id=app&client_id=app', 400, 'invalid_request'],
  ])('with the change %j get status %i and error %s', async (form, status, error) => {
    const response = await ask(appWith('client-credentials'), form)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error, error_description: expect.stringMatching(/\.$/) })
    expect(response.headers.has('www-authenticate')).toBe(status === 401)
  })

  test('are refused as JSON, with a sentence', async () => {
    const app = appWith('client-credentials')
    const response = await ask(app, grant, { 'content-type': 'application/json' })
    expect(await response.json()).toMatchObject({
      error: 'invalid_request',
      error_description: expect.stringMatching(/as a form/),
    })
  })
})

describe('a token as ordered', () => {
  test.each([
    [{ expires_in: '-1' }, 'The token has expired. Get a new one.'],
    [{ not_before: '60' }, 'The token is not valid yet.'],
    [{ audience: 'another' }, 'The token is for another audience.'],
    [{ issuer: 'https://login.example.com' }, 'The token is of another issuer.'],
  ])('%j is refused', async (order, message) => {
    const app = appWith('client-credentials')
    expect(await use(app, await tokenOf(app, order))).toEqual({ code: 401, message })
  })

  test('expires to the second and is refused as auth.expired says', async () => {
    const app = appWith('client-credentials', { tokenLifetimeSeconds: 60 })
    const token = await tokenOf(app)
    clock.now += 59_000
    expect((await use(app, token)).code).toBe(200)
    clock.now += 1000
    expect((await use(app, token)).code).toBe(401)
    expect((await use(app, token, 'auth.expired=419')).code).toBe(419)
    expect((await use(app, await tokenOf(app))).code).toBe(200)
  })

  test('is valid under every name of the server', async () => {
    const app = appWith('client-credentials')
    const response = await app.fetch(
      new Request('http://127.0.0.1:4010/_mock/token', {
        method: 'POST',
        body: new URLSearchParams({ ...grant, ...credentials }),
      }),
    )
    const { access_token: token } = (await response.json()) as { access_token: string }
    expect(decodeJwt(token).iss).toBe('http://127.0.0.1:4010/_mock')
    expect((await use(app, token)).code).toBe(200)
  })

  test('of another server is refused', async () => {
    const token = await tokenOf(appWith('client-credentials'))
    expect(await use(appWith('client-credentials'), token)).toEqual({
      code: 401,
      message: 'The token is signed with a key that its identity provider does not publish.',
    })
  })
})

describe('the key', () => {
  test('is published without its private half', async () => {
    const { keys } = (await (await get(appWith('client-credentials'), '.well-known/jwks.json')).json()) as {
      keys: object[]
    }
    expect(keys).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: expect.any(String),
        alg: 'ES256',
        use: 'sig',
      },
    ])
  })
})

test.each(['token', 'authorize', '.well-known/jwks.json', '.well-known/openid-configuration'])(
  'a server whose clients sign in elsewhere says so at /_mock/%s',
  async (path) => {
    const app = appWith('authorization-code')
    const response = path === 'token' ? await ask(app, { ...grant, ...credentials }) : await get(app, path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      status: { message: expect.stringMatching(/no sign-in page.*--jwks-url, --issuer and --audience/) },
    })
  },
)

describe('a server whose tokens are static', () => {
  test.each(['token', '.well-known/jwks.json'])('has no /_mock/%s', async (path) => {
    const app = appOf(undefined, { client })
    const response = path === 'token' ? await ask(app, { ...grant, ...credentials }) : await get(app, path)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({
      status: { message: expect.stringMatching(/--variant auth.mode=client-credentials/) },
    })
  })

  test('has an identity provider for a request whose header asks for it', async () => {
    const app = appOf(undefined, { client })
    const variant = { 'x-mock-variant': 'auth.mode=client-credentials' }
    const response = await ask(app, { ...grant, ...credentials }, variant)
    const { access_token: token } = (await response.json()) as { access_token: string }
    expect((await use(app, token)).code).toBe(401)
    expect((await use(app, token, 'auth.mode=client-credentials')).code).toBe(200)
    expect((await ask(app, grant, { 'x-mock-variant': 'auth.mode=x' })).status).toBe(400)
  })
})
