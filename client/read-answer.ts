import { contract } from '../schemas/contract.ts'
import type { StatementEnvelope } from '../schemas/generated/types.ts'
import {
  AccessRefused,
  ExecutionFailed,
  type Failed,
  ServiceBusy,
  StatementSyntaxError,
  TimeLimitExceeded,
  UnexpectedAnswer,
  UnknownView,
} from './errors.ts'
import { refusesAccess, reportsSyntax, unknownViewIn } from './messages.ts'
import { retryAfterMs } from '../schemas/formats/retry-after.ts'

/** An answer whose body is there as a whole. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** Characters of a foreign body that a message quotes. */
const QUOTED = 80

/** Statuses that are about the request, not about its SQL, whatever the envelope says. */
const aboutRequest = new Set([404, 405, 406, 408, 411, 413, 414, 415, 431])

/**
 * The envelope of a statement that succeeded. What the contract says about HTTP (the 504) goes first; everything
 * else is decided by the body, because "HTTP status codes for the three SQL-level error rows: not shown".
 *
 * @param parse reads JSON, for instance `JSON.parse`
 * @throws StatementError the class of the outcome
 */
export function readAnswer(
  answer: Answer,
  statement: string,
  parse: (text: string) => unknown,
): StatementEnvelope {
  const envelope = readEnvelope(answer.text, parse)
  const message = envelope?.status.message
  const failed: Failed = { statement, status: answer.status, serviceMessage: message }
  throwByStatus(answer, failed)
  if (envelope === undefined) throw new UnexpectedAnswer(describe(answer), failed)
  if (envelope.status.state === 'success') return envelope
  throw sqlError(message ?? '', failed)
}

/** Outcomes that the HTTP status tells by itself. A 403 that says when to come again is a limit of requests. */
function throwByStatus({ status, headers }: Answer, failed: Failed): void {
  const said = failed.serviceMessage === undefined ? '' : ` It says: ${failed.serviceMessage}`
  if (status === contract.limits.timeoutStatus) throw new TimeLimitExceeded(failed)
  if (status === 429 || status === 503 || (status === 403 && headers.has('retry-after')))
    throw new ServiceBusy(retryAfterMs(headers), failed)
  if (status === 401 || status === 403 || status === 419)
    throw new AccessRefused(
      `The service refuses the access token (HTTP ${status}). Give a current one that may read this view.${said}`,
      failed,
    )
  if (status === 302 || status === 303)
    throw new AccessRefused(
      `The service leads to a page for signing in (HTTP ${status}). Give a current access token.`,
      failed,
    )
  if (status === 0 || (status >= 300 && status < 400))
    throw new UnexpectedAnswer(
      `The service redirects (${headers.get('location') ?? 'to where, a browser does not tell'}). The client never ` +
        'follows with a token: give the base URL it ends at, or, where that is a page for signing in, a current token.',
      failed,
    )
}

/** The error of an envelope with state error (Errors, the table of SQL-level outcomes). */
function sqlError(message: string, failed: Failed): Error {
  const viewName = unknownViewIn(message, failed.statement)
  if (viewName !== undefined) return new UnknownView(viewName, failed)
  if (reportsSyntax(message)) return new StatementSyntaxError(failed)
  if (refusesAccess(message))
    return new AccessRefused(
      `The service refuses access: ${message}. Give a current access token that may read this view.`,
      failed,
    )
  if (!aboutRequest.has(failed.status!)) return new ExecutionFailed(failed)
  const remedy =
    failed.status === 413 || failed.status === 414
      ? 'The statement or its result is too large: shorten it, read less or split it.'
      : 'Check the base URL.'
  return new UnexpectedAnswer(
    `The service refused the request (HTTP ${failed.status}): ${message} ${remedy}`,
    failed,
  )
}

/** The envelope in a body, with any further members; undefined where it holds none. */
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

function describe({ status, headers, text }: Answer): string {
  const type = headers.get('content-type') ?? 'without a media type'
  const start = text.trimStart().slice(0, QUOTED)
  const begins = start === '' ? 'it is empty' : `it begins ${JSON.stringify(start)}`
  const brokenOff = /^\s*\{\s*"/.test(text) && !/\}\s*$/.test(text)
  const remedy = brokenOff
    ? 'It broke off: read less, or split the statement.'
    : 'Is the base URL that of the service?'
  return `The answer (HTTP ${status}, ${type}) is not the {data, status} of the contract: ${begins}. ${remedy}`
}
