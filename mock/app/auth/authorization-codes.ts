import { OAuthError } from './oauth-error.ts'

type Parameters = ReadonlyMap<string, string>

/** Most codes that wait for their exchange, and the lifetime of a code in milliseconds. */
const [mostCodes, codeLivesMs] = [1000, 60_000]

interface Grant {
  readonly clientId: string | undefined
  readonly redirectUri: string
  readonly challenge: string
  readonly scope: string | undefined
  readonly endsAt: number
}

/**
 * The codes of the authorization code grant, with PKCE (RFC 6749, 4.1; RFC 7636). There is no sign-in page: a client
 * gets its code immediately, and the code is useless without the client's secret.
 */
export class AuthorizationCodes {
  readonly #now: () => number
  readonly #grants = new Map<string, Grant>()

  constructor(now: () => number) {
    this.#now = now
  }

  /**
   * @returns the code
   * @throws OAuthError for a request without a challenge of the method S256
   */
  grant(query: Parameters, redirectUri: string): string {
    if (query.get('response_type') !== 'code')
      throw new OAuthError('unsupported_response_type', 'response_type has to be code.')
    const challenge = query.get('code_challenge')
    if (challenge === undefined || query.get('code_challenge_method') !== 'S256')
      throw new OAuthError('invalid_request', 'Send code_challenge and code_challenge_method=S256 (PKCE).')
    const code = `${crypto.randomUUID()}${crypto.randomUUID()}`
    const [clientId, scope] = [query.get('client_id'), query.get('scope')]
    const endsAt = this.#now() + codeLivesMs
    this.#grants.set(code, { clientId, redirectUri, challenge, scope, endsAt })
    if (this.#grants.size > mostCodes) this.#grants.delete(this.#grants.keys().next().value!)
    return code
  }

  /**
   * Exchanges a code, which then is used up in any case.
   *
   * @throws OAuthError if the code is unknown, or was issued for another client, address or verifier
   */
  async redeem(form: Parameters, clientId: string): Promise<Pick<Grant, 'scope'>> {
    const code = form.get('code') ?? ''
    const grant = this.#grants.get(code)
    this.#grants.delete(code)
    const fits =
      grant !== undefined &&
      grant.endsAt > this.#now() &&
      grant.clientId === clientId &&
      grant.redirectUri === form.get('redirect_uri') &&
      grant.challenge === (await challengeOf(form.get('code_verifier') ?? ''))
    if (fits) return grant
    throw new OAuthError(
      'invalid_grant',
      'The code is used up, older than a minute, or of another client, redirect_uri or code_verifier.',
    )
  }
}

/** S256: the hash of the verifier, as base64url without padding (RFC 7636, 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  const text = btoa(String.fromCharCode(...new Uint8Array(hash)))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
