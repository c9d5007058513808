import { Hono } from 'hono'
import { EngineBusy, StatementTimeout } from '../../statement.ts'
import { answerWhole, errorEnvelope, toResponse } from '../answer/answer.ts'
import { UnknownVariant } from '../../open-points/settings.ts'
import { FaultError } from '../faults/fault.ts'
import { RowError } from '../../rows/row-problems.ts'
import { StubError } from '../sessions/stubs.ts'
import type { Authenticate } from '../auth/authenticator.ts'
import { Refusal } from '../answer/refusal.ts'
import { sessionHeader, type Sessions } from '../sessions/sessions.ts'
import { clockRoutes } from './session/clock.ts'
import { createFaultRoutes } from './session/faults.ts'
import { type AnswerKey, answerKeyRoutes } from './answer-key.ts'
import { type AdminAccess, adminGuard } from './guard.ts'
import { type Judge, judgeRoutes } from './judge.ts'
import type { PageFacts } from './page.ts'
import { json, type SessionOf } from './routes.ts'
import type { Metrics, Surroundings } from './metrics.ts'
import type { RequestLog } from '../log/request-log.ts'
import { requestRoutes } from './requests.ts'
import { rowRoutes } from './session/rows.ts'
import { sessionRoutes } from './session/sessions.ts'
import { stubRoutes } from './session/stubs.ts'
import { variantRoutes } from './session/variants.ts'

export interface AdminOptions {
  readonly access: AdminAccess
  readonly surroundings: () => Surroundings
  readonly metrics: Metrics
  /** The requests of all sessions. */
  readonly allRequests: RequestLog
  readonly sessions: Sessions
  /** Checks the token of a statement. */
  readonly authenticate: Authenticate
  /** Aborts when the server stops, to end answers that would never end by themselves. */
  readonly closing: AbortSignal
  /** What the page is told. */
  readonly facts: PageFacts
  /** Runs the suite. Default: none. */
  readonly judge?: Judge | undefined
  /** The causes of a simulated plant. Default: none. */
  readonly answerKey?: AnswerKey | undefined
}

/** Errors of a caller. Their messages name the remedy. */
const mistakes = [FaultError, RowError, StubError, UnknownVariant]

/** The routes about the server itself, below `/_mock/`, but for {@link readyRoute}. */
export function createAdmin(options: AdminOptions): Hono {
  const { access, surroundings, metrics, allRequests, sessions, authenticate, closing } = options
  const sessionOf: SessionOf = ({ method, headers }) => {
    const session = sessions.find(headers.get(sessionHeader))
    return method === 'GET' || method === 'HEAD' ? session : sessions.keep(session)
  }
  const { facts, judge, answerKey } = options
  const admin = new Hono()
  admin.use(adminGuard(access))
  admin.onError((error) => {
    if (error instanceof Refusal) return toResponse(errorEnvelope(error.status, error.message, error.headers))
    if (mistakes.some((mistake) => error instanceof mistake))
      return toResponse(errorEnvelope(400, error.message))
    // rows are read and tried by the engine
    if (error instanceof EngineBusy || error instanceof StatementTimeout)
      return toResponse(errorEnvelope(503, error.message, { 'retry-after': '1' }))
    throw error
  })
  admin.get('/health', () => {
    const around = surroundings()
    const { uptime, engines, droppedLogLines } = around
    return json({
      alive: true,
      uptimeSeconds: Math.round(uptime),
      droppedLogLines,
      ...now(around),
      ...(engines && { engines }),
    })
  })

  admin.get('/metrics', () =>
    toResponse(
      answerWhole(200, metrics.render(surroundings()), {
        'content-type': 'text/plain; version=0.0.4; charset=utf-8',
      }),
    ),
  )

  admin.get('/console', () => json({ ...facts, ...now(surroundings()) }))
  if (judge) admin.route('/judge', judgeRoutes(judge, closing))
  // where there is an admin token, that is the one these requests carry
  const tokenOf = async ({ headers }: Request) =>
    access.token === undefined && headers.has('authorization')
      ? authenticate(headers, sessions.find(headers.get(sessionHeader)).settings.current)
      : undefined
  admin.route('/faults', createFaultRoutes(sessionOf))
  admin.route('/requests', requestRoutes({ sessionOf, sessions, allRequests, closing }))
  admin.route('/variants', variantRoutes(sessionOf, tokenOf))
  admin.route('/stubs', stubRoutes(sessionOf))
  admin.route('/rows', rowRoutes(sessionOf))
  admin.route('/clock', clockRoutes(sessionOf))
  admin.route('/sessions', sessionRoutes(sessions))
  admin.route('/answer-key', answerKeyRoutes(answerKey, sessionOf))
  return admin
}

/** The time of a live plant. */
const now = ({ plantTime }: Surroundings) => plantTime !== undefined && { now: plantTime }
