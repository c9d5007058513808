import { Refusal } from '../refusal.ts'

/** What is wrong with a token. Each has a knob: `auth.missing`, `auth.invalid`, `auth.expired`. */
export type Fault = 'missing' | 'invalid' | 'expired'

/** A request without a token that passes: 401 with `WWW-Authenticate: Bearer` (RFC 6750, 3) unless a knob says otherwise. */
export class TokenRefused extends Refusal {
  override readonly name = 'TokenRefused'
  readonly fault: Fault

  constructor(fault: Fault, message: string, options?: ErrorOptions) {
    const challenge = fault === 'missing' ? 'Bearer' : 'Bearer error="invalid_token"'
    super(401, message, { 'www-authenticate': challenge }, options)
    this.fault = fault
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
