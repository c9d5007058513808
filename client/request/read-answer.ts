import { contract } from '../../schemas/contract.ts'
import type { StatementEnvelope } from '../../schemas/generated/types.ts'
import {
  AccessRefused,
  ExecutionFailed,
  type Failed,
  ServiceBusy,
  StatementSyntaxError,
  TimeLimitExceeded,
  UnexpectedAnswer,
  UnknownView,
} from '../errors.ts'
import { refusesAccess, reportsSyntax, unknownViewIn } from './messages.ts'
import { retryAfterMs } from '../../base/time/retry-after.ts'

/** A complete answer. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** Removes the secrets of the request. */
  readonly redact: (text: string) => string
}

/** Characters of an unexpected body to quote. */
const QUOTED = 80

/** Statuses about the request rather than its SQL, regardless of the envelope. */
const aboutRequest = new Set([404, 405, 406, 408, 411, 413, 414, 415, 431])

/**
 * The envelope of a successful statement. Statuses with a meaning (such as 504) take precedence; otherwise the body decides,
 * because the contract leaves the statuses of SQL errors open.
 *
 * @param parse parses JSON
 * @throws StatementError a subclass for each kind of failure
 */
export function readAnswer(
  answer: Answer,
  statement: string,
  parse: (text: string) => unknown,
): StatementEnvelope {
  const envelope = readEnvelope(answer.text, parse)
  const message = envelope?.status.message
  const { status, redact } = answer
  const failed: Failed = { statement, status, serviceMessage: message && redact(message) }
  throwByStatus(answer, failed)
  if (envelope === undefined) throw new UnexpectedAnswer(describe(answer), failed)
  if (envelope.status.state === 'success') return envelope
  throw sqlError(message ?? '', failed)
}

/** Throws the failures that the HTTP status identifies. A 403 with Retry-After is a rate limit. */
function throwByStatus({ status, headers, redact }: Answer, failed: Failed): void {
  const said = failed.serviceMessage === undefined ? '' : ` It says: ${failed.serviceMessage}`
  if (status === contract.limits.timeoutStatus) throw new TimeLimitExceeded(failed)
  if (status === 429 || status === 503 || (status === 403 && headers.has('retry-after')))
    throw new ServiceBusy(retryAfterMs(headers), failed)
  if (status === 401 || status === 403 || status === 419)
    throw new AccessRefused(
      `The service rejects the access token (HTTP ${status}). Give a valid one with access to this view.${said}`,
      failed,
    )
  if (status === 302 || status === 303)
    throw new AccessRefused(
      `The service redirects to a login page (HTTP ${status}). Give a valid access token.`,
      failed,
    )
  if (status === 0 || (status >= 300 && status < 400))
    throw new UnexpectedAnswer(
      `The service redirects (${redact(headers.get('location') ?? 'the browser hides the address')}). The client does not follow ` +
        'redirects with a token. Give the base URL of the target, or, if the target is a login page, a valid token.',
      failed,
    )
}

/** The error for an envelope with the state `error`. */
function sqlError(message: string, failed: Failed): Error {
  const viewName = unknownViewIn(message, failed.statement)
  if (viewName !== undefined) return new UnknownView(viewName, failed)
  if (reportsSyntax(message)) return new StatementSyntaxError(failed)
  if (refusesAccess(message))
    return new AccessRefused(
      `The service denies access: ${failed.serviceMessage}. Give a valid access token with access to this view.`,
      failed,
    )
  if (!aboutRequest.has(failed.status!)) return new ExecutionFailed(failed)
  const remedy =
    failed.status === 413 || failed.status === 414
      ? 'The statement or its result is too large. Shorten it, read less or split it.'
      : 'Check the base URL.'
  return new UnexpectedAnswer(
    `The service rejected the request (HTTP ${failed.status}): ${failed.serviceMessage} ${remedy}`,
    failed,
  )
}

/** The envelope in a body, with any further members; undefined for any other body. */
function readEnvelope(text: string, parse: (text: string) => unknown): StatementEnvelope | undefined {
  let body: unknown
  try {
    body = parse(text)
  } catch {
    return undefined
  }
  const { data, status } = (body ?? {}) as Partial<StatementEnvelope>
  const isEnvelope =
    Array.isArray(data) &&
    typeof status?.message === 'string' &&
    (status.state === 'success' || status.state === 'error')
  return isEnvelope ? (body as StatementEnvelope) : undefined
}

function describe({ status, headers, text, redact }: Answer): string {
  const type = redact(headers.get('content-type') ?? 'without a media type')
  const start = redact(text.trimStart()).slice(0, QUOTED)
  const begins = start === '' ? 'it is empty' : `it begins ${JSON.stringify(start)}`
  const isTruncated = /^\s*\{\s*"/.test(text) && !/\}\s*$/.test(text)
  const remedy = isTruncated ? 'It is truncated. Read less, or split the statement.' : 'Check the base URL.'
  return `The answer (HTTP ${status}, ${type}) is not a {data, status} envelope: ${begins}. ${remedy}`
}
