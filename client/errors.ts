import { contract } from '../schemas/contract.ts'

/** Characters of a statement that an error keeps. */
const KEPT = 200

/** What an error knows of the statement it is about. */
export interface Failed {
  readonly statement: string
  /** HTTP status; absent where no answer came. */
  readonly status?: number | undefined
  /** What the service said, as it said it. */
  readonly serviceMessage?: string | undefined
}

/** A statement did not come to rows. Every class below is one outcome; `name` tells them apart too. */
export class StatementError extends Error {
  override readonly name: string = 'StatementError'
  /** The statement, shortened to 200 characters. */
  readonly statement: string
  /** HTTP status; undefined where no answer came. The contract gives SQL-level errors none: it decides nothing. */
  readonly status: number | undefined
  /** `status.message` of the envelope, where there was one. */
  readonly serviceMessage: string | undefined
  /** Whether the same statement, sent again, may succeed. Never true of a 504. */
  readonly retryable: boolean = false

  constructor(message: string, { statement, status, serviceMessage }: Failed, options?: ErrorOptions) {
    super(message, options)
    this.statement = statement.length > KEPT ? `${statement.slice(0, KEPT)}…` : statement
    this.status = status
    this.serviceMessage = serviceMessage
  }
}

/** The statement is not SQL that the service reads (Errors, row 3: "JSON decode error"). */
export class StatementSyntaxError extends StatementError {
  override readonly name = 'StatementSyntaxError'

  constructor(failed: Failed) {
    super(`The statement has a syntax error: ${failed.serviceMessage}. Correct it.`, failed)
  }
}

/** The statement names a view that does not exist (Errors, row 1). */
export class UnknownView extends StatementError {
  override readonly name = 'UnknownView'
  readonly viewName: string

  constructor(viewName: string, failed: Failed) {
    super(`There is no view "${viewName}". The views are ${contract.views.join(', ')}.`, failed)
    this.viewName = viewName
  }
}

/** The statement failed while it was executed (Errors, row 2). */
export class ExecutionFailed extends StatementError {
  override readonly name = 'ExecutionFailed'

  constructor(failed: Failed) {
    super(
      `The service could not execute the statement: ${failed.serviceMessage}. Check its columns, types and functions.`,
      failed,
    )
  }
}

/** The statement ran longer than 30 seconds (Errors, HTTP 504; Limits). It has to change, not to come again. */
export class TimeLimitExceeded extends StatementError {
  override readonly name = 'TimeLimitExceeded'

  constructor(failed: Failed) {
    super(
      'The statement ran longer than the service allows (HTTP 504). Let it read less (fewer columns, a LIMIT, ' +
        'a later last_updated_at) or split it. Sent again as it is, it will end the same way.',
      failed,
    )
  }
}

/** The token is missing, not valid, expired, or may not do this (Authentication; how it looks is not documented). */
export class AccessRefused extends StatementError {
  override readonly name = 'AccessRefused'
}

/** The service takes no statements at the moment: HTTP 503, or too many requests (not documented). */
export class ServiceBusy extends StatementError {
  override readonly name = 'ServiceBusy'
  override readonly retryable = true
  /** How long the service asks to wait (Retry-After), in milliseconds; undefined where it does not say. */
  readonly retryAfterMs: number | undefined

  constructor(retryAfterMs: number | undefined, failed: Failed) {
    const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`
    super(`The service takes no more statements now (HTTP ${failed.status}). Send it again ${when}.`, failed)
    this.retryAfterMs = retryAfterMs
  }
}

/** The service announced that the rows are only a part of the result (paging is not documented). */
export class TruncatedResult extends StatementError {
  override readonly name = 'TruncatedResult'
  /** The rows that came. */
  readonly rows: readonly unknown[]

  constructor(rows: readonly unknown[], failed: Failed) {
    super(
      `The service cut the result after ${rows.length} rows. Read less: fewer rows with LIMIT, or a later last_updated_at.`,
      failed,
    )
    this.rows = rows
  }
}

/** What came is not an answer of the contract, or not the rows that were asked for. */
export class UnexpectedAnswer extends StatementError {
  override readonly name = 'UnexpectedAnswer'
}

/** No answer came, or it broke off. `cause` is what `fetch` threw. */
export class ConnectionFailed extends StatementError {
  override readonly name = 'ConnectionFailed'
  /** True where nothing was answered: then the statement may be sent again. */
  override readonly retryable: boolean

  constructor(message: string, retryable: boolean, failed: Failed, options: ErrorOptions) {
    super(message, failed, options)
    this.retryable = retryable
  }
}

/** The client was used in a way that can not work; nothing was sent. The message names the remedy. */
export class ClientError extends Error {
  override readonly name = 'ClientError'
}
