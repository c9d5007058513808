import { base64url, createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTVerifyGetKey } from 'jose'
import { Refusal } from '../answer/refusal.ts'
import { checkBearerUse, notAccessToken } from './bearer-use.ts'
import type { JwtOptions } from './jwt-options.ts'
import { fetchKeySet } from './key-set.ts'
import { expiredToken, TokenRefused } from '../answer/token-refused.ts'

/** Algorithms with a public key: with a shared secret, every reader of the key set could sign. */
const algorithms = 'ES256 ES384 ES512 Ed25519 EdDSA RS256 RS384 RS512 PS256 PS384 PS512'.split(' ')

/** Longest token that is checked, in characters: the headers of a request hold no more. */
const maxLength = 16_384

/** The requirements of a token. */
export interface Requirements {
  readonly keys: JWTVerifyGetKey
  /** Any of these issuers. */
  readonly issuer: string[]
  readonly audience: string
  readonly clockSkewSeconds: number
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Keys that a provider no longer publishes are forgotten after this time, in milliseconds. */
const keysForMs = 60_000

/**
 * Checks tokens against a key set on the network; reads it with the first token, after a minute, and again for an unknown key or a
 * wrong signature: a provider may publish another key under the same id, or without one.
 */
export function createJwtVerifier(options: JwtOptions, now = Date.now): (token: string) => Promise<void> {
  const { jwksUrl, issuer, audience, clockSkewSeconds = 30, cooldownMs = 1000, timeoutMs = 5000 } = options
  const keys = createRemoteJWKSet(new URL(jwksUrl), {
    cooldownDuration: cooldownMs,
    cacheMaxAge: keysForMs,
    timeoutDuration: timeoutMs,
    [customFetch]: fetchKeySet,
  })
  const requirements = { keys, issuer: [issuer], audience, clockSkewSeconds, now }
  return (token) =>
    verifyJwt(token, requirements).catch(async (error: Error) => {
      if (!isWrongSignature(error.cause) || keys.coolingDown) throw error
      await keys.reload().catch(refuseUnread)
      return verifyJwt(token, requirements)
    })
}

const isWrongSignature = (error: unknown): boolean => error instanceof errors.JWSSignatureVerificationFailed

/** A key of less than 2048 bits, which jose reports as a TypeError like others. */
const isShortKey = (error: unknown): boolean =>
  error instanceof TypeError && /modulusLength/.test(error.message)

/**
 * Checks encoding, kind, signature, issuer, audience and times of a JWT (RFC 7519; RFC 8725). A token has to have an expiry.
 *
 * @throws TokenRefused `expired`, or `invalid` with the reason
 * @throws Refusal 503 if the keys cannot be read
 */
export async function verifyJwt(token: string, requirements: Requirements): Promise<void> {
  if (token.length > maxLength) throw new TokenRefused('invalid', 'The token is longer than any JWT in use.')
  const { keys, issuer, audience, clockSkewSeconds, now } = requirements
  const options = {
    algorithms,
    issuer,
    audience,
    requiredClaims: ['exp'],
    clockTolerance: clockSkewSeconds,
    currentDate: new Date(now()),
  }
  try {
    if (!isCanonical(token))
      throw new TokenRefused(
        'invalid',
        'The token is not written as base64url without padding. Send it as issued.',
      )
    const { payload } = await jwtVerify(token, readable(keys), options).catch((error) => {
      if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error
      return verifyWithAny(token, error, options)
    })
    checkBearerUse(payload, Math.floor(now() / 1000) + clockSkewSeconds)
  } catch (cause) {
    if (cause instanceof Refusal) throw cause
    if (cause instanceof errors.JWTExpired) throw expiredToken({ cause })
    throw new TokenRefused('invalid', explain(cause), { cause })
  }
}

/** Tries a token that does not name its key with every key of its algorithm. */
async function verifyWithAny(
  token: string,
  keys: InstanceType<typeof errors.JWKSMultipleMatchingKeys>,
  options: Parameters<typeof jwtVerify>[2],
): ReturnType<typeof jwtVerify> {
  for await (const key of keys) {
    try {
      return await jwtVerify(token, key, options)
    } catch (error) {
      if (!isWrongSignature(error) && !isShortKey(error)) throw error
    }
  }
  throw new errors.JWSSignatureVerificationFailed()
}

/** Whether a token is written in the only way that RFC 7515, 2 allows. Decoders read other texts as the same bytes. */
const isCanonical = (token: string): boolean =>
  token.split('.').every((part) => base64url.encode(base64url.decode(part)) === part)

/** Whether a `typ` is that of an access token: a provider signs tokens of other kinds with the same keys (RFC 8725, 3.11). */
const isAccessToken = (typ: unknown): boolean =>
  typ === undefined || (typeof typ === 'string' && /^(?:application\/)?(?:at\+)?jwt$/i.test(typ))

/** Refuses tokens of another kind, and distinguishes keys that cannot be read, which is the provider's failure, from keys that do not fit the token. */
const readable =
  (keys: JWTVerifyGetKey): JWTVerifyGetKey =>
  async (header, token) => {
    if (!isAccessToken(header.typ)) throw notAccessToken()
    try {
      return await keys(header, token)
    } catch (cause) {
      if (
        cause instanceof errors.JWKSNoMatchingKey ||
        cause instanceof errors.JWKSMultipleMatchingKeys ||
        cause instanceof errors.JOSENotSupported
      )
        throw cause
      return refuseUnread(cause)
    }
  }

/** @throws Refusal 503 */
function refuseUnread(cause: unknown): never {
  throw new Refusal(
    503,
    'The token cannot be checked: the keys of its identity provider cannot be read. Try again in a moment.',
    { 'retry-after': '1' },
    { cause },
  )
}

const claims: Readonly<Record<string, string>> = {
  iss: 'The token is of another issuer.',
  aud: 'The token is for another audience.',
  nbf: 'The token is not valid yet.',
  exp: 'The token does not say when it expires.',
}

/** Why a token is invalid, as a sentence that holds nothing of the token. */
function explain(error: unknown): string {
  if (error instanceof errors.JWTClaimValidationFailed)
    return claims[error.claim] ?? 'The token has claims that are not valid.'
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'The token is signed with a key that its identity provider does not publish.'
  if (isWrongSignature(error)) return 'The signature of the token is wrong.'
  if (isShortKey(error))
    return 'The token is signed with a key that is too short. Its identity provider needs one of at least 2048 bits.'
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'The token is signed in a way that is not accepted. Accepted are ES, RS, PS and Ed signatures.'
  return 'The token is not a JWT that can be read.'
}
