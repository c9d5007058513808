import {
  calculateJwkThumbprint,
  createLocalJWKSet,
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  SignJWT,
} from 'jose'
import { verifyJwt } from './jwt.ts'

/** The audience of the tokens: the statement endpoint. */
export const audience = 'bioprocess-sql'

const algorithm = 'ES256'

/** The claims of a token. The defaults are those that the statement endpoint requires. */
export interface Order {
  /** The address of the provider as the client sees it. */
  readonly issuer: string
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

/** Issues access tokens (RFC 9068) and checks them. Its key exists only in this process. */
export class IdentityProvider {
  readonly #now: () => number
  readonly #privateKey: CryptoKey
  readonly #publicJwk: JWK
  /** The addresses that clients use: one reaches the server as `localhost`, another as `127.0.0.1`. */
  readonly #issuers = new Set<string>()

  private constructor(now: () => number, privateKey: CryptoKey, publicJwk: JWK) {
    this.#now = now
    this.#privateKey = privateKey
    this.#publicJwk = publicJwk
  }

  static async create(now = Date.now): Promise<IdentityProvider> {
    const { privateKey, publicKey } = await generateKeyPair(algorithm)
    const jwk = await exportJWK(publicKey)
    const kid = await calculateJwkThumbprint(jwk)
    return new IdentityProvider(now, privateKey, { ...jwk, kid, alg: algorithm, use: 'sig' })
  }

  /** The public key, as a JSON Web Key Set. */
  jwks(): { keys: JWK[] } {
    return { keys: [this.#publicJwk] }
  }

  issue(order: Order): Promise<string> {
    const { issuer, clientId, scope, expiresIn, notBefore = 0 } = order
    const now = Math.floor(this.#now() / 1000)
    this.#issuers.add(issuer)
    return new SignJWT({ client_id: clientId, ...(scope !== undefined && { scope }) })
      .setProtectedHeader({ alg: algorithm, kid: this.#publicJwk.kid!, typ: 'at+jwt' })
      .setIssuer(order.foreignIssuer ?? issuer)
      .setAudience(order.audience ?? audience)
      .setSubject(clientId)
      .setJti(crypto.randomUUID())
      .setIssuedAt(now)
      .setNotBefore(now + notBefore)
      .setExpirationTime(now + expiresIn)
      .sign(this.#privateKey)
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
  }
}
