import { OAuthError } from './oauth-error.ts'
import { isOneOf } from './static-tokens.ts'

const utf8 = new TextEncoder()

type Parameters = ReadonlyMap<string, string>

/** The lifetime of a code in milliseconds. */
const codeLivesMs = 60_000

/** RFC 7636, 4.1. */
const verifierSyntax = /^[\w.~-]{43,128}$/

/** What a code stands for. */
interface Grant {
  /** The id of the code, and of the token that it gives. */
  readonly id: string
  readonly clientId: string | undefined
  readonly redirectUri: string
  readonly challenge: string
  readonly scope: string | undefined
  readonly endsAt: number
}

/**
 * The codes of the authorization code grant, with PKCE (RFC 6749, 4.1; RFC 7636). There is no sign-in page: a client
 * gets its code immediately, and the code is useless without the client's secret. A code holds its grant and a signature,
 * so that waiting codes take no memory and nobody can push out those of others.
 */
export class AuthorizationCodes {
  readonly #now: () => number
  readonly #revoke: (id: string) => Promise<void>
  /** The ids of the codes that were exchanged, and when they expire. */
  readonly #used = new Map<string, number>()
  #key: ReturnType<typeof newKey> | undefined

  /** @param revoke withdraws the token with this id */
  constructor(now: () => number, revoke: (id: string) => Promise<void>) {
    this.#now = now
    this.#revoke = revoke
  }

  /**
   * @returns the code
   * @throws OAuthError for a request without a challenge of the method S256
   */
  async grant(query: Parameters, redirectUri: string): Promise<string> {
    if (query.get('response_type') !== 'code')
      throw new OAuthError('unsupported_response_type', 'response_type has to be code.')
    const challenge = query.get('code_challenge')
    if (challenge === undefined || query.get('code_challenge_method') !== 'S256')
      throw new OAuthError('invalid_request', 'Send code_challenge and code_challenge_method=S256 (PKCE).')
    const [clientId, scope] = [query.get('client_id'), query.get('scope')]
    const endsAt = this.#now() + codeLivesMs
    const grant: Grant = { id: crypto.randomUUID(), clientId, redirectUri, challenge, scope, endsAt }
    const text = base64url(utf8.encode(JSON.stringify(grant)))
    return `${text}.${await this.#sign(text)}`
  }

  /**
   * Exchanges a code, which then is used up in any case. A code that comes again may be stolen, so the token that it gave
   * is revoked (RFC 6749, 4.1.2).
   *
   * @throws OAuthError if the code is unknown, or was issued for another client, address or verifier
   */
  async redeem(form: Parameters, clientId: string): Promise<Pick<Grant, 'id' | 'scope'>> {
    const grant = await this.#read(form.get('code') ?? '')
    const verifier = form.get('code_verifier') ?? ''
    const fits =
      grant !== undefined &&
      (await this.#use(grant)) &&
      grant.clientId === clientId &&
      grant.redirectUri === form.get('redirect_uri') &&
      verifierSyntax.test(verifier) &&
      grant.challenge === (await challengeOf(verifier))
    if (fits) return grant
    throw new OAuthError(
      'invalid_grant',
      'The code is used up, older than a minute, or of another client, redirect_uri or code_verifier.',
    )
  }

  /** Whether a code is used for the first time. */
  async #use({ id, endsAt }: Grant): Promise<boolean> {
    for (const [id, endsAt] of this.#used) if (endsAt <= this.#now()) this.#used.delete(id)
    const isNew = !this.#used.has(id)
    this.#used.set(id, endsAt)
    if (!isNew) await this.#revoke(id)
    return isNew
  }

  /** The grant of a code; undefined if it has expired or is none of ours. */
  async #read(code: string): Promise<Grant | undefined> {
    const [text = '', signature = '', ...rest] = code.split('.')
    if (rest.length > 0 || !isOneOf(signature, [await this.#sign(text)])) return undefined
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
      char.charCodeAt(0),
    )
    const grant = JSON.parse(new TextDecoder().decode(bytes)) as Grant
    return grant.endsAt > this.#now() ? grant : undefined
  }

  async #sign(text: string): Promise<string> {
    const key = await (this.#key ??= newKey())
    return base64url(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8.encode(text))))
  }
}

const newKey = () => crypto.subtle.generateKey({ name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])

/** S256: the hash of the verifier, as base64url without padding (RFC 7636, 4.2). */
export async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', utf8.encode(verifier))))
}

const base64url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
