/** Characters of a token that are too many for another valid one to have them by chance. */
const LONG_TOKEN = 8

/** A wrong token that a lenient comparison takes for the valid one. */
interface LooseToken {
  to: string
  token: string
  /** The shell command that makes it from the valid one. */
  filter: string
}

/**
 * The loose tokens made from a valid one. One in hexadecimal, such as a UUID, is the same without its hyphens; and a service may read
 * tokens in any letter case.
 */
export function looseTokens(token: string): LooseToken[] {
  const bare = token.replaceAll(/[^a-z0-9=]/gi, '')
  const isHexadecimal = /^[\da-f-]+$/i.test(token)
  if (bare === token || isHexadecimal || bare.length < LONG_TOKEN) return []
  return [{ to: 'the token without its punctuation', token: bare, filter: 'tr -cd a-zA-Z0-9=' }]
}
