import type { Answer } from './answer/answer.ts'
import { tokenIn } from './auth/static-tokens.ts'
import { type Call, pathOf } from './request/call.ts'
import { failureOf, setCause } from './log/cause.ts'
import type { RequestFaults } from './faults/request-faults.ts'
import type { MockSession } from './sessions/mock-session.ts'
import { differing, type Settings } from '../open-points/settings.ts'
import { checkIn, redact, type StatementLog, wholeText } from './log/statement-log.ts'

/** A request of the statement endpoint, and what is known of it so far. */
export interface StatementRequest {
  readonly call: Call
  /** Milliseconds of a clock that never goes back. */
  readonly arrivedAt: number
  readonly faults: RequestFaults | undefined
  session: MockSession
  settings: Settings
  /** The valid token. */
  token?: string
  statement?: string
  body?: Uint8Array | undefined
  answer?: Answer
  /** Headers of its answer about the limit of the rate. */
  rateHeaders?: Readonly<Record<string, string>>
}

/** What the log says of the end of a request. */
export interface Outcome {
  readonly status: number
  readonly state: StatementLog['state']
  readonly bytes?: number
  readonly cause?: unknown
}

/** The entry of the log for a request and its outcome. A caller in the same process finds the cause of a failure too. */
export function entryOf(
  { call, arrivedAt, faults, settings, token, statement, body, answer }: StatementRequest,
  { status, state, bytes, cause: given }: Outcome,
): StatementLog {
  const failure = given ?? faults?.brokenBy
  // a refusal may come before the token is known to be valid
  const sent = token ?? tokenIn(call.headers)
  const failed = failure === undefined ? undefined : failureOf(failure, statement ?? '', sent)
  if (failed) setCause(call, failed.cause)
  const line = statement === undefined ? undefined : redact(statement, token)
  const text = line === undefined ? undefined : wholeText(statement!, token, line)
  const variants = differing(settings)
  const check = checkIn(call.headers.get('x-conformance-check'))
  const agent = call.headers.get('x-mock-client') ?? call.headers.get('user-agent')
  return {
    status,
    state: faults?.brokenBy ? 'broken' : state,
    durationMs: performance.now() - arrivedAt,
    ...(bytes !== undefined && { bytes }),
    ...(line !== undefined && { statement: line }),
    ...(text !== undefined && { text }),
    ...(variants !== undefined && { variants }),
    ...(check !== undefined && { check }),
    ...failed,
    ...(agent && { client: redact(agent, sent) }),
    request: redact(headOf(call), sent),
    ...(statement === undefined && body && { sent: wholeText(textOf(body), sent, '') }),
    ...(answer && answer.break !== 'reset' && { got: wholeText(httpOf(answer), sent, '') }),
  }
}

/** More than the log keeps, so that a token is not cut before it is found. Browsers decode no shared memory, so it is a copy. */
const textOf = (body: Uint8Array): string => new TextDecoder().decode(body.slice(0, 40_000))

/** Method, path, media type, and whether a token came, which it does not tell. */
function headOf({ method, url, headers }: Call): string {
  const token = headers.has('authorization') ? 'with a token' : 'without a token'
  return [method, pathOf(url), headers.get('content-type') ?? 'without a media type', token].join(' ')
}

function httpOf({ status, headers, body, break: failure }: Answer): string {
  const head = Object.entries(headers).map((pair) => pair.join(': '))
  const end = typeof failure === 'object' ? failure.afterBytes : undefined
  return [
    `HTTP ${status}`,
    ...head,
    '',
    body instanceof Uint8Array ? textOf(body.subarray(0, end)) : '',
  ].join('\n')
}
