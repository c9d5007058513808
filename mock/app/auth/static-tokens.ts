import type { RequestHeaders } from '../request/call.ts'
import { invalidToken, missingToken } from '../answer/token-refused.ts'

const credentials = /^bearer +(\S+)$/i
const utf8 = new TextEncoder()

/**
 * The bearer token of a request (Authentication, rule 1). The scheme's case does not matter (RFC 9110, 11.1).
 *
 * @throws TokenRefused if there is none
 */
export function bearerToken(headers: RequestHeaders): string {
  if (!headers.has('authorization')) throw missingToken()
  const token = tokenIn(headers)
  if (token === undefined) throw invalidToken()
  return token
}

/** The bearer token of a request; undefined when there is none. */
export const tokenIn = (headers: RequestHeaders): string | undefined =>
  credentials.exec(headers.get('authorization') ?? '')?.[1]

/**
 * The bearer token of a request, if it is one of these tokens.
 *
 * @throws TokenRefused if the token is missing or unknown
 */
export function authenticate(headers: RequestHeaders, tokens: readonly string[]): string {
  const token = bearerToken(headers)
  if (isOneOf(token, tokens)) return token
  throw invalidToken()
}

/** Compares every text to the last byte, so that the time taken reveals nothing about them. */
export function isOneOf(given: string, texts: readonly string[]): boolean {
  const bytes = utf8.encode(given)
  let found = false
  for (const text of texts) found = isEqual(bytes, utf8.encode(text)) || found
  return found
}

function isEqual(given: Uint8Array, expected: Uint8Array): boolean {
  let difference = given.length ^ expected.length
  for (let i = 0; i < given.length; i += 1)
    difference |= (given[i] ?? 0) ^ (expected[i % expected.length] ?? 0)
  return difference === 0
}
