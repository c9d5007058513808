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
