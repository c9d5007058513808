import { generateKeyPairSync, sign } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { createLocalJWKSet, exportSPKI, importJWK, type JWK, SignJWT } from 'jose'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  audience,
  base64url,
  createKey,
  issuer,
  type Key,
  type KeyServer,
  now,
  servePublicKeys,
} from './issuer.test-helper.ts'
import { createJwtVerifier, verifyJwt } from './jwt.ts'

let [own, other]: Key[] = []
beforeAll(async () => {
  ;[own, other] = await Promise.all([createKey('own'), createKey('other')])
})

const verify = (token: string, { keys = [own!], skew = 30, at = now } = {}) =>
  verifyJwt(token, {
    keys: createLocalJWKSet({ keys: keys.map(({ jwk }) => jwk) }),
    issuer: [issuer],
    audience,
    clockSkewSeconds: skew,
    now: () => at * 1000,
  })

const invalid = (message: RegExp | string) =>
  expect.objectContaining({
    status: 401,
    reason: 'invalid',
    message: typeof message === 'string' ? message : expect.stringMatching(message),
  })
const expired = expect.objectContaining({ status: 401, reason: 'expired' })

test.each(['ES256', 'ES384', 'RS256', 'PS256', 'EdDSA', 'Ed25519'])(
  'accepts a token signed with %s',
  async (alg) => {
    const key = await createKey('k', alg)
    await expect(verify(await key.sign(), { keys: [key] })).resolves.toBeUndefined()
  },
)

describe('the kind of a token', () => {
  test.each([undefined, 'JWT', 'jwt', 'at+jwt', 'AT+JWT', 'application/at+jwt', 'application/jwt'])(
    'is that of an access token with the typ %s',
    async (typ) => {
      await expect(verify(await own!.sign({}, { typ }))).resolves.toBeUndefined()
    },
  )

  test.each([
    'logout+jwt',
    'dpop+jwt',
    'id+jwt',
    'secevent+jwt',
    '',
    'application/',
    'JWTs',
    7,
    null,
    ['JWT'],
  ])('is refused with the typ %j', async (typ) => {
    const token = await own!.sign({}, { typ: typ as string })
    await expect(verify(token)).rejects.toEqual(invalid('The token is no access token.'))
  })

  test('is judged before the keys are asked for', async () => {
    const token = await other!.sign({}, { typ: 'logout+jwt' })
    await expect(verify(token)).rejects.toEqual(invalid('The token is no access token.'))
  })
})

describe('claims', () => {
  test.each([
    ['another issuer', { iss: 'https://login.example.com' }, 'The token is of another issuer.'],
    ['no issuer', { iss: undefined }, 'The token is of another issuer.'],
    ['another audience', { aud: 'other' }, 'The token is for another audience.'],
    ['no audience', { aud: undefined }, 'The token is for another audience.'],
    ['no end', { exp: undefined }, 'The token does not say when it expires.'],
    ['an end that is no number', { exp: 'tomorrow' as unknown as number }, /expires/],
  ])('refuses a token with %s', async (_, claims, message) => {
    await expect(verify(await own!.sign(claims))).rejects.toEqual(invalid(message))
  })

  test('accepts one right audience among others', async () => {
    await expect(verify(await own!.sign({ aud: ['x', audience] }))).resolves.toBeUndefined()
  })

  test.each([
    ['expired, the skew not yet over', { exp: now - 29 }, 'passes'],
    ['expired, the skew just over', { exp: now - 30 }, 'expired'],
    ['not valid for as long as the skew', { nbf: now + 30 }, 'passes'],
    ['not valid for a second more', { nbf: now + 31 }, 'The token is not valid yet.'],
    ['issued as far ahead as the skew', { iat: now + 30 }, 'passes'],
    ['issued a second further ahead', { iat: now + 31 }, /issued in the future/],
    ['issued a day ahead', { iat: now + 86_400 }, /issued in the future/],
  ])('checks the times of a token at the limit: %s', async (_, claims, outcome) => {
    const verifying = verify(await own!.sign(claims))
    if (outcome === 'passes') await expect(verifying).resolves.toBeUndefined()
    else await expect(verifying).rejects.toEqual(outcome === 'expired' ? expired : invalid(outcome))
  })

  const otherKind = 'The token is no access token.'
  test.each([
    ['cnf', { jkt: '0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I' }, /bound to a key/],
    ['cnf', { 'x5t#S256': 'bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2' }, /bound to a key/],
    ['cnf', null, /bound to a key/],
    ['at_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng', otherKind],
    ['c_hash', 'MTIzNDU2Nzg5MDEyMzQ1Ng', otherKind],
    ['events', { 'http://schemas.openid.net/event/backchannel-logout': {} }, otherKind],
  ])('that forbid the use as a bearer token are obeyed: %s %j', async (claim, value, message) => {
    await expect(verify(await own!.sign({ [claim]: value }))).rejects.toEqual(invalid(message))
    const withoutKeyId = await own!.sign({ [claim]: value }, { kid: undefined })
    await expect(verify(withoutKeyId, { keys: [other!, own!] })).rejects.toEqual(invalid(message))
  })

  test('accepts a token from `nbf` to `exp`, both extended by the skew', async () => {
    const near = fc.integer({ min: -100, max: 100 })
    await fc.assert(
      fc.asyncProperty(near, near, fc.integer({ min: 0, max: 90 }), async (nbf, exp, skew) => {
        const token = await own!.sign({ nbf: now + nbf, exp: now + exp })
        const passes = await verify(token, { skew }).then(
          () => true,
          () => false,
        )
        expect(passes).toBe(nbf <= skew && exp > -skew)
      }),
    )
  })
})

describe('signatures', () => {
  test('refuses a token without a signature', async () => {
    const claims = { iss: issuer, aud: audience, exp: now + 600 }
    for (const alg of ['none', 'None', 'NONE']) {
      const token = `${base64url(JSON.stringify({ alg }))}.${base64url(JSON.stringify(claims))}.`
      await expect(verify(token)).rejects.toEqual(invalid(/signed in a way that is not accepted/))
    }
  })

  test('refuses a signature with the public key as a shared secret', async () => {
    const key = await createKey('k', 'RS256')
    const pem = await exportSPKI((await importJWK(key.jwk, 'RS256')) as Parameters<typeof exportSPKI>[0])
    const claims = { iss: issuer, aud: audience, exp: now + 600 }
    for (const secret of [pem, JSON.stringify(key.jwk)]) {
      const token = await new SignJWT(claims)
        .setProtectedHeader({ alg: 'HS256', kid: 'k' })
        .sign(new TextEncoder().encode(secret))
      await expect(verify(token, { keys: [key] })).rejects.toEqual(invalid(/not accepted/))
    }
  })

  test('refuses a signature of another key, also under the id of a published one', async () => {
    await expect(verify(await other!.sign())).rejects.toEqual(invalid(/does not publish/))
    await expect(verify(await other!.sign({}, { kid: 'own' }))).rejects.toEqual(invalid(/signature/))
  })

  test('refuses a token that was changed after signing', async () => {
    const [header, , signature] = (await own!.sign()).split('.')
    const claims = base64url(JSON.stringify({ iss: issuer, aud: audience, exp: now + 9e6 }))
    await expect(verify(`${header}.${claims}.${signature}`)).rejects.toEqual(invalid(/signature/))
  })

  test('tries a token without a key id with every key', async () => {
    const keys = [other!, own!]
    const token = await own!.sign({}, { kid: undefined })
    await expect(verify(token, { keys })).resolves.toBeUndefined()
    const third = await createKey('third')
    const unknown = await third.sign({}, { kid: undefined })
    await expect(verify(unknown, { keys })).rejects.toEqual(invalid(/signature/))
    const late = await own!.sign({ exp: now - 60 }, { kid: undefined })
    await expect(verify(late, { keys })).rejects.toEqual(expired)
  })
})

describe('a key of 1024 bits', () => {
  let short: Key
  beforeAll(async () => {
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
    short = {
      jwk: { ...(publicKey.export({ format: 'jwk' }) as JWK), kid: 'short', alg: 'RS256' },
      sign: async () => {
        const [header, claims] = [
          { alg: 'RS256', kid: 'short' },
          { iss: issuer, aud: audience, exp: now + 9 },
        ]
        const text = [header, claims].map((part) => base64url(JSON.stringify(part))).join('.')
        return `${text}.${sign('sha256', Buffer.from(text), privateKey).toString('base64url')}`
      },
    }
  })

  test('is not accepted, and the sentence says why', async () => {
    await expect(verify(await short.sign(), { keys: [short] })).rejects.toEqual(invalid(/at least 2048 bits/))
  })

  test('does not hide a key that fits', async () => {
    const long = await createKey('long', 'RS256')
    const token = await long.sign({}, { kid: undefined })
    await expect(verify(token, { keys: [short, long] })).resolves.toBeUndefined()
  })
})

describe('the encoding of a token', () => {
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  /** The same bytes, with an unused bit set in the last character. */
  const withUnusedBit = (part: string) => part.slice(0, -1) + digits[digits.indexOf(part.at(-1)!) + 1]!
  const parts = ['header', 'claims', 'signature']

  test.each(parts.flatMap((_, at) => ['=', '==', ' ', '\n'].map((more) => [parts[at]!, more, at] as const)))(
    'may have nothing behind the %s, such as %j',
    async (_, more, at) => {
      const all = (await own!.sign()).split('.')
      all[at] += more
      await expect(verify(all.join('.'))).rejects.toEqual(invalid(/base64url|can be read/))
    },
  )

  test('may set no unused bit of a character', async () => {
    const [header, claims, signature] = (await own!.sign()).split('.') as [string, string, string]
    const changed = withUnusedBit(signature)
    expect(Buffer.from(changed, 'base64url')).toEqual(Buffer.from(signature, 'base64url'))
    await expect(verify([header, claims, changed].join('.'))).rejects.toEqual(invalid(/base64url/))
  })

  test('may not be that of base64', async () => {
    const token = (await own!.sign({ note: '\u00bf\u00ff\u00be'.repeat(9) })).replaceAll('_', '/')
    expect(token).toContain('/')
    await expect(verify(token)).rejects.toEqual(invalid('The token is not a JWT that can be read.'))
  })
})

test('refuses a header with an extension that is critical and unknown', async () => {
  const [, claims, signature] = (await own!.sign()).split('.')
  const header = base64url(JSON.stringify({ alg: 'ES256', kid: 'own', crit: ['exp'], exp: now }))
  await expect(verify(`${header}.${claims}.${signature}`)).rejects.toEqual(
    invalid('The token is not a JWT that can be read.'),
  )
})

test.each(['x', '..', 'a.b.c', `${base64url('{"alg":"ES256"}')}.e30.AAAA`, `${base64url('[]')}.e30.`])(
  '%j is refused as what is no JWT, or none that is signed',
  async (token) => {
    await expect(verify(token)).rejects.toEqual(invalid(/./))
  },
)

test('refuses a token of 100 kB without reading it', async () => {
  const token = await own!.sign({ note: 'x'.repeat(75_000) })
  expect(token.length).toBeGreaterThan(100_000)
  await expect(verify(token)).rejects.toEqual(invalid('The token is longer than any JWT in use.'))
})

test('repeats nothing of the token in its message', async () => {
  const token = await own!.sign({ iss: 'https://secret.example' })
  const error = await verify(token).catch((error: Error) => error)
  expect((error as Error).message).not.toMatch(/secret|eyJ/)
})

const spaces = Buffer.alloc(1_000_000, ' ')

/** Sends the same bytes again and again, as fast as they are read. */
const endless = (encoding: string, bytes: Buffer, closed: () => void) => (outgoing: ServerResponse) => {
  const again = new Readable({ read: () => void again.push(bytes) })
  outgoing.writeHead(200, { 'content-encoding': encoding })
  pipeline(again, outgoing, closed)
}

describe('keys on the network', () => {
  let server: KeyServer | undefined
  afterEach(() => server?.close())

  const start = async (published: KeyServer['published'], { cooldownMs = 0, timeoutMs = 20_000 } = {}) => {
    server = await servePublicKeys()
    server.published = published
    const options = { jwksUrl: server.url, issuer, audience, cooldownMs, timeoutMs }
    return { server, verify: createJwtVerifier(options, () => now * 1000) }
  }

  test('reads the keys once, and again for an unknown key', async () => {
    const { server, verify } = await start([own!])
    await verify(await own!.sign())
    await verify(await own!.sign())
    expect(server.asked).toBe(1)
    server.published = [other!]
    await verify(await other!.sign())
    expect(server.asked).toBe(2)
    await expect(verify(await own!.sign())).rejects.toEqual(invalid(/does not publish/))
  })

  test.each([['own'], [undefined]])(
    'reads the keys again when another is published under the id %j',
    async (kid) => {
      const { server, verify } = await start([own!])
      const first = await own!.sign({}, { kid })
      await verify(first)
      const next = await createKey('own')
      server.published = [next]
      await verify(await next.sign({}, { kid }))
      await expect(verify(first)).rejects.toEqual(invalid(/signature/))
    },
  )

  test('forgets after a minute a key that is published no longer', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    try {
      const { server, verify } = await start([own!])
      const token = await own!.sign()
      await verify(token)
      server.published = []
      vi.setSystemTime(Date.now() + 61_000)
      await expect(verify(token)).rejects.toEqual(invalid(/does not publish/))
    } finally {
      vi.useRealTimers()
    }
  })

  test('answers 503 if a signature is wrong and the keys cannot be read again', async () => {
    const { server, verify } = await start([own!])
    await verify(await own!.sign())
    server.published = 'nothing'
    const forged = await other!.sign({}, { kid: 'own' })
    await expect(verify(forged)).rejects.toEqual(expect.objectContaining({ status: 503 }))
  })

  test('does not read the keys again for every forged signature during the cooldown', async () => {
    const { server, verify } = await start([own!], { cooldownMs: 60_000 })
    for (let n = 0; n < 5; n += 1)
      await expect(verify(await other!.sign({}, { kid: 'own' }))).rejects.toEqual(invalid(/signature/))
    expect(server.asked).toBe(1)
  })

  test('does not read the keys again for every forged key during the cooldown', async () => {
    const { server, verify } = await start([own!], { cooldownMs: 60_000 })
    await verify(await own!.sign())
    for (let n = 0; n < 5; n += 1)
      await expect(verify(await other!.sign())).rejects.toEqual(invalid(/does not publish/))
    expect(server.asked).toBe(1)
  })

  test('does not read the keys for a token that is no JWT or has another signature', async () => {
    const { server, verify } = await start([own!])
    await expect(verify('x')).rejects.toEqual(invalid(/JWT/))
    await expect(verify(`${base64url('{"alg":"none"}')}.e30.`)).rejects.toEqual(invalid(/accepted/))
    expect(server.asked).toBe(0)
  })

  test.each([
    ['a page', '<!doctype html><title>Sign in</title>'],
    ['JSON that is no key set', '{"keys":"none"}'],
    ['nothing', ''],
  ])('answers 503 while the key set is %s', async (_, published) => {
    const { server, verify } = await start(published)
    await expect(verify(await own!.sign())).rejects.toEqual(
      expect.objectContaining({
        status: 503,
        message: expect.stringMatching(/keys of its identity provider cannot be read/),
        headers: { 'retry-after': '1' },
        cause: expect.any(Error),
      }),
    )
    server.published = [own!]
    await verify(await own!.sign())
  })

  test('answers 503 only for tokens of a broken key', async () => {
    const broken = '{"kty":"EC","kid":"other","crv":"P-256","x":"!","y":"!"}'
    const { verify } = await start(`{"keys":[${JSON.stringify(own!.jwk)},${broken}]}`)
    await verify(await own!.sign())
    await expect(verify(await other!.sign())).rejects.toEqual(expect.objectContaining({ status: 503 }))
  })

  test('answers 503 if the keys do not arrive in time', async () => {
    const { server, verify } = await start(undefined, { timeoutMs: 500 })
    await expect(verify(await own!.sign())).rejects.toEqual(
      expect.objectContaining({ status: 503, cause: expect.objectContaining({ name: 'JWKSTimeout' }) }),
    )
    server.published = [own!]
    await verify(await own!.sign())
  })

  test.each([
    ['plain', 'identity', spaces],
    ['compressed', 'gzip', gzipSync(spaces)],
  ])('stops reading a key set that never ends at 1 MiB: %s', async (_, encoding, bytes) => {
    const closed = vi.fn()
    const { server, verify } = await start(endless(encoding, bytes, closed))
    await expect(verify(await own!.sign())).rejects.toEqual(
      expect.objectContaining({ status: 503, cause: new Error('The key set is longer than 1 MiB.') }),
    )
    await vi.waitFor(() => expect(closed).toHaveBeenCalled(), 20_000)
    server.published = [own!]
    await verify(await own!.sign())
  })

  test('answers 503 if the body of a key set neither ends nor heeds the signal, and reads the next one', async () => {
    const { server, verify } = await start([own!], { timeoutMs: 500 })
    // undici: a compressed body that is aborted while it is unpacked may be left like this
    vi.stubGlobal('fetch', async () => new Response(new ReadableStream()))
    try {
      await expect(verify(await own!.sign())).rejects.toEqual(
        expect.objectContaining({ status: 503, cause: expect.objectContaining({ name: 'JWKSTimeout' }) }),
      )
    } finally {
      vi.unstubAllGlobals()
    }
    await verify(await own!.sign())
    expect(server.asked).toBe(1)
  }, 5000)

  test('answers 503 if the keys cannot be reached', async () => {
    const { server, verify } = await start([own!])
    server.close()
    await expect(verify(await own!.sign())).rejects.toEqual(expect.objectContaining({ status: 503 }))
  })
})
