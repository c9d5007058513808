import { contract } from '../../schemas/contract.ts'
import { permission } from '../open-points/auth/permission.ts'
import { answerHeaders } from '../open-points/http/headers.ts'
import { noSlashAnswer } from '../open-points/http/no-slash.ts'
import { successStatus } from '../open-points/http/success.ts'
import { rateMode } from '../open-points/rate/mode.ts'
import { schemaAdditions } from '../open-points/schema/extra.ts'
import { timeoutMode } from '../open-points/timeout/mode.ts'
import { EngineBusy, type StatementEngine } from '../statement.ts'
import type { Answer } from './answer.ts'
import type { Authenticate } from './auth/authenticator.ts'
import { tokenIn } from './auth/static-tokens.ts'
import { expiredToken } from './auth/token-refused.ts'
import type { Call, RequestHeaders } from './call.ts'
import { causeText, setCause } from './cause.ts'
import { checkContentType, decodeStatement } from './decode.ts'
import { answerRows, type Delivered } from './encode.ts'
import { Expiry } from './faults/expiry.ts'
import type { RequestFaults } from './faults/request-faults.ts'
import { checkDeclaredLength, checkStatementLength, readBody } from './limits.ts'
import { answerError } from './outcome.ts'
import { limitRate } from './rate-limit.ts'
import { Refusal } from './refusal.ts'
import {
  createSettings,
  differing,
  engineSettings,
  parseVariants,
  type Settings,
  UnknownVariant,
} from './settings.ts'
import type { MockSession } from './sessions/mock-session.ts'
import type { Sessions } from './sessions/sessions.ts'
import { checkIn, redact, type StatementLog, wholeText } from './statement-log.ts'

/** The path of a request: that of the endpoint, the same without its slash, or that of the next version. */
export type Where = 'endpoint' | 'without-slash' | 'next-version'

export interface StatementsOptions {
  /** The engine, or undefined while it starts. */
  readonly engine: () => StatementEngine | undefined
  readonly sessions: Sessions
  readonly authenticate: Authenticate
  readonly bodyTimeLimitMs: number
  readonly log: (entry: StatementLog, session: MockSession) => void
}

/**
 * The statement endpoint: resolve, limits, auth, decode, engine (the gate is part of it), encode.
 *
 * @returns a handler that rejects only when the request's own signal aborted
 */
export function createStatements(options: StatementsOptions) {
  const { sessions, authenticate, bodyTimeLimitMs, log } = options

  return async function answerStatement(
    request: Call,
    where: Where,
    asked: MockSession,
    faults?: RequestFaults,
  ): Promise<Answer> {
    const started = performance.now()
    let session = asked
    let settings = session.settings.current
    let rateHeaders: Readonly<Record<string, string>> | undefined
    let token: string | undefined
    let statement: string | undefined

    const report = (
      status: number,
      state: StatementLog['state'],
      rest: { bytes?: number; cause?: unknown },
    ) => {
      const failure = rest.cause ?? faults?.brokenBy
      // a refusal may come before the token is known to be valid
      const sent = token ?? tokenIn(request.headers)
      const cause = failure === undefined ? undefined : redact(causeText(failure), sent)
      if (cause !== undefined) setCause(request, cause)
      const line = statement === undefined ? undefined : redact(statement, token)
      const text = line === undefined ? undefined : wholeText(statement!, token, line)
      const variants = differing(settings)
      const check = checkIn(request.headers.get('x-conformance-check'))
      const entry = {
        status,
        state: faults?.brokenBy ? 'broken' : state,
        durationMs: performance.now() - started,
        ...(rest.bytes !== undefined && { bytes: rest.bytes }),
        ...(line !== undefined && { statement: line }),
        ...(text !== undefined && { text }),
        ...(variants !== undefined && { variants }),
        ...(check !== undefined && { check }),
        ...(cause !== undefined && { cause }),
      }
      log(entry, session)
    }

    /** Adds the headers that settings ask for, then the changes of faults. */
    const finish = (answer: Answer): Answer => {
      const rated = rateHeaders ? { ...answer, headers: { ...rateHeaders, ...answer.headers } } : answer
      const complete = withAnswerHeaders(rated, settings)
      return faults ? faults.alter(complete) : complete
    }

    try {
      const isArmed = request.method === 'POST' && session.settings.upcoming.length > 0
      const resolve = (base: () => Settings) => {
        const asked = withHeader(request.headers, base)
        return where === 'next-version' ? inNextVersion(asked) : asked
      }
      settings = resolve(() =>
        isArmed ? session.settings.peek(tokenIn(request.headers)) : session.settings.current,
      )
      if (faults) await faults.arrive(request.signal)
      checkPath(where, settings)
      checkMethod(request.method)
      checkDeclaredLength(request.headers)
      const passed = authenticate(request.headers, settings)
      token = typeof passed === 'string' ? passed : await passed
      session = sessions.keep(session)
      if (faults) await faults.admit(request.signal)
      // only a valid token uses up variants for the next statement
      if (isArmed) settings = resolve(() => session.settings.take(token!))
      if (faults) faults.identify(token)
      const { statementsPerToken } = permission(settings)
      if (statementsPerToken !== undefined) {
        session.expiry ??= new Expiry({ after: statementsPerToken })
        if (session.expiry.isExpired(token, started)) throw expiredToken()
      }
      const rate = rateMode(settings)
      if (rate) rateHeaders = limitRate(session.rates, started, token, rate)
      checkContentType(request.headers, settings)
      statement = decodeStatement(await readBody(request, bodyTimeLimitMs), settings)
      checkStatementLength(statement, settings)
      if (faults) await faults.decode(statement, request.signal)
      const stubbed = await session.stubs.answer(statement, request.signal)
      if (stubbed) {
        report(stubbed.status, 'success', { bytes: (stubbed.body as Uint8Array).length })
        return finish(stubbed)
      }
      const engine = options.engine()
      if (!engine) throw new EngineBusy('The server is still starting. Send the statement again in a moment.')
      await session.rows.catchUp()
      const { overlay } = session.rows
      const forEngine = engineSettings(settings)
      const result = await engine.execute(statement, {
        signal: request.signal,
        owner: token,
        ...(forEngine && { settings: forEngine }),
        ...(overlay && { overlay }),
        ...timeoutMode(settings).limit,
      })
      const delivered: Delivered = (bytes, cause) =>
        report(successStatus(settings), cause === undefined ? 'success' : 'broken', { bytes, cause })
      return finish(await answerRows(result, settings, delivered, request.url))
    } catch (cause) {
      if (request.signal.aborted) {
        report(499, 'broken', { cause: 'The client went away.' })
        throw request.signal.reason
      }
      const answer = answerError(cause, settings, statement)
      report(answer.status, answer.break ? 'broken' : 'error', { cause })
      return finish(answer)
    }
  }
}

/** Relative, so that it is right below any base path and behind any proxy. */
const withSlashFromHere = `${contract.endpoint.path.split('/').at(-2)}/`

/**
 * The variants of the header `X-Mock-Variant` on top of `base`.
 *
 * @throws Refusal 400 for an unknown variant, before `base` is called
 */
export function withHeader(headers: RequestHeaders, base: () => Settings): Settings {
  const header = headers.get('x-mock-variant')
  if (header === null) return base()
  try {
    const asked = parseVariants(header)
    createSettings(asked)
    return createSettings(asked, base())
  } catch (error) {
    throw error instanceof UnknownVariant ? new Refusal(400, error.message) : error
  }
}

/** The settings under the path of the next version, if the server has one. */
function inNextVersion(settings: Settings): Settings {
  const { inNextVersion: changed } = schemaAdditions(settings)
  if (changed) return createSettings(changed, settings)
  throw new Refusal(404, `There is nothing here. Statements are sent to ${contract.endpoint.path} with POST.`)
}

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
