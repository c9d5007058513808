/** The issuer whose JWTs pass, and how they are checked. */
export interface JwtOptions {
  /** The address of the identity provider's JSON Web Key Set (RFC 7517, 5). */
  readonly jwksUrl: string
  /** The required `iss` of a token. */
  readonly issuer: string
  /** The required `aud` of a token, alone or among others. */
  readonly audience: string
  /** Largest difference between the clocks of both sides, in seconds. Default: 30. */
  readonly clockSkewSeconds?: number
  /** Least time between two requests of the key set because of an unknown key, in milliseconds. Default: 1000. */
  readonly cooldownMs?: number
  /** Longest time for the key set to arrive, in milliseconds. Default: 5000. */
  readonly timeoutMs?: number
}

/** Thrown for options of authentication that are invalid or contradict each other; the message names the remedy. */
export class AuthOptionsError extends Error {
  override readonly name = 'AuthOptionsError'
}

/** @throws AuthOptionsError */
export function checkJwtOptions(options: JwtOptions): void {
  const { jwksUrl, issuer, audience, clockSkewSeconds = 30, cooldownMs = 1000, timeoutMs = 5000 } = options
  const url = URL.canParse(jwksUrl) ? new URL(jwksUrl) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new AuthOptionsError(
      'This is no URL of a key set. Write it as https://login.example.com/.well-known/jwks.json.',
    )
  if (url.username !== '' || url.password !== '')
    throw new AuthOptionsError('The URL of a key set holds no user and no password: keys are public.')
  if (issuer === '' || audience === '')
    throw new AuthOptionsError(
      'Issuer and audience must not be empty: name what the tokens say in `iss` and `aud`.',
    )
  if (!(clockSkewSeconds >= 0 && clockSkewSeconds <= 3600))
    throw new AuthOptionsError(
      `A clock skew of ${clockSkewSeconds} s is not possible. Give 0 to 3600 seconds.`,
    )
  if (!(cooldownMs >= 0)) throw new AuthOptionsError('The cooldown is a number of milliseconds from 0 on.')
  if (!(Number.isInteger(timeoutMs) && timeoutMs > 0))
    throw new AuthOptionsError('The time for a key set is a whole number of milliseconds from 1 on.')
}
