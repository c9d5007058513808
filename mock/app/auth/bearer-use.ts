import type { JWTPayload } from 'jose'
import { TokenRefused } from '../answer/token-refused.ts'

export const notAccessToken = (): TokenRefused => new TokenRefused('invalid', 'The token is no access token.')

const boundToKey = (): TokenRefused =>
  new TokenRefused(
    'invalid',
    'The token is bound to a key (cnf), and this server checks no proof of possession. Get a bearer token.',
  )

/** Claims that forbid the use as a bearer token. The library ignores them. */
const forbidding: Readonly<Record<string, () => TokenRefused>> = {
  // RFC 7800, 3.1; RFC 8705, 3.1; RFC 9449, 6.1
  cnf: boundToKey,
  // ID tokens: OpenID Connect Core 1.0, 3.1.3.6 and 3.3.2.11
  at_hash: notAccessToken,
  c_hash: notAccessToken,
  // security events such as a logout: RFC 8417, 2.2
  events: notAccessToken,
}

/**
 * Checks the claims of a verified JWT that the library ignores.
 *
 * @param latestIssue the latest `iat`, in seconds since 1970
 * @throws TokenRefused `invalid`
 */
export function checkBearerUse(payload: JWTPayload, latestIssue: number): void {
  for (const [claim, refused] of Object.entries(forbidding))
    if (Object.hasOwn(payload, claim)) throw refused()
  if (payload.iat !== undefined && payload.iat > latestIssue)
    throw new TokenRefused('invalid', 'The token was issued in the future. Compare the clocks of both sides.')
}
