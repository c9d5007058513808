import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  decodeJwt,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'
import { verifyJwt } from './jwt.ts'
import { invalidToken } from './token-refused.ts'

/** The audience of the tokens: the statement endpoint. */
export const audience = 'bioprocess-sql'

const algorithm = 'ES256'

/** The claims of a token. The defaults are those that the statement endpoint requires. */
export interface Order {
  /** Default: a new one. */
  readonly id?: string | undefined
  /** The address of the provider as the client sees it. */
  readonly issuer: string
  readonly subject: string
  readonly clientId: string
  readonly scope?: string | undefined
  /** Seconds from now; negative: the token has already expired. */
  readonly expiresIn: number
  /** Seconds from now until the token is valid. Default: 0. */
  readonly notBefore?: number | undefined
  /** An `aud` and an `iss` other than the valid ones. */
  readonly audience?: string | undefined
  readonly foreignIssuer?: string | undefined
}

interface SigningKey {
  readonly kid: string
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>['privateKey']
  readonly publicJwk: JWK
}

/** Issues access tokens (RFC 9068) and checks them. Its keys exist only in this process. */
export class IdentityProvider {
  readonly #now: () => number
  /** The first key signs, all are published. */
  #keys: readonly SigningKey[]
  /** The addresses that clients use: one reaches the server as `localhost`, another as `127.0.0.1`. */
  readonly #issuers = new Set<string>()
  /** The ids of revoked tokens. */
  readonly #revoked = new Set<string | undefined>()

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

  /** Signs with a new key from now on. @param keepOld whether tokens of earlier keys stay valid */
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
      .setJti(order.id ?? crypto.randomUUID())
      .setIssuedAt(now)
      .setNotBefore(now + notBefore)
      .setExpirationTime(now + expiresIn)
      .sign(privateKey)
  }

  /** Refuses the token with this id from now on. */
  revoke(id: string): void {
    this.#revoked.add(id)
  }

  /** No skew: the same clock issues and checks the token. @throws TokenRefused */
  async verify(token: string): Promise<void> {
    await verifyJwt(token, {
      keys: createLocalJWKSet(this.jwks()),
      issuer: [...this.#issuers],
      audience,
      clockSkewSeconds: 0,
      now: this.#now,
    })
    if (this.#revoked.has(decodeJwt(token).jti)) throw invalidToken()
  }
}

async function newKey(): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm)
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, publicJwk: { ...jwk, kid, alg: algorithm, use: 'sig' } }
}
