/** A credential that is no valid bearer token in the Authorization header, as the parts of its request. */
export interface Credential {
  /** Completes "requests were served with …". */
  to: string
  authorization: string | null
  headers?: Record<string, string>
  url?: string
  /** Members of the body besides the statement. */
  members?: Record<string, string>
}

export const WRONG_TOKEN = 'conformance-suite-wrong-token'
const BASE64URL = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/**
 * The token with another character at an index. Tokens are opaque: it differs in more than letter case, and in a bit that
 * counts for a decoder of base64 even at the end of a token.
 */
export function changedAt(token: string, index: number): string {
  const value = BASE64URL.indexOf(token.charAt(index))
  return token.slice(0, index) + (BASE64URL[value ^ 32] ?? 'x') + token.slice(index + 1)
}

/** Tokens made from a valid one: changed in front, or right for whoever reads one of the two as a pattern. */
export function alteredTokens(token: string): [name: string, token: string][] {
  const half = token.slice(0, token.length >> 1)
  // Padding is no character of its own.
  const literal = token.replaceAll(/[^\w=]/g, 'x')
  return [
    ['a character before the token', `x${token}`],
    ['another first character of the token', changedAt(token, 0)],
    ...['%', '.*', '*'].map((all): [string, string] => [`the start of the token and "${all}"`, half + all]),
    ...(literal === token
      ? []
      : [['a letter for each special character of the token', literal] as [string, string]]),
  ]
}

const NAMES = ['token', 'access_token', 'api_key', 'authorization', 'session', 'sessionid', 'JSESSIONID']
/** Wrong tokens by the names that services use outside of headers. */
const members = Object.fromEntries(NAMES.map((name) => [name, WRONG_TOKEN]))

/** An address with wrong tokens in its query. */
export const withTokensInQuery = (endpoint: string): string =>
  `${endpoint}?${new URLSearchParams(members).toString()}`

export const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const claims = encoded({ sub: 'conformance-suite', exp: 4_102_444_800 })

/** Tokens that whoever trusts their form takes for valid: of no issuer, or not readable to a comparison. */
export const forgedTokens: readonly [name: string, token: string][] = [
  ['a JWT with alg none of no issuer', `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.`],
  ['a JWT with a wrong signature', `${encoded({ alg: 'HS256', typ: 'JWT' })}.${claims}.${WRONG_TOKEN}`],
  ['a token with a character beyond ASCII', `${WRONG_TOKEN}é`],
  ['a token of 3,000 characters', WRONG_TOKEN.padEnd(3000, 'x')],
]

/** Wrong tokens in headers, cookies and the body, and a request to the address without its final slash. */
export function otherPlaces(endpoint: string): Credential[] {
  const authorization = null
  const bearer = `Bearer ${WRONG_TOKEN}`
  const headers = {
    'X-Authorization': bearer,
    'Proxy-Authorization': bearer,
    'X-Access-Token': WRONG_TOKEN,
    'X-Auth-Token': WRONG_TOKEN,
    'X-Api-Key': WRONG_TOKEN,
    'X-Forwarded-User': 'conformance-suite',
    Cookie: NAMES.map((name) => `${name}=${WRONG_TOKEN}`).join('; '),
  }
  return [
    { to: 'wrong tokens in other headers and in cookies', authorization, headers },
    { to: 'wrong tokens in the body', authorization, members },
    {
      to: 'no token at the address without its final slash',
      authorization,
      url: endpoint.replace(/\/$/, ''),
    },
  ]
}
