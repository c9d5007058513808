import type { Fields } from '../syntax/tree.ts'

/** Why a SELECT that only reads is refused all the same, as a sentence; undefined if it is not. */
export type SyntaxRule = (select: Fields) => string | undefined

/** How a request is rejected: with an HTTP status, as a statement that failed, or by resetting the connection. */
export type Rejection = number | 'failed-statement' | 'reset'

/** A body in place of the envelope. Its content type is `application/json` by default. */
export interface Body {
  readonly text: string
  readonly type?: string
}

/** How a request without a valid token is answered. */
export interface TokenAnswer {
  readonly status: number
  /** Whether the answer carries `WWW-Authenticate`. */
  readonly challenges?: true
  readonly location?: string
  /** The body is the envelope, whatever the setting `auth.body` says. */
  readonly isEnvelope?: true
}
