import { looseTokens } from '../redaction/loose-tokens.ts'
import { WRONG_TOKEN, type Credential } from './credentials.ts'

/** A request in another shape than the documented one, without a valid token. */
export interface ShapedRequest extends Credential {
  /** Replaces the plain statement. */
  statement?: string
  /** Whether the body is sent in parts, without its length. */
  isChunked?: true
}

/** A body of more than the 2 KB that some gateways look at. */
const LONG_BODY = 3000

/** Headers by which a proxy tells where a request comes from. */
const FROM_PROXY = {
  'X-Forwarded-For': '127.0.0.1',
  'X-Real-IP': '127.0.0.1',
  'X-Client-IP': '127.0.0.1',
  Forwarded: 'for=127.0.0.1',
}

/** Requests without a valid token in every shape that a service may route, read or trust in another way; at most seven. */
export function shapedRequests(endpoint: string, token: string, statement: string): ShapedRequest[] {
  const shapes: Omit<ShapedRequest, 'authorization'>[] = [
    { to: `a body of ${LONG_BODY} bytes`, statement: statement.replace(' ', ' '.repeat(LONG_BODY)) },
    { to: 'a body in chunks', isChunked: true, headers: { 'Transfer-Encoding': 'chunked' } },
    { to: 'Content-Type: text/plain', headers: { 'Content-Type': 'text/plain' } },
    { to: 'headers of a trusted proxy', headers: FROM_PROXY },
    { to: 'two slashes in the address', url: endpoint.replace(/^\w+:\/\/[^/]+/, '$&/') },
    { to: '";v=1" in the address', url: endpoint.replace(/\/?$/, ';v=1$&') },
  ]
  return [
    ...shapes.map((shape) => ({
      ...shape,
      to: `a wrong token and ${shape.to}`,
      authorization: `Bearer ${WRONG_TOKEN}`,
    })),
    ...looseTokens(token).map((loose) => ({ to: loose.to, authorization: `Bearer ${loose.token}` })),
  ]
}

/** Sends bodies in chunks. `fetch` refuses the header that says so. */
export const inChunks = (fetch: typeof globalThis.fetch): typeof globalThis.fetch =>
  ((url: string, { headers, body, ...init }: RequestInit) => {
    const { 'Transfer-Encoding': _, ...rest } = headers as Record<string, string>
    // With credentials of its own, `fetch` may want to send the body again after a 401, and cannot.
    const options = { duplex: 'half', credentials: 'omit' } as const
    return fetch(url, { ...init, ...options, headers: rest, body: new Blob([String(body)]).stream() })
  }) as typeof globalThis.fetch
