import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { answerWhole, errorEnvelope, toResponse } from '../answer.ts'
import type { Authenticate } from '../auth/authenticator.ts'
import type { Faults } from '../faults/faults.ts'
import { createFaultRoutes } from './faults.ts'
import { type AdminAccess, adminGuard } from './guard.ts'
import { type Judge, judgeRoute } from './judge.ts'
import type { PageFacts } from './page.ts'
import type { Metrics, Surroundings } from './metrics.ts'
import type { ServerSettings } from '../server-settings.ts'
import type { RequestLog } from './request-log.ts'
import { Refusal } from '../refusal.ts'
import { variantRoutes } from './variants.ts'

export interface AdminOptions {
  readonly access: AdminAccess
  readonly isReady: () => boolean
  readonly surroundings: () => Surroundings
  readonly metrics: Metrics
  readonly requests: RequestLog
  readonly serverSettings: ServerSettings
  /** Checks the token of a statement. */
  readonly authenticate: Authenticate
  readonly faults: Faults
  /** Aborts when the server stops, to end answers that never end by themselves. */
  readonly closing: AbortSignal
  /** What the page is told. */
  readonly facts: PageFacts
  /** Runs the suite. Default: none. */
  readonly judge?: Judge
}

/** The routes about the server itself, below `/_mock/`. */
export function createAdmin(options: AdminOptions): Hono {
  const { access, isReady, surroundings, metrics, requests, serverSettings, authenticate, faults, closing } =
    options
  const { facts, judge } = options
  const admin = new Hono()
  admin.use(adminGuard(access))
  admin.onError((error) => {
    if (error instanceof Refusal) return toResponse(errorEnvelope(error.status, error.message, error.headers))
    throw error
  })

  admin.get('/ready', () => json({ ready: isReady(), ...now(surroundings()) }, isReady() ? 200 : 503))

  admin.get('/health', () => {
    const around = surroundings()
    const { uptime, engines } = around
    return json({
      alive: true,
      uptimeSeconds: Math.round(uptime),
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
  if (judge) admin.post('/judge', judgeRoute(judge, closing))

  admin.route('/faults', createFaultRoutes(faults))

  admin.get('/requests', (c) => {
    if (!c.req.header('accept')?.includes('text/event-stream')) return json({ requests: requests.entries() })
    const after = Number(c.req.header('last-event-id')) || 0
    return streamSSE(c, async (stream) => {
      const left = new AbortController()
      stream.onAbort(() => left.abort())
      for await (const entry of requests.follow(after, AbortSignal.any([left.signal, closing])))
        await stream.writeSSE({ id: String(entry.id), data: JSON.stringify(entry) })
    })
  })
  // where there is an admin token, that is the one these requests carry
  const tokenOf = async (headers: Headers) =>
    access.token === undefined && headers.has('authorization')
      ? authenticate(headers, serverSettings.current)
      : undefined
  admin.route('/variants', variantRoutes(serverSettings, tokenOf))
  return admin
}

/** The time of a live plant. */
const now = ({ plantTime }: Surroundings) => plantTime !== undefined && { now: plantTime }

const json = (value: unknown, status = 200) => toResponse(answerWhole(status, JSON.stringify(value)))
