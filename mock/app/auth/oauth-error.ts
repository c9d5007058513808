import { answerWhole, toResponse } from '../answer/answer.ts'

type OAuthErrorCode = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type'

/** A request that the identity provider refuses (RFC 6749, 5.2). */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.code = code
  }

  /** The answer of the token endpoint. */
  response(): Response {
    const body = JSON.stringify({ error: this.code, error_description: this.message })
    return this.code === 'invalid_client'
      ? toResponse(answerWhole(401, body, { 'www-authenticate': 'Basic realm="token", charset="UTF-8"' }))
      : toResponse(answerWhole(400, body))
  }
}
