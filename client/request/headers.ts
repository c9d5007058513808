import { ClientUsageError } from '../errors.ts'

/** Headers of the connection, with which a fetch fails or never ends. */
const ofConnection = /^(?:content-length|expect|keep-alive|transfer-encoding|upgrade)$/i

/**
 * Headers with names in lower case, so that a header of the client replaces one of the caller.
 *
 * @throws ClientUsageError for a header that cannot be sent; the message does not repeat its value, which may be a secret
 */
export function sendableHeaders(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  for (const [name, value] of Object.entries(given))
    if (!isHeader(name, value) || ofConnection.test(name))
      throw new ClientUsageError(
        `The header ${JSON.stringify(name)} cannot be sent. Give a name of letters and hyphens and a text of one line in Latin-1; leave headers such as content-length to the connection.`,
      )
  return Object.fromEntries(new Headers(given))
}

function isHeader(name: string, value: unknown): boolean {
  try {
    new Headers().set(name, value as string)
    return typeof value === 'string'
  } catch {
    return false
  }
}
