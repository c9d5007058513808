import { contract } from '../schemas/contract.ts'

/** The most characters of a statement in an error. */
const KEPT = 200

/** The failed statement and its answer. */
export interface Failed {
  readonly statement: string
  /** HTTP status; absent without an answer. */
  readonly status?: number | undefined
  /** The message of the service, with `[redacted]` for the token and for secret headers. */
  readonly serviceMessage?: string | undefined
}

/**
 * A statement failed. Each subclass is one kind of failure and has its own `name`.
 * @example if (error instanceof StatementError) console.error(error.name, error.statement)
 */
export class StatementError extends Error {
  override readonly name: string = 'StatementError'
  /** The statement, truncated to 200 characters. */
  readonly statement: string
  /** HTTP status; undefined without an answer. The contract defines no status for SQL errors, so do not rely on it. */
  readonly status: number | undefined
  /** `status.message` of the envelope; undefined without an envelope. */
  readonly serviceMessage: string | undefined
  /** Whether a retry may succeed. Never true for a 504. */
  readonly retryable: boolean = false

  constructor(message: string, { statement, status, serviceMessage }: Failed, options?: ErrorOptions) {
    super(message, options)
    this.statement = statement.length > KEPT ? `${statement.slice(0, KEPT)}…` : statement
    this.status = status
    this.serviceMessage = serviceMessage
  }
}

/**
 * The statement has a syntax error (documented as "JSON decode error").
 * @example if (error instanceof StatementSyntaxError) console.error(error.serviceMessage)
 */
export class StatementSyntaxError extends StatementError {
  override readonly name = 'StatementSyntaxError'

  constructor(failed: Failed) {
    super(`The statement has a syntax error: ${failed.serviceMessage}. Correct it.`, failed)
  }
}

/**
 * The statement names an unknown view.
 * @example if (error instanceof UnknownView) console.error(error.viewName)
 */
export class UnknownView extends StatementError {
  override readonly name = 'UnknownView'
  readonly viewName: string

  constructor(viewName: string, failed: Failed) {
    super(`There is no view "${viewName}". The views are ${contract.views.join(', ')}.`, failed)
    this.viewName = viewName
  }
}

/**
 * The statement failed during execution.
 * @example if (error instanceof ExecutionFailed) console.error(error.message)
 */
export class ExecutionFailed extends StatementError {
  override readonly name = 'ExecutionFailed'

  constructor(failed: Failed) {
    super(
      `The service could not execute the statement: ${failed.serviceMessage}. Check its columns, types and functions.`,
      failed,
    )
  }
}

/**
 * The statement exceeded the time limit of 30 seconds (HTTP 504). Change it; do not retry it.
 * @example if (error instanceof TimeLimitExceeded) rows = await client.views.v_timeseries.select({ limit: 1000 })
 */
export class TimeLimitExceeded extends StatementError {
  override readonly name = 'TimeLimitExceeded'

  constructor(failed: Failed) {
    super(
      'The statement exceeded the time limit of the service (HTTP 504). Let it read less (fewer columns, a LIMIT, ' +
        'a later last_updated_at) or split it. A retry would fail in the same way.',
      failed,
    )
  }
}

/**
 * The token is missing, invalid or expired, or lacks a permission. The contract leaves the response open.
 * @example if (error instanceof AccessRefused) await login()
 */
export class AccessRefused extends StatementError {
  override readonly name = 'AccessRefused'
}

/**
 * The service is temporarily unavailable (HTTP 503) or limits requests (HTTP 429).
 * @example if (error instanceof ServiceBusy) await sleep(error.retryAfterMs ?? 1000)
 */
export class ServiceBusy extends StatementError {
  override readonly name = 'ServiceBusy'
  override readonly retryable = true
  /** The Retry-After of the service in milliseconds; undefined without one. */
  readonly retryAfterMs: number | undefined

  constructor(retryAfterMs: number | undefined, failed: Failed) {
    const when = retryAfterMs === undefined ? 'later' : `in ${Math.ceil(retryAfterMs / 1000)} s`
    super(`The service accepts no statements now (HTTP ${failed.status}). Retry ${when}.`, failed)
    this.retryAfterMs = retryAfterMs
  }
}

/**
 * The service announced that the result is truncated.
 * @example if (error instanceof TruncatedResult) console.error(`only ${error.rows.length} rows arrived`)
 */
export class TruncatedResult extends StatementError {
  override readonly name = 'TruncatedResult'
  /** The rows received. */
  readonly rows: readonly unknown[]

  constructor(rows: readonly unknown[], failed: Failed) {
    super(
      `The service truncated the result after ${rows.length} rows. Read less: with a LIMIT or a later last_updated_at.`,
      failed,
    )
    this.rows = rows
  }
}

/**
 * The answer is larger than the option `maxBytes` allows; the rest of it was not read.
 * @example if (error instanceof AnswerTooLarge) rows = await client.views.v_timeseries.select({ columns: ['id'] })
 */
export class AnswerTooLarge extends StatementError {
  override readonly name = 'AnswerTooLarge'

  constructor(maxBytes: number, failed: Failed) {
    super(
      `The answer is larger than ${maxBytes} bytes. Read less (fewer columns, a LIMIT, a later last_updated_at), or raise the option maxBytes.`,
      failed,
    )
  }
}

/**
 * The answer does not follow the contract or lacks the requested rows.
 * @example if (error instanceof UnexpectedAnswer) console.error(error.status, error.message)
 */
export class UnexpectedAnswer extends StatementError {
  override readonly name = 'UnexpectedAnswer'
}

/**
 * No answer arrived, or it was truncated. `cause` is the error of `fetch`.
 * @example if (error instanceof ConnectionFailed) console.error(error.cause, error.retryable)
 */
export class ConnectionFailed extends StatementError {
  override readonly name = 'ConnectionFailed'
  /** True without any answer: then a retry is safe. */
  override readonly retryable: boolean

  constructor(message: string, retryable: boolean, failed: Failed, options: ErrorOptions) {
    super(message, failed, options)
    this.retryable = retryable
  }
}

/**
 * The client was used incorrectly (options or arguments); nothing was sent. The message names the remedy.
 * @example if (error instanceof ClientUsageError) console.error(error.message)
 */
export class ClientUsageError extends Error {
  override readonly name = 'ClientUsageError'
}

/** @deprecated Renamed to {@link ClientUsageError}. */
export const ClientError = ClientUsageError
/** @deprecated Renamed to {@link ClientUsageError}. */
export type ClientError = ClientUsageError
