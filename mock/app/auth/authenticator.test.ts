import { describe, expect, test } from 'vitest'
import { createSettings, defaultSettings } from '../../open-points/settings.ts'
import { createAuthenticator, type AuthenticatorOptions } from './authenticator.ts'
import { audience, createKey, issuer, now, servePublicKeys } from './issuer.test-helper.ts'
import { AuthOptionsError, checkJwtOptions } from './jwt-options.ts'
import { invalidToken } from '../answer/token-refused.ts'

const authenticator = (options: Partial<AuthenticatorOptions>) =>
  createAuthenticator({
    tokens: ['right'],
    jwt: undefined,
    verifyOwn: async (token) => {
      if (token !== 'own') throw invalidToken()
    },
    now: () => now * 1000,
    ...options,
  })

const bearer = (token: string) => new Headers({ authorization: `Bearer ${token}` })
const jwtOptions = { jwksUrl: 'http://127.0.0.1:9/jwks', issuer, audience }

describe('a static token', () => {
  test('is checked synchronously, also if JWTs pass too', () => {
    for (const jwt of [undefined, jwtOptions]) {
      const authenticate = authenticator({ jwt })
      expect(authenticate(bearer('right'), defaultSettings)).toBe('right')
      expect(() => authenticate(new Headers(), defaultSettings)).toThrow('carries no token')
    }
    expect(() => authenticator({})(bearer('wrong'), defaultSettings)).toThrow('not valid')
  })

  test('is any non-empty token if there is no list', () => {
    const authenticate = authenticator({ tokens: undefined })
    expect(authenticate(bearer('anything'), defaultSettings)).toBe('anything')
    expect(() => authenticate(bearer(' '), defaultSettings)).toThrow('not valid')
    expect(() => authenticate(new Headers(), defaultSettings)).toThrow('carries no token')
  })
})

test('accepts a JWT of the configured issuer in addition to static tokens', async () => {
  const key = await createKey('k')
  const server = await servePublicKeys(key)
  const authenticate = authenticator({ jwt: { ...jwtOptions, jwksUrl: server.url } })
  const token = await key.sign()
  expect(await authenticate(bearer(token), defaultSettings)).toBe(token)
  expect(await authenticate(bearer(token), createSettings({ 'auth.mode': 'authorization-code' }))).toBe(token)
  const forged = await (await createKey('k')).sign()
  await expect(authenticate(bearer(forged), defaultSettings)).rejects.toThrow('signature')
  server.close()
})

test('accepts tokens of the own identity provider only if auth.mode lets it issue tokens', async () => {
  const authenticate = authenticator({})
  const settings = createSettings({ 'auth.mode': 'client-credentials' })
  expect(await authenticate(bearer('own'), settings)).toBe('own')
  expect(authenticate(bearer('right'), settings)).toBe('right')
  await expect(authenticate(bearer('wrong'), settings)).rejects.toThrow('not valid')
  const elsewhere = createSettings({ 'auth.mode': 'authorization-code' })
  for (const others of [defaultSettings, elsewhere])
    expect(() => authenticate(bearer('own'), others)).toThrow('not valid')
})

test.each([
  [{ jwksUrl: 'login.example.org' }, /is no URL of a key set. Write it as https/],
  [{ jwksUrl: 'file:///etc/passwd' }, /is no URL of a key set/],
  [{ jwksUrl: 'https://me:secret@login.example.org/jwks' }, /no user and no password/],
  [{ issuer: '' }, /must not be empty/],
  [{ audience: '' }, /must not be empty/],
  [{ clockSkewSeconds: -1 }, /0 to 3600/],
  [{ clockSkewSeconds: Number.NaN }, /0 to 3600/],
  [{ cooldownMs: -1 }, /from 0 on/],
  [{ timeoutMs: 0 }, /from 1 on/],
])('refuses the options %j with a sentence', (wrong, message) => {
  const check = () => checkJwtOptions({ ...jwtOptions, ...wrong })
  expect(check).toThrow(AuthOptionsError)
  expect(check).toThrow(message)
})
