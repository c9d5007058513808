import { whyNoTokens } from '../../open-points/auth/mode.ts'
import type { Settings } from '../../open-points/settings.ts'
import { checkJwtOptions, type JwtOptions } from './jwt-options.ts'
import { bearerToken, isOneOf } from './static-tokens.ts'
import type { RequestHeaders } from '../request/call.ts'
import { invalidToken } from '../answer/token-refused.ts'

export interface AuthenticatorOptions {
  /** Tokens that pass. Without the list, any well-formed bearer token passes. */
  readonly tokens: readonly string[] | undefined
  /** The issuer whose JWTs pass too. */
  readonly jwt: JwtOptions | undefined
  /** Checks a token of the server's own identity provider, if `auth.mode` lets it issue tokens. */
  readonly verifyOwn: (token: string) => Promise<void>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Checks the token of a request and returns it: synchronously if it is in the list, so that no request waits for
 * cryptography that it does not need.
 *
 * @throws TokenRefused, or rejects with it; rejects with a Refusal 503 if a JWT cannot be checked
 */
export type Authenticate = (headers: RequestHeaders, settings: Settings) => string | Promise<string>

/** @throws AuthOptionsError */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { tokens, jwt, verifyOwn, now } = options
  const verifyForeign = jwt && foreignVerifier(jwt, now)
  return (headers, settings) => {
    const token = bearerToken(headers)
    if (tokens === undefined || isOneOf(token, tokens)) return token
    const verify = whyNoTokens(settings) === undefined ? verifyOwn : verifyForeign
    if (!verify) throw invalidToken()
    return verify(token).then(() => token)
  }
}

/** Loads the library that checks signatures with the first token that has one. */
function foreignVerifier(jwt: JwtOptions, now: () => number): (token: string) => Promise<void> {
  checkJwtOptions(jwt)
  let verifier: Promise<(token: string) => Promise<void>> | undefined
  return async (token) => {
    verifier ??= import('./jwt.ts').then(({ createJwtVerifier }) => createJwtVerifier(jwt, now))
    await (
      await verifier
    )(token)
  }
}
