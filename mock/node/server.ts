import type { AdminAccess } from '../app/admin/guard.ts'
import type { Judge } from '../app/admin/judge.ts'
import { createApp, type App } from '../app/app.ts'
import type { Call } from '../app/call.ts'
import { createSettings } from '../app/settings.ts'
import { type FaultList, type Faults, faultsOf } from '../app/faults/faults.ts'
import { formatStatementLog } from '../app/statement-log.ts'
import { delivered } from '../app/truncated-body.ts'
import type { VariantSource } from '../app/server-settings.ts'
import type { StatementEngine } from '../statement.ts'
import { remembering } from '../engine/remembered.ts'
import { type AuthOptions, checkAuthOptions, checkTokens } from './auth-options.ts'
import { isLoopback, listen, parseAddress, ServerError } from './listen.ts'
import { createListener } from './listener.ts'
import { pageFiles } from './page-files.ts'
import { createNodeEngine, type NodeEngine, type NodeEngineOptions } from './pglite/index.ts'

export interface ReferenceOptions extends NodeEngineOptions, AuthOptions {
  /** A variant for each setting, by its id. Default: the default variants. */
  readonly variants?: Readonly<Record<string, string>>
  /** `documented` is short for `sql.accept=documented` and overrides it; `any` is the default and changes nothing. */
  readonly sql?: 'any' | 'documented'
  /** Answers repeated statements with small results from memory, unless the plant is live. Default: every statement runs. */
  readonly remember?: boolean
  /** The source of each of these variants, for `/_mock/variants`. Default: these options. */
  readonly variantSources?: Readonly<Record<string, VariantSource>>
  /** Injected faults, as texts (`status:503,rate=0.2`) or objects. Default: none. */
  readonly faults?: FaultList | Faults
  /** Token that `/_mock/*` requires, except `/_mock/ready`. Default: none for local requests. */
  readonly adminToken?: string
  /** Path before the path of the endpoint, such as `/plant-1`. Default: none. */
  readonly basePath?: string
}

export interface ServerOptions extends ReferenceOptions {
  /** The address to listen on. Default: a free port of 127.0.0.1. */
  readonly listen?: string
  /** Further host names for requests to `/_mock/*`, in addition to those of loopback and the address listened on. */
  readonly adminHosts?: readonly string[]
  /** Runs the suite for the page. Default: the page has no such tab. */
  readonly judge?: Judge
}

/** A running server. */
export interface Server {
  /** The URL that the path of the endpoint is appended to. */
  readonly baseUrl: string
  /** A valid token. */
  readonly token: string
  /** The injected faults, which can be changed and counted. */
  readonly faults: Faults
  /** Lets running statements end for at most 5 s, then ends everything. May be called again. */
  close(): Promise<void>
}

/** The server in this process, without a socket. */
export interface Reference extends Server {
  readonly fetch: typeof globalThis.fetch
  /** Answers a request that is not made into a Request before. */
  answer(call: Call): Promise<Response>
  /** Ends everything at once; running statements are answered with 503. May be called again. */
  close(): Promise<void>
}

/**
 * Starts the reference server on a socket; resolves when it answers statements. Until then `/_mock/ready` says 503.
 *
 * @throws ServerError for an address that cannot be listened on, or one beyond loopback without a token of its own
 * @throws RangeError for a plant or a speed out of bounds
 * @throws UnknownVariant for an unknown setting or variant
 * @throws AuthOptionsError for an invalid key set, client or lifetime of tokens
 * @throws FaultError for an invalid fault
 */
export async function startServer(options: ServerOptions = {}): Promise<Server> {
  const address = parseAddress(options.listen ?? '127.0.0.1:0')
  const isLocal = isLoopback(address.host)
  if (!isLocal && !options.jwt && (options.tokens === undefined || options.tokens === 'any'))
    throw new ServerError(
      `${address.host} can be reached from other machines. Require a token with --token, or JWTs with --jwks-url.`,
    )
  const { adminToken, adminHosts = [], judge } = options
  const hosts = [address.host, ...adminHosts]
  const admin = (isLocal || adminToken !== undefined) && { hosts }
  const { app, token, faults, basePath, boot, endStreams } = assemble(options, admin, {
    hasPage: true,
    judge,
  })
  const socket = await listen(createListener(app), address)
  let engine: StatementEngine
  try {
    engine = await boot()
  } catch (error) {
    await socket.stop()
    throw error
  }
  let closing: Promise<void> | undefined
  return {
    baseUrl: socket.origin + basePath,
    token,
    faults,
    close: () => {
      endStreams()
      return (closing ??= socket.stop().then(() => engine.close()))
    },
  }
}

/**
 * The reference server as a `fetch` in this process: the same answers, no socket.
 *
 * @param start starts the engine; for callers that have already started one
 * @throws UnknownVariant for an unknown setting or variant
 * @throws FaultError for an invalid fault
 */
export async function createReference(
  options: ReferenceOptions = {},
  start: () => Promise<AnyEngine> = () => createNodeEngine(options),
): Promise<Reference> {
  const { app, token, faults, basePath, boot } = assemble(options, {}, { start })
  const engine = await boot()
  const answer = async (call: Call) => delivered(await app.fetch(call))
  return {
    baseUrl: `http://localhost${basePath}`,
    token,
    faults,
    answer,
    // a Request is not copied, because the copy pipes its body, which takes as long as a statement
    fetch: async (input, init) =>
      answer(input instanceof Request && !init ? input : new Request(input, init)),
    close: () => engine.close(),
  }
}

/** An engine of this process, or one that another process shares. */
type AnyEngine = StatementEngine & Partial<NodeEngine>

interface Assembly {
  readonly app: App
  readonly token: string
  readonly faults: Faults
  readonly basePath: string
  /** Starts the engine; then the application answers statements. */
  boot(): Promise<StatementEngine>
  /** Ends the event streams, which do not end by themselves. */
  endStreams(): void
}

/** What differs between a server and a reference in the process. */
interface Parts {
  readonly start?: () => Promise<AnyEngine>
  readonly hasPage?: boolean
  readonly judge?: Judge | undefined
}

/** Checks the options and creates the application; the engine is started later. */
function assemble(
  options: ReferenceOptions,
  admin: AdminAccess | false,
  { start = () => createNodeEngine(options), hasPage, judge }: Parts = {},
): Assembly {
  const { variants = {}, sql, adminToken, log } = options
  if (adminToken !== undefined) checkTokens([adminToken])
  const basePath = checkBasePath(options.basePath ?? '')
  const closing = new AbortController()
  const chosen = createSettings(variants)
  const settings = sql === 'documented' ? createSettings({ 'sql.accept': sql }, chosen) : chosen
  const auth = checkAuthOptions(options, settings['auth.mode'])
  const { seed, timeLimitMs } = options
  const faults = faultsOf(options.faults, {
    ...(seed !== undefined && { seed }),
    ...(timeLimitMs !== undefined && { timeLimitMs }),
  })
  let engine: AnyEngine | undefined
  let serving: StatementEngine | undefined
  const app = createApp({
    engine: () => serving,
    settings,
    ...(options.variantSources && { variantSources: options.variantSources }),
    ...auth.app,
    faults,
    basePath,
    admin: admin && { ...admin, ...(adminToken !== undefined && { token: adminToken }) },
    // a token that was chosen may open more than simulated rows, so only the one made here is told
    ...(hasPage && {
      page: {
        files: pageFiles,
        ...(!options.dataset && !Array.isArray(options.tokens) && { token: auth.token }),
      },
    }),
    ...(judge && { judge }),
    engineStatus: () => engine?.status?.(),
    plantTime: () => engine?.plantTime?.(),
    residentBytes: () => process.memoryUsage.rss(),
    closing: closing.signal,
    ...(log && { log: (entry) => log(formatStatementLog(entry)) }),
  })
  return {
    app,
    token: auth.token,
    faults,
    basePath,
    async boot() {
      engine = await start()
      serving = options.remember && !options.live ? remembering(engine) : engine
      return serving
    },
    endStreams: () => closing.abort(),
  }
}

function checkBasePath(path: string): string {
  if (path === '' || path === '/') return ''
  if (!/^(\/[\w.~-]+)+\/?$/.test(path))
    throw new ServerError(`"${path}" is not a base path. Write it like /plant-1.`)
  return path.replace(/\/$/, '')
}
