import { Refusal } from './refusal.ts'

const credentials = /^bearer +(\S+)$/i
const utf8 = new TextEncoder()

/**
 * Lets a request pass that carries one of the tokens (Authentication, rule 1) and returns its token.
 * Without `tokens` any well-formed bearer token passes. The scheme's case does not matter (RFC 9110, 11.1).
 *
 * @throws Refusal 401 with `WWW-Authenticate: Bearer` (RFC 6750, 3) when the token is missing or unknown
 */
export function authenticate(headers: Headers, tokens: readonly string[] | undefined): string {
  const header = headers.get('authorization')
  if (header === null) {
    throw new Refusal(
      401,
      'The request carries no token. Send the header "Authorization: Bearer <ACCESS_TOKEN>".',
      {
        'www-authenticate': 'Bearer',
      },
    )
  }
  const token = credentials.exec(header)?.[1]
  if (token !== undefined && (tokens === undefined || isOneOf(token, tokens))) return token
  throw expiredToken()
}

/** A token that does not pass, or not any more: from outside they are alike. */
export const expiredToken = (options?: ErrorOptions): Refusal =>
  new Refusal(
    401,
    'The token is not valid. Send "Authorization: Bearer <ACCESS_TOKEN>" with a current token.',
    {
      'www-authenticate': 'Bearer error="invalid_token"',
    },
    options,
  )

/** Compares with every token to the last byte, so that the time taken tells nothing about any of them. */
function isOneOf(given: string, tokens: readonly string[]): boolean {
  const bytes = utf8.encode(given)
  let found = false
  for (const token of tokens) found = isEqual(bytes, utf8.encode(token)) || found
  return found
}

function isEqual(given: Uint8Array, expected: Uint8Array): boolean {
  let difference = given.length ^ expected.length
  for (let i = 0; i < given.length; i += 1)
    difference |= (given[i] ?? 0) ^ (expected[i % expected.length] ?? 0)
  return difference === 0
}
