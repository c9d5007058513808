import type { Settings } from '../settings.ts'
import { checkJwtOptions, type JwtOptions } from './jwt-options.ts'
import { bearerToken, isOneOf } from './static-tokens.ts'
import { invalidToken } from './token-refused.ts'

export interface AuthenticatorOptions {
  /** Tokens that pass as they are. Without the list any well-formed bearer token does. */
  readonly tokens: readonly string[] | undefined
  /** Whose JWTs pass besides. */
  readonly jwt: JwtOptions | undefined
  /** Checks a token of the server's own identity provider, which counts where `auth.mode` is not `static`. */
  readonly verifyOwn: (token: string) => Promise<void>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/**
 * Lets a request pass that carries a token and returns it: at once where it is a known text, so that nobody waits
 * for cryptography that is not needed.
 *
 * @throws TokenRefused, or rejects with it; rejects with a Refusal 503 when a JWT can not be checked
 */
export type Authenticate = (headers: Headers, settings: Settings) => string | Promise<string>

/** @throws AuthOptionsError */
export function createAuthenticator(options: AuthenticatorOptions): Authenticate {
  const { tokens, jwt, verifyOwn, now } = options
  const verifyForeign = jwt && foreignVerifier(jwt, now)
  return (headers, settings) => {
    const token = bearerToken(headers)
    if (tokens === undefined || isOneOf(token, tokens)) return token
    const verify = settings['auth.mode'] === 'static' ? verifyForeign : verifyOwn
    if (!verify) throw invalidToken()
    return verify(token).then(() => token)
  }
}

/** The library that checks signatures is loaded with the first token that has one. */
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
