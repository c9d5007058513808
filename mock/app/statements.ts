import { contract } from '../../schemas/generated/contract.ts'
import { EngineBusy, type StatementEngine } from '../engine/engine.ts'
import type { Answer } from './answer.ts'
import type { Authenticate } from './auth/authenticator.ts'
import { TokenUses } from './auth/permission.ts'
import {
  createBehaviour,
  engineOptions,
  parseVariants,
  statusOf,
  UnknownVariant,
  type Behaviour,
} from './behaviour.ts'
import { checkContentType, decodeStatement } from './decode.ts'
import { answerRows } from './encode.ts'
import { checkDeclaredLength, checkStatementLength, readBody } from './limits.ts'
import { answerError } from './outcome.ts'
import { Refusal } from './refusal.ts'
import { redact, type StatementLog } from './statement-log.ts'

export interface StatementsOptions {
  /** The engine, or undefined while it starts. */
  readonly engine: () => StatementEngine | undefined
  readonly behaviour: Behaviour
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
  const { authenticate, bodyTimeLimitMs, log } = options
  const uses = new TokenUses()

  return async function answerStatement(
    request: Request,
    withSlash: boolean,
    isNextVersion = false,
  ): Promise<Answer> {
    const started = performance.now()
    let behaviour = options.behaviour
    let token: string | undefined
    let statement: string | undefined

    const report = (
      status: number,
      state: StatementLog['state'],
      rest: { bytes?: number; cause?: unknown },
    ) => {
      log({
        status,
        state,
        durationMs: performance.now() - started,
        ...(rest.bytes !== undefined && { bytes: rest.bytes }),
        ...(statement !== undefined && { statement: redact(statement, token) }),
        ...(rest.cause !== undefined && { cause: redact(causeText(rest.cause), token) }),
      })
    }

    try {
      behaviour = resolve(request.headers, options.behaviour)
      if (isNextVersion) behaviour = inNextVersion(behaviour)
      checkPath(withSlash, behaviour)
      checkMethod(request.method)
      checkDeclaredLength(request.headers)
      const passed = authenticate(request.headers, behaviour)
      token = typeof passed === 'string' ? passed : await passed
      if (behaviour['auth.permission'] === '401-mid-run') uses.count(token)
      checkContentType(request.headers)
      statement = decodeStatement(await readBody(request, bodyTimeLimitMs), behaviour)
      checkStatementLength(statement)
      const engine = options.engine()
      if (!engine) throw new EngineBusy('The server is still starting. Send the statement again in a moment.')
      const result = await engine.execute(statement, { signal: request.signal, ...engineOptions(behaviour) })
      const status = statusOf(behaviour['http.success'])
      return await answerRows(result, behaviour, (bytes, cause) =>
        report(status, cause === undefined ? 'success' : 'broken', { bytes, cause }),
      )
    } catch (cause) {
      if (request.signal.aborted) {
        report(499, 'broken', { cause: 'The client went away.' })
        throw request.signal.reason
      }
      const answer = answerError(cause, behaviour)
      report(answer.status, 'error', { cause })
      return answer
    }
  }
}

/** Relative, so that it holds below any base path and behind any proxy. */
const withSlashFromHere = `${contract.endpoint.path.split('/').at(-2)}/`

/** The behaviour that a request gets: the server's, and on top of it what its header asks for. @throws Refusal 400 */
export function resolve(headers: Headers, behaviour: Behaviour): Behaviour {
  const header = headers.get('x-mock-variant')
  if (header === null) return behaviour
  try {
    return createBehaviour(parseVariants(header), behaviour)
  } catch (error) {
    throw error instanceof UnknownVariant ? new Refusal(400, error.message) : error
  }
}

/** What is new stands under a version of its own, where a server adds it in that way. */
function inNextVersion(behaviour: Behaviour): Behaviour {
  if (behaviour['schema.extra'] === 'new-version')
    return createBehaviour({ 'schema.extra': 'additive' }, behaviour)
  throw new Refusal(404, `There is nothing here. Statements are sent to ${contract.endpoint.path} with POST.`)
}

function checkPath(withSlash: boolean, behaviour: Behaviour): void {
  const status = statusOf(behaviour['http.noSlash'])
  if (withSlash || status === 200) return
  throw new Refusal(
    status,
    'There is nothing here. The path of the endpoint ends in a slash.',
    status === 404 ? {} : { location: withSlashFromHere },
  )
}

function checkMethod(method: string): void {
  if (method !== 'POST') throw new Refusal(405, 'Statements are sent with POST.', { allow: 'POST' })
}

function causeText(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const deeper = cause.cause === undefined ? '' : `; ${causeText(cause.cause)}`
  return `${cause.name}: ${cause.message}${deeper}`
}
