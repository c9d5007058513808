/**
 * A request that ends before its statement has an outcome: refused by a stage, answered with an HTTP status
 * and the envelope. The message is for the caller, so it never carries a token or the cause of a failure: that
 * is the error's `cause`, which the log tells.
 */
export class Refusal extends Error {
  override readonly name: string = 'Refusal'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    options?: ErrorOptions,
  ) {
    super(message, options)
    this.status = status
    this.headers = headers
  }
}
