import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'
import { verifyJwt } from './jwt.ts'

/** Who the tokens are for: the statement endpoint. */
export const audience = 'bioprocess-sql'

const algorithm = 'ES256'

/** What is asked of a token. What is not asked for is as the statement endpoint wants it. */
export interface Order {
  /** Where the provider is reached, as the client sees it. */
  readonly issuer: string
  readonly subject: string
  readonly clientId: string
  readonly scope?: string | undefined
  /** Seconds from now; below 0 the token has expired already. */
  readonly expiresIn: number
  /** Seconds from now until the token counts. Default: it counts at once. */
  readonly notBefore?: number | undefined
  /** Another `aud` and another `iss` than those that pass. */
  readonly audience?: string | undefined
  readonly foreignIssuer?: string | undefined
}

interface SigningKey {
  readonly kid: string
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  readonly publicJwk: JWK
}

/** Issues access tokens (RFC 9068) and checks them. Its keys are made here and end with the process. */
export class IdentityProvider {
  readonly #now: () => number
  /** The first one signs, all are published. */
  #keys: readonly SigningKey[]
  /** The names that clients know the provider by: the same server is `localhost` to one and `127.0.0.1` to another. */
  readonly #issuers = new Set<string>()

  private constructor(now: () => number, key: SigningKey) {
    this.#now = now
    this.#keys = [key]
  }

  static async create(now = Date.now): Promise<IdentityProvider> {
    return new IdentityProvider(now, await newKey())
  }

  /** The public keys, a JSON Web Key Set. */
  jwks(): { keys: JWK[] } {
    return { keys: this.#keys.map(({ publicJwk }) => publicJwk) }
  }

  /** Signs with a new key from now on. @param keepOld whether tokens of the former ones still pass */
  async rotate(keepOld: boolean): Promise<void> {
    const key = await newKey()
    this.#keys = keepOld ? [key, ...this.#keys] : [key]
  }

  issue(order: Order): Promise<string> {
    const { issuer, subject, clientId, scope, expiresIn, notBefore = 0 } = order
    const [{ kid, privateKey }] = this.#keys as [SigningKey]
    const now = Math.floor(this.#now() / 1000)
    this.#issuers.add(issuer)
    return new SignJWT({ client_id: clientId, ...(scope !== undefined && { scope }) })
      .setProtectedHeader({ alg: algorithm, kid, typ: 'at+jwt' })
      .setIssuer(order.foreignIssuer ?? issuer)
      .setAudience(order.audience ?? audience)
      .setSubject(subject)
      .setJti(crypto.randomUUID())
      .setIssuedAt(now)
      .setNotBefore(now + notBefore)
      .setExpirationTime(now + expiresIn)
      .sign(privateKey)
  }

  /** No skew: the clock that issued the token is the one that checks it. @throws TokenRefused */
  verify(token: string): Promise<void> {
    return verifyJwt(token, {
      keys: createLocalJWKSet(this.jwks()),
      issuer: [...this.#issuers],
      audience,
      clockSkewSeconds: 0,
      now: this.#now,
    })
  }
}

async function newKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig' } }
}
