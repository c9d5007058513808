import {
  AccessRefused,
  AnswerTooLarge,
  ConnectionFailed,
  ExecutionFailed,
  type StatementError,
  StatementSyntaxError,
  TimeLimitExceeded,
  TruncatedResult,
  UnknownView,
} from '../../index.ts'

/** Errors whose messages quote nothing that the service sent. */
const OWN_WORDS = [AnswerTooLarge, ConnectionFailed, TimeLimitExceeded, TruncatedResult]

/**
 * Why a statement got no rows, for the folder of a recording. It has no words of the service, which may repeat its ids and
 * names.
 */
export function reasonOf(error: StatementError): string {
  if (OWN_WORDS.some((kind) => error instanceof kind)) return error.message
  const { status } = error
  if (error instanceof AccessRefused) return `The service denies access with this token (HTTP ${status}).`
  if (error instanceof UnknownView) return 'The service reports that the view does not exist.'
  if (error instanceof StatementSyntaxError) return 'The service reports a syntax error in the statement.'
  if (error instanceof ExecutionFailed) return 'The service could not execute the statement.'
  return `The answer (HTTP ${status}) is not a {data, status} envelope with the rows of the statement.`
}
