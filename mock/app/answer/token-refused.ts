import { Refusal } from './refusal.ts'

/** Why a token is refused. Each reason has a setting: `auth.missing`, `auth.invalid`, `auth.expired`. */
export type RefusalReason = 'missing' | 'invalid' | 'expired'

/** A request without a valid token: 401 with `WWW-Authenticate: Bearer` (RFC 6750, 3) by default. */
export class TokenRefused extends Refusal {
  override readonly name = 'TokenRefused'
  readonly reason: RefusalReason

  constructor(reason: RefusalReason, message: string, options?: ErrorOptions) {
    const challenge = reason === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"'
    super(401, message, { 'www-authenticate': challenge }, options)
    this.reason = reason
  }
}

export const missingToken = (): TokenRefused =>
  new TokenRefused(
    'missing',
    'The request carries no token. Send the header "Authorization: Bearer <ACCESS_TOKEN>".',
  )

export const invalidToken = (): TokenRefused =>
  new TokenRefused(
    'invalid',
    'The token is not valid. Send "Authorization: Bearer <ACCESS_TOKEN>" with a current token.',
  )

export const expiredToken = (options?: ErrorOptions): TokenRefused =>
  new TokenRefused('expired', 'The token has expired. Get a new one.', options)
