import type { Exchange } from './exchange.ts'

/** Whether a status means that the token is invalid. Some services send 419 for an expired one (auth.expired). */
export const deniesToken = (status: number): boolean => status === 401 || status === 419

/** Records the refused requests with a valid token, and which of them were served later. */
export class Refusals {
  /** Replies 401, 419 and 403 to requests with a token that is or was valid. */
  readonly refused: Exchange[] = []
  /** The refusals whose request was served later with the same token. */
  readonly servedAgain: Exchange[] = []
  /** Whether any request with a token was served. */
  everServed = false

  note(exchange: Exchange): void {
    const { status } = exchange.response!
    if (deniesToken(status) || status === 403) this.refused.push(exchange)
    else if (status < 300) {
      this.everServed = true
      const same = this.refused.filter((refusal) => isSameRequest(refusal, exchange))
      this.servedAgain.push(...same.filter((refusal) => !this.servedAgain.includes(refusal)))
    }
  }
}

/**
 * Includes the token, since a success with a renewed token proves nothing about the old one; and the other headers, since a
 * service may refuse a wrong Content-Type with 401.
 */
const isSameRequest = ({ request: a }: Exchange, { request: b }: Exchange): boolean =>
  JSON.stringify(sentIn(a)) === JSON.stringify(sentIn(b))

const sentIn = ({ method, url, headers, body }: Exchange['request']) => [
  method,
  url,
  Object.entries(headers).toSorted(([one], [other]) => (one < other ? -1 : 1)),
  body,
]
