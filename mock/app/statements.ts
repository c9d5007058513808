import { contract } from '../../schemas/contract.ts'
import { permission } from '../open-points/auth/permission.ts'
import { answerHeaders } from '../open-points/http/headers.ts'
import { noSlashAnswer } from '../open-points/http/no-slash.ts'
import { successStatus } from '../open-points/http/success.ts'
import { rateMode } from '../open-points/rate/mode.ts'
import { timeoutMode } from '../open-points/timeout/mode.ts'
import { EngineBusy, type StatementEngine } from '../statement.ts'
import type { Answer } from './answer/answer.ts'
import type { Authenticate } from './auth/authenticator.ts'
import { tokenIn } from './auth/static-tokens.ts'
import { expiredToken } from './answer/token-refused.ts'
import type { Call } from './request/call.ts'
import { checkContentType, decodeStatement } from './request/decode.ts'
import { answerRows, type Delivered } from './answer/encode.ts'
import { Expiry } from './faults/expiry.ts'
import type { RequestFaults } from './faults/request-faults.ts'
import { checkDeclaredLength, checkStatementLength, readBody, readRefused } from './request/limits.ts'
import { answerError } from './answer/outcome.ts'
import { limitRate } from './faults/limiter.ts'
import { Refusal } from './answer/refusal.ts'
import { inNextVersion, withHeader } from './request/request-settings.ts'
import { defaultSettings, differing, engineSettings, type Settings } from '../open-points/settings.ts'
import type { MockSession } from './sessions/mock-session.ts'
import type { Sessions } from './sessions/sessions.ts'
import type { StatementLog } from './log/statement-log.ts'
import { entryOf, type Outcome, type StatementRequest } from './statement-request.ts'

/** The path of a request: that of the endpoint, the same without its slash, that of the next version, or another one. */
export type Where = 'endpoint' | 'without-slash' | 'next-version' | 'elsewhere'

/** What is said at every path that has nothing. */
export const nothingHere = (endpoint: string): string =>
  `There is nothing here. Statements are sent to ${endpoint} with POST.`

export interface StatementsOptions {
  /** The path of the endpoint. */
  readonly path: string
  /** The engine, or undefined while it starts. */
  readonly engine: () => StatementEngine | undefined
  readonly sessions: Sessions
  readonly authenticate: Authenticate
  readonly bodyTimeLimitMs: number
  readonly log: (entry: StatementLog, session: MockSession, isOfPage: boolean) => void
}

/**
 * The header of the page's own statements, such as its list of runs: variants, faults and stubs are for the statements of
 * others, and so is the list of requests.
 */
export const pageHeader = 'x-mock-page'

/**
 * The statement endpoint: resolve, limits, auth, decode, engine, encode.
 *
 * @returns a handler that rejects only when the request's own signal aborted
 */
export function createStatements(options: StatementsOptions) {
  const { path, engine, sessions, authenticate, bodyTimeLimitMs, log } = options
  return async function answerStatement(
    call: Call,
    where: Where,
    session: MockSession,
    faults?: RequestFaults,
  ): Promise<Answer> {
    const arrivedAt = performance.now()
    const own = session.settings
    const isOfPage = call.headers.has(pageHeader)
    const settings = isOfPage ? defaultSettings : own.current
    const request: StatementRequest = { call, arrivedAt, faults, session, settings }
    const report = (outcome: Outcome) => log(entryOf(request, outcome), request.session, isOfPage)
    try {
      const isArmed = !isOfPage && call.method === 'POST' && own.upcoming.length > 0
      request.settings = resolve(call, where, () => (isArmed ? own.peek(tokenIn(call.headers)) : settings))
      if (faults) await faults.arrive(call.signal)
      if (where === 'elsewhere') throw new Refusal(404, nothingHere(path))
      checkPath(where, request.settings)
      checkMethod(call.method)
      checkDeclaredLength(call.headers)
      const passed = authenticate(call.headers, request.settings)
      const token = typeof passed === 'string' ? passed : await passed
      request.token = token
      request.session = sessions.keep(session)
      if (faults) await faults.admit(call.signal)
      // only a valid token uses up variants for the next statement
      if (isArmed) request.settings = resolve(call, where, () => request.session.settings.take(token))
      if (!isOfPage) limitToken(request, token)
      checkContentType(call.headers, request.settings)
      request.body = await readBody(call, bodyTimeLimitMs)
      const statement = decodeStatement(request.body, request.settings)
      request.statement = statement
      checkStatementLength(statement, request.settings)
      if (faults) await faults.decode(statement, call.signal)
      const hasForm = () => differing(request.settings) === undefined
      const { stubs } = request.session
      const stubbed = isOfPage ? undefined : await stubs.answer(statement, call.signal, hasForm)
      const answer = stubbed ?? (await execute(engine(), statement, request, report))
      const sent = finish(request, answer)
      if (answer.body instanceof Uint8Array)
        report({ status: answer.status, state: 'success', bytes: answer.body.length })
      return sent
    } catch (cause) {
      if (call.signal.aborted) {
        report({ status: 499, state: 'broken', cause: 'The client went away.' })
        throw call.signal.reason
      }
      request.body ??= await readRefused(call)
      const answer = answerError(cause, request.settings, request.statement)
      const sent = finish(request, answer)
      report({ status: answer.status, state: answer.break ? 'broken' : 'error', cause })
      return sent
    }
  }
}

/** The settings of a request. */
function resolve({ headers }: Call, where: Where, base: () => Settings): Settings {
  const asked = withHeader(headers, base)
  return where === 'next-version' ? inNextVersion(asked) : asked
}

/** Counts a request of a valid token. @throws Refusal if the token has expired or sends too many requests */
function limitToken(request: StatementRequest, token: string): void {
  const { session, settings, arrivedAt, faults } = request
  faults?.identify(token)
  const { statementsPerToken } = permission(settings)
  if (statementsPerToken !== undefined) {
    session.expiry ??= new Expiry({ after: statementsPerToken })
    if (session.expiry.isExpired(token, arrivedAt)) throw expiredToken()
  }
  const rate = rateMode(settings)
  if (rate) request.rateHeaders = limitRate(session.rates, arrivedAt, token, rate)
}

/** Runs the statement of a request. @param engine undefined while it starts */
async function execute(
  engine: StatementEngine | undefined,
  statement: string,
  { call, session, settings, token }: StatementRequest,
  report: (outcome: Outcome) => void,
): Promise<Answer> {
  if (!engine) throw new EngineBusy('The server is still starting. Send the statement again in a moment.')
  await session.rows.catchUp()
  const { overlay, clock } = session.rows
  const now = clock.forDatabase
  const forEngine = engineSettings(settings)
  const result = await engine.execute(statement, {
    signal: call.signal,
    owner: token!,
    ...(forEngine && { settings: forEngine }),
    ...(overlay && { overlay }),
    ...(now !== undefined && { now }),
    ...timeoutMode(settings).limit,
  })
  const delivered: Delivered = (bytes, cause) =>
    report({
      status: successStatus(settings),
      state: cause === undefined ? 'success' : 'broken',
      bytes,
      cause,
    })
  return answerRows(result, settings, delivered, call.url)
}

/** Adds the headers that settings ask for, then the changes of faults. The log has the answer that is sent. */
function finish(request: StatementRequest, answer: Answer): Answer {
  const { faults, settings, rateHeaders } = request
  const rated = rateHeaders ? { ...answer, headers: { ...rateHeaders, ...answer.headers } } : answer
  const complete = withAnswerHeaders(rated, settings)
  return (request.answer = faults ? faults.alter(complete) : complete)
}

/** Relative, so that it is right below any base path and behind any proxy. */
const withSlashFromHere = `${contract.endpoint.path.split('/').at(-2)}/`

function checkPath(where: Where, settings: Settings): void {
  const answer = where === 'without-slash' ? noSlashAnswer(settings) : undefined
  if (!answer) return
  throw new Refusal(
    answer.status,
    'There is nothing here. The path of the endpoint ends in a slash.',
    answer.redirects ? { location: withSlashFromHere } : {},
  )
}

function checkMethod(method: string): void {
  if (method !== 'POST') throw new Refusal(405, 'Statements are sent with POST.', { allow: 'POST' })
}

/** The answer with the headers for compression, CORS and caching of `http.headers`, and no other of them. */
function withAnswerHeaders(answer: Answer, settings: Settings): Answer {
  const chosen = answerHeaders(settings)
  if (!chosen || answer.break === 'reset') return answer
  const { 'cache-control': _, ...headers } = answer.headers
  return { ...answer, headers: { ...headers, ...chosen.headers(answer.body) }, gzip: chosen.gzip }
}
