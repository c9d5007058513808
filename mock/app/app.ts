import { Hono } from 'hono'
import { contract } from '../../schemas/contract.ts'
import { EngineBusy, type StatementEngine } from '../statement.ts'
import { type AdminOptions, createAdmin } from './admin/admin.ts'
import type { AnswerKey } from './admin/answer-key.ts'
import type { EngineStatus } from '../engine/pool/engine-status.ts'
import { type AdminAccess, readyRoute } from './admin/guard.ts'
import { Metrics } from './admin/metrics.ts'
import { type PageFiles, pageRoutes, type ServedPlant } from './admin/page.ts'
import type { Judge } from './admin/judge.ts'
import { RequestLog } from './log/request-log.ts'
import { MockSession } from './sessions/mock-session.ts'
import type { PlantClock } from '../rows/session-clock.ts'
import { SessionRows } from '../rows/session-rows.ts'
import { movedTo, sessionHeader, Sessions, splitSession } from './sessions/sessions.ts'
import { createAuthenticator } from './auth/authenticator.ts'
import type { JwtOptions } from './auth/jwt-options.ts'
import { createProvider, type Identity, lazyIdentity } from './auth/provider.ts'
import type { OAuthClient } from './auth/token-request.ts'
import { Refusal } from './answer/refusal.ts'
import type { Settings } from '../open-points/settings.ts'
import { withCors } from './request/cors.ts'
import { Faults } from './faults/faults.ts'
import { type Call, nextVersionPath, pathOf } from './request/call.ts'
import { answerWithFaults } from './faults/request-faults.ts'
import { type Answer, answerWhole, errorEnvelope, fromResponse, toResponse } from './answer/answer.ts'
import type { LoggedStatement } from './log/statement-log.ts'
import { withHeader } from './request/request-settings.ts'
import { createStatements, nothingHere, pageHeader, type Where } from './statements.ts'
import { ServerSettings, type VariantSource } from './server-settings.ts'

export interface AppOptions {
  /** The engine, or undefined while it starts: statements are answered with 503 until it is there. */
  readonly engine: () => StatementEngine | undefined
  /** The variants of the open points. Default: {@link defaultSettings}. */
  readonly settings?: Settings
  /** The source of each setting, for `/_mock/variants`. */
  readonly variantSources?: Readonly<Record<string, VariantSource>>
  /** Tokens that pass. Without the list, any bearer token passes. */
  readonly tokens?: readonly string[]
  /** The issuer whose JWTs pass too. */
  readonly jwt?: JwtOptions
  /** The client of the server's own identity provider. Default: `development`, whose secret is the first token. */
  readonly client?: OAuthClient
  /** Lifetime of a token of the server's own identity provider, in seconds. Default: 3600. */
  readonly tokenLifetimeSeconds?: number
  /** The key of the server's own identity provider. Default: a new one. */
  readonly identity?: Identity
  /** The clock for issuing and checking tokens, in milliseconds since 1970. Default: the system clock. */
  readonly now?: () => number
  /** The faults to inject. Default: none. */
  readonly faults?: Faults
  /** Path in front of the endpoint's own, such as `/plant-1`. Default: none. */
  readonly basePath?: string
  /** Longest time for a request's body to arrive. Default: 10 s. */
  readonly bodyTimeLimitMs?: number
  /** Access to `/_mock/*`; false: none. Default: every local request. */
  readonly admin?: AdminAccess | false
  /** The page about the server, which is served wherever `/_mock/*` is. Default: none. */
  readonly page?: {
    readonly files: PageFiles
    /** A valid token that the page is told. Default: none; the page asks for one. */
    readonly token?: string
    /** The plant that the page describes. Default: none. */
    readonly plant?: ServedPlant
  }
  /** Runs the suite against a server, for the page. Default: none. */
  readonly judge?: Judge
  /** The causes of a simulated plant, for `/_mock/answer-key`. Default: none. */
  readonly answerKey?: AnswerKey
  /** The state of the engines, for `/_mock/metrics` and `/_mock/health`. */
  readonly engineStatus?: () => EngineStatus | undefined
  /** The time of the plant. Default: rows of one's own. */
  readonly plant?: PlantClock
  /** Memory of the process in bytes, if there is a process. */
  readonly residentBytes?: () => number
  /** Whether the server is about to stop: `/_mock/ready` says 503, and statements are still answered. Default: never. */
  readonly isStopping?: () => boolean
  /** Aborts when the server stops, to end answers that would never end by themselves. */
  readonly closing?: AbortSignal
  /** Called once for every request of the statement endpoint. It does not throw. */
  readonly log?: (entry: LoggedStatement) => void
  /** The number of lines of the log that could not be written, for `/_mock/metrics` and `/_mock/health`. Default: 0. */
  readonly droppedLogLines?: () => number
}

export interface App {
  /** Answers a request; rejects only when the request's own signal aborts. */
  answer(call: Call): Promise<Answer>
  /** The answer as a fetch. */
  fetch(call: Call): Promise<Response>
}

/** The reference server as a function from request to response, without a socket and without node, and its sessions. */
export function createApp(options: AppOptions): App & { readonly sessions: Sessions } {
  const { basePath = '', plant = ownRows, tokens, jwt, now = Date.now } = options
  const sessions = createSessions(options, plant)
  const metrics = new Metrics()
  const allRequests = new RequestLog()
  const provider = createProvider({
    client: options.client ?? defaultClient(tokens),
    lifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
    settingsOf: (headers) =>
      withHeader(headers, () => sessions.find(headers.get(sessionHeader)).settings.current),
    identity: options.identity ?? lazyIdentity(now),
  })
  const authenticate = createAuthenticator({ tokens, jwt, verifyOwn: provider.verify, now })
  const path = basePath + contract.endpoint.path
  const statements = createStatements({
    path,
    engine: options.engine,
    sessions,
    authenticate,
    bodyTimeLimitMs: options.bodyTimeLimitMs ?? 10_000,
    log: (entry, session, isOfPage) => {
      metrics.record(entry)
      const logged = session.id === '' ? entry : { ...entry, session: session.id }
      options.log?.(logged)
      if (isOfPage) return
      const at = new Date().toISOString()
      session.requests.add(entry, at)
      allRequests.add(logged, at)
    },
  })
  const answerStatement = withCors(statements)
  const places: ReadonlyMap<string, Where> = new Map([
    [path, 'endpoint'],
    [path.slice(0, -1), 'without-slash'],
    [basePath + nextVersionPath, 'next-version'],
  ])
  const app = otherPaths(path)
  app.route('/_mock', provider.routes)
  addAdmin(app, options, { path, plant, metrics, allRequests, sessions, authenticate })

  const route = async (call: Call): Promise<Answer> => {
    const url = pathOf(call.url)
    const [named, pathname] = splitSession(url, basePath)
    const session = sessions.find(named ?? call.headers.get(sessionHeader))
    // the page asks for its files beside its own address
    if (named !== undefined && pathname === basePath)
      return errorEnvelope(308, 'The page of a session is at its path with a slash.', { location: `${url}/` })
    // a wrong base URL is the commonest first error of a client: the log has its requests
    const isLost = call.method === 'POST' && !pathname.startsWith('/_mock/')
    const where = places.get(pathname) ?? (isLost ? 'elsewhere' : undefined)
    if (where !== undefined) {
      const faults = call.headers.has(pageHeader)
        ? undefined
        : session.faults.open(pathname, where !== 'elsewhere')
      return answerStatement(call, where, session, faults)
    }
    const given = call.toRequest?.() ?? (call as Request)
    const request = named === undefined ? given : movedTo(given, pathname, named)
    const other = async () => fromResponse(await app.fetch(request))
    // faults must not keep a request from clearing them
    const isControl = pathname === '/_mock/faults' || pathname.startsWith('/_mock/sessions')
    const matched = isControl ? undefined : session.faults.open(pathname, false)
    return matched ? answerWithFaults(matched, request.signal, other) : other()
  }
  const answer = (call: Call) => route(call).catch(answerInvalid)
  return { sessions, answer, fetch: async (call) => toResponse(await answer(call)) }
}

/** The common session starts from the options, and the others as the common one did. */
function createSessions(options: AppOptions, plant: PlantClock): Sessions {
  const { faults = new Faults() } = options
  const settings = new ServerSettings(options.settings, options.variantSources)
  const engine = () => {
    const running = options.engine()
    if (!running) throw new EngineBusy('The server is still starting. Send the request again in a moment.')
    return running
  }
  return new Sessions(
    (id) =>
      new MockSession(id, {
        settings: id === '' ? settings : settings.again(),
        faults: id === '' ? faults : faults.again(),
        rows: new SessionRows({ engine, plant }),
      }),
  )
}

/** The documents that describe the endpoint, and the answer where there is nothing. */
function otherPaths(endpoint: string): Hono {
  const app = new Hono()
  app.onError((error) => {
    throw error
  })
  app.notFound(() => toResponse(errorEnvelope(404, nothingHere(endpoint))))
  // loaded only here: together they are larger than the application
  app.get('/openapi.json', async () => json((await import('../../schemas/openapi.ts')).openapi))
  app.get('/schemas/*', async (c) => {
    const { schemas } = await import('../../schemas/generated/schemas.ts')
    const name = c.req.path.slice('/schemas/'.length).replace(/\.schema\.json$/, '')
    return Object.hasOwn(schemas, name) ? json(schemas[name]) : c.notFound()
  })
  return app
}

type AdminParts = Pick<AdminOptions, 'metrics' | 'allRequests' | 'sessions' | 'authenticate'> & {
  /** The path of the endpoint. */
  readonly path: string
  readonly plant: PlantClock
}

/** Adds the page, and the paths about the server itself. */
function addAdmin(app: Hono, options: AppOptions, { path, plant, ...parts }: AdminParts): void {
  const { admin = {}, page, judge, answerKey, closing = new AbortController().signal } = options
  const started = performance.now()
  const isReady = () => options.engine() !== undefined && !options.isStopping?.()
  app.on(['GET', 'OPTIONS'], '/_mock/ready', readyRoute(admin || {}, isReady, plant.now))
  if (admin === false) {
    if (page) app.get('/', () => toResponse(errorEnvelope(403, noPage)))
    return
  }
  if (page) app.route('/', pageRoutes(page.files, admin, judge))
  const surroundings = () => ({
    uptime: (performance.now() - started) / 1000,
    engines: options.engineStatus?.(),
    plantTime: plant.now(),
    residentBytes: options.residentBytes?.(),
    droppedLogLines: options.droppedLogLines?.() ?? 0,
  })
  const facts = {
    path,
    ...(page?.token !== undefined && { token: page.token }),
    judges: judge !== undefined,
    ...(judge?.allowsTargets && { judgesOthers: true }),
    ...(page?.plant && { plant: page.plant }),
  }
  app.route(
    '/_mock',
    createAdmin({ ...parts, access: admin, surroundings, closing, facts, judge, answerKey }),
  )
}

/** Rows of one's own, which have no time. */
const ownRows: PlantClock = { now: () => undefined, asOf: undefined }

const noPage =
  'The page is served on loopback only. Start the server with --admin-token to open it from another machine.'

/** @throws any other error than a Refusal */
function answerInvalid(error: unknown): Answer {
  if (error instanceof Refusal) return errorEnvelope(error.status, error.message)
  throw error
}

/** The holder of a token may get others; if any token passes, so does any client. */
const defaultClient = (tokens: readonly string[] | undefined): OAuthClient | undefined =>
  tokens?.[0] === undefined ? undefined : { id: 'development', secret: tokens[0] }

const json = (value: unknown) => toResponse(answerWhole(200, JSON.stringify(value)))
