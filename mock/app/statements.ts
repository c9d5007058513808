import { contract } from '../../schemas/generated/contract.ts'
import { EngineBusy, type StatementEngine } from '../engine/engine.ts'
import type { Answer } from './answer.ts'
import { authenticate } from './auth.ts'
import {
  createBehaviour,
  parseVariants,
  rowFormat,
  statusOf,
  UnknownVariant,
  type Behaviour,
} from './behaviour.ts'
import { checkContentType, decodeStatement } from './decode.ts'
import { answerRows } from './encode.ts'
import type { RequestFaults } from './faults/request-faults.ts'
import { checkDeclaredLength, checkStatementLength, readBody } from './limits.ts'
import { answerError } from './outcome.ts'
import { Refusal } from './refusal.ts'
import { redact, type StatementLog } from './statement-log.ts'

export interface StatementsOptions {
  /** The engine, or undefined while it starts. */
  readonly engine: () => StatementEngine | undefined
  readonly behaviour: Behaviour
  /** Without it any non-empty bearer token passes. */
  readonly tokens: readonly string[] | undefined
  readonly bodyTimeLimitMs: number
  readonly log: (entry: StatementLog) => void
}

/**
 * The statement endpoint: resolve, limits, auth, decode, engine (the gate is part of it), encode.
 *
 * @returns a handler that rejects only when the request's own signal aborted
 */
export function createStatements(options: StatementsOptions) {
  const { tokens, bodyTimeLimitMs, log } = options

  return async function answerStatement(
    request: Request,
    withSlash: boolean,
    faults?: RequestFaults,
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
      const cause = rest.cause ?? faults?.brokenBy
      log({
        status,
        state: faults?.brokenBy ? 'broken' : state,
        durationMs: performance.now() - started,
        ...(rest.bytes !== undefined && { bytes: rest.bytes }),
        ...(statement !== undefined && { statement: redact(statement, token) }),
        ...(cause !== undefined && { cause: redact(causeText(cause), token) }),
      })
    }

    try {
      behaviour = resolve(request.headers, options.behaviour)
      if (faults) await faults.arrive(request.signal)
      checkPath(withSlash, behaviour)
      checkMethod(request.method)
      checkDeclaredLength(request.headers)
      token = authenticate(request.headers, tokens)
      if (faults) faults.identify(token)
      checkContentType(request.headers)
      statement = decodeStatement(await readBody(request, bodyTimeLimitMs), behaviour)
      checkStatementLength(statement)
      if (faults) await faults.decode(statement, request.signal)
      const engine = options.engine()
      if (!engine) throw new EngineBusy('The server is still starting. Send the statement again in a moment.')
      const result = await engine.execute(statement, { signal: request.signal, format: rowFormat(behaviour) })
      const status = statusOf(behaviour['http.success'])
      const answer = await answerRows(result, behaviour, (bytes, cause) =>
        report(status, cause === undefined ? 'success' : 'broken', { bytes, cause }),
      )
      return faults ? faults.alter(answer) : answer
    } catch (cause) {
      if (request.signal.aborted) {
        report(499, 'broken', { cause: 'The client went away.' })
        throw request.signal.reason
      }
      const answer = answerError(cause, behaviour)
      report(answer.status, 'error', { cause })
      return faults ? faults.alter(answer) : answer
    }
  }
}

/** Relative, so that it holds below any base path and behind any proxy. */
const withSlashFromHere = `${contract.endpoint.path.split('/').at(-2)}/`

function resolve(headers: Headers, behaviour: Behaviour): Behaviour {
  const header = headers.get('x-mock-variant')
  if (header === null) return behaviour
  try {
    return createBehaviour(parseVariants(header), behaviour)
  } catch (error) {
    throw error instanceof UnknownVariant ? new Refusal(400, error.message) : error
  }
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
