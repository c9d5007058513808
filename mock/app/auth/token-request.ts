import { answerWhole, toResponse } from '../answer/answer.ts'
import { readShortBody } from '../request/limits.ts'
import { isOneOf } from './static-tokens.ts'

/** A client that may get tokens. */
export interface OAuthClient {
  readonly id: string
  readonly secret: string
}

/** Largest offset of a token's times, in seconds: ten years. */
const mostSeconds = 315_360_000

/**
 * The form that a client posts to the token endpoint (RFC 6749, 4.4.2).
 *
 * @throws OAuthError `invalid_request` for anything but a form that names each parameter once
 * @throws Refusal 413 or 408 if it is too long or too slow
 */
export async function readForm(request: Request): Promise<ReadonlyMap<string, string>> {
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers.get('content-type') ?? ''))
    throw new OAuthError(
      'invalid_request',
      'Send the parameters as a form: Content-Type: application/x-www-form-urlencoded.',
    )
  const found = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(await readShortBody(request))) {
    if (found.has(name)) throw new OAuthError('invalid_request', `The parameter ${name} comes twice.`)
    if (value !== '') found.set(name, value)
  }
  return found
}

/**
 * The client of a request, identified by HTTP Basic or by `client_id` and `client_secret` in the form (RFC 6749, 2.3.1).
 *
 * @param expected undefined: any client
 * @returns its id
 * @throws OAuthError `invalid_client`
 */
export function authenticateClient(
  headers: Headers,
  form: ReadonlyMap<string, string>,
  expected: OAuthClient | undefined,
): string {
  const [id, secret] = [form.get('client_id'), form.get('client_secret')]
  const sent = basicCredentials(headers.get('authorization'))
  if (sent.length === 0 && id !== undefined && secret !== undefined) sent.push({ id, secret })
  if (sent.length === 0)
    throw new OAuthError('invalid_client', 'Send client_id and client_secret, in the form or as HTTP Basic.')
  const known = sent.find(
    (one) => !expected || isOneOf(`${one.id} ${one.secret}`, [`${expected.id} ${expected.secret}`]),
  )
  if (!known) throw new OAuthError('invalid_client', 'The client is unknown, or its secret is wrong.')
  return known.id
}

/** The readings of HTTP Basic: id and secret are encoded as in a form before they are joined, but many clients send them as they are. */
function basicCredentials(header: string | null): OAuthClient[] {
  const encoded = /^basic +([A-Za-z0-9+/=]+)$/i.exec(header ?? '')?.[1]
  return [decode, (text: string) => text].flatMap((read) => {
    try {
      const [, id, secret] = /^([^:]*):(.*)$/s.exec(atob(encoded ?? '')) ?? []
      return id === undefined || secret === undefined ? [] : { id: read(id), secret: read(secret) }
    } catch {
      return []
    }
  })
}

const decode = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** A whole number of seconds. @throws OAuthError `invalid_request` */
export function secondsOf(form: ReadonlyMap<string, string>, name: string): number | undefined {
  const text = form.get(name)
  if (text === undefined) return undefined
  if (!/^-?\d{1,9}$/.test(text) || Math.abs(Number(text)) > mostSeconds)
    throw new OAuthError('invalid_request', `${name} has to be a whole number of seconds, at most ten years.`)
  return Number(text)
}

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
