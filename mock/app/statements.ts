import { contract } from '../../schemas/contract.ts'
import { EngineBusy, type StatementEngine } from '../engine/engine.ts'
import type { Answer } from './answer.ts'
import { withHeaders } from './answers/headers.ts'
import { RateLimit } from './answers/rate-limit.ts'
import { limitOf } from './answers/timeout.ts'
import type { Authenticate } from './auth/authenticator.ts'
import { tokenIn } from './auth/static-tokens.ts'
import { statementsOfToken } from './auth/permission.ts'
import { expiredToken } from './auth/token-refused.ts'
import { createSettings, parseVariants, statusOf, UnknownVariant, type Settings } from './settings.ts'
import { causeText, setCause } from './cause.ts'
import { checkContentType, decodeStatement } from './decode.ts'
import { engineOptions } from './engine-options.ts'
import { answerRows, type Delivered } from './encode.ts'
import { Expiry } from './faults/expiry.ts'
import type { RequestFaults } from './faults/request-faults.ts'
import { checkDeclaredLength, checkStatementLength, readBody } from './limits.ts'
import { answerError } from './outcome.ts'
import { Refusal } from './refusal.ts'
import { redact, type StatementLog } from './statement-log.ts'
import type { ServerSettings } from './server-settings.ts'

/** Under which path a request came: that of the endpoint, without its slash, or of the version after it. */
export type Where = 'endpoint' | 'without-slash' | 'next-version'

export interface StatementsOptions {
  /** The engine, or undefined while it starts. */
  readonly engine: () => StatementEngine | undefined
  readonly serverSettings: ServerSettings
  readonly authenticate: Authenticate
  readonly bodyTimeLimitMs: number
  readonly log: (entry: StatementLog) => void
}

/**
 * The statement endpoint: resolve, limits, auth, decode, engine (the gate is part of it), encode.
 *
 * @returns a handler that rejects only when the request's own signal aborted
 */
export function createStatements(options: StatementsOptions) {
  const { serverSettings, authenticate, bodyTimeLimitMs, log } = options
  const expiry = new Expiry({ after: statementsOfToken })
  const rates = new RateLimit()

  return async function answerStatement(
    request: Request,
    where: Where,
    faults?: RequestFaults,
  ): Promise<Answer> {
    const started = performance.now()
    let settings = serverSettings.current
    let rateHeaders: Readonly<Record<string, string>> | undefined
    let token: string | undefined
    let statement: string | undefined

    const report = (
      status: number,
      state: StatementLog['state'],
      rest: { bytes?: number; cause?: unknown },
    ) => {
      const failure = rest.cause ?? faults?.brokenBy
      const cause = failure === undefined ? undefined : redact(causeText(failure), token)
      if (cause !== undefined) setCause(request, cause)
      log({
        status,
        state: faults?.brokenBy ? 'broken' : state,
        durationMs: performance.now() - started,
        ...(rest.bytes !== undefined && { bytes: rest.bytes }),
        ...(statement !== undefined && { statement: redact(statement, token) }),
        ...(cause !== undefined && { cause }),
      })
    }

    const dressed = (answer: Answer): Answer => {
      const whole = withHeaders(
        rateHeaders ? { ...answer, headers: { ...rateHeaders, ...answer.headers } } : answer,
        settings['http.headers'],
      )
      return faults ? faults.alter(whole) : whole
    }

    try {
      const isArmed = request.method === 'POST' && serverSettings.upcoming.length > 0
      const resolve = (base: () => Settings) => {
        const asked = withHeader(request.headers, base)
        return where === 'next-version' ? inNextVersion(asked) : asked
      }
      settings = resolve(() =>
        isArmed ? serverSettings.peek(tokenIn(request.headers)) : serverSettings.current,
      )
      if (faults) await faults.arrive(request.signal)
      checkPath(where, settings)
      checkMethod(request.method)
      checkDeclaredLength(request.headers)
      const passed = authenticate(request.headers, settings)
      token = typeof passed === 'string' ? passed : await passed
      // only a valid token uses up variants for the next statement
      if (isArmed) settings = resolve(() => serverSettings.take(token!))
      if (faults) faults.identify(token)
      if (settings['auth.permission'] === '401-mid-run' && expiry.isExpired(token, started))
        throw expiredToken()
      if (settings['rate.mode'] !== 'none') rateHeaders = rates.count(token, settings['rate.mode'])
      checkContentType(request.headers, settings)
      statement = decodeStatement(await readBody(request, bodyTimeLimitMs), settings)
      checkStatementLength(statement, settings)
      if (faults) await faults.decode(statement, request.signal)
      const engine = options.engine()
      if (!engine) throw new EngineBusy('The server is still starting. Send the statement again in a moment.')
      const result = await engine.execute(statement, {
        signal: request.signal,
        ...engineOptions(settings),
        ...limitOf(settings),
      })
      const status = statusOf(settings['http.success'])
      const delivered: Delivered = (bytes, cause) =>
        report(status, cause === undefined ? 'success' : 'broken', { bytes, cause })
      return dressed(await answerRows(result, settings, delivered, request.url))
    } catch (cause) {
      if (request.signal.aborted) {
        report(499, 'broken', { cause: 'The client went away.' })
        throw request.signal.reason
      }
      const answer = answerError(cause, settings, statement)
      report(answer.status, answer.break ? 'broken' : 'error', { cause })
      return dressed(answer)
    }
  }
}

/** Relative, so that it holds below any base path and behind any proxy. */
const withSlashFromHere = `${contract.endpoint.path.split('/').at(-2)}/`

/**
 * What a request's header `X-Mock-Variant` asks for, on top of `base`.
 *
 * @throws Refusal 400 for a variant there is not, before `base` is asked for
 */
export function withHeader(headers: Headers, base: () => Settings): Settings {
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

/** What is new stands under a version of its own, where a server adds it in that way. */
function inNextVersion(settings: Settings): Settings {
  if (settings['schema.extra'] === 'new-version')
    return createSettings({ 'schema.extra': 'additive' }, settings)
  throw new Refusal(404, `There is nothing here. Statements are sent to ${contract.endpoint.path} with POST.`)
}

function checkPath(where: Where, settings: Settings): void {
  const status = statusOf(settings['http.no-slash'])
  if (where !== 'without-slash' || status === 200) return
  throw new Refusal(
    status,
    'There is nothing here. The path of the endpoint ends in a slash.',
    status === 404 ? {} : { location: withSlashFromHere },
  )
}

function checkMethod(method: string): void {
  if (method !== 'POST') throw new Refusal(405, 'Statements are sent with POST.', { allow: 'POST' })
}
