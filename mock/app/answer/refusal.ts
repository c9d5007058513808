import type { Rejection } from '../../open-points/kinds.ts'
import { SqlError } from '../../statement.ts'
import type { Answer } from './answer.ts'
/**
 * A request that is refused before its statement has an outcome; the answer has an HTTP status and the envelope. The
 * message is for the caller, so it never holds a token or the cause of a failure: the log shows the error's `cause`.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** JSON in place of the envelope. */
  readonly body: unknown

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    { cause, body }: { readonly cause?: unknown; readonly body?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.headers = headers
    this.body = body
  }
}

/** Thrown to reset the connection instead of answering. */
export class ConnectionReset extends Error {
  override readonly name = 'ConnectionReset'
}

/** No answer: the connection is reset. Only the log shows the status. */
export const reset: Answer = { status: 0, headers: {}, body: null, break: 'reset' }

/** The error that rejects a request in one of the ways that a setting chooses. */
export function rejected(how: Rejection, message: string): Error {
  if (how === 'reset') return new ConnectionReset(message)
  return how === 'failed-statement' ? new SqlError('other', message, '54000') : new Refusal(how, message)
}
