import { setTimeout as sleep } from 'node:timers/promises'
import type { Dataset } from '../../fixtures/dataset.ts'
import { checkTimer } from '../../base/time/duration.ts'
import type { Call } from '../app/request/call.ts'
import { connectSession } from '../control/connect-session.ts'
import type { SessionControl } from '../control/session.ts'
import type { FaultList, Faults } from '../app/faults/faults.ts'
import { delivered } from '../app/answer/truncated-body.ts'
import type { StatementEngine } from '../statement.ts'
import { type AnyEngine, assemble, settingsOf } from './assemble.ts'
import { isLoopback, listen, parseAddress, ServerError } from './http/listen.ts'
import { createListener } from './http/listener.ts'
import {
  checkedReference,
  checkedServer,
  type ReferenceOptions,
  type ServerOptions,
} from './server-options.ts'
import { createNodeEngine, type NodeEngine } from './pglite/index.ts'

/** A running server. */
export interface Server {
  /** The URL that the path of the endpoint is appended to. */
  readonly baseUrl: string
  /** A valid token. */
  readonly token: string
  /** The injected faults, which can be changed and counted. */
  readonly faults: Faults
  /**
   * A session: settings, faults, stubs, rows, time and requests of its own, for one of several tests that run at a time.
   *
   * @param id 1 to 64 letters, digits, dots, hyphens and underscores; empty for requests without a session. Default: a new id
   */
  session(id?: string): SessionControl
  /**
   * Serves other rows from the next statement on. Running statements keep the rows before.
   *
   * @throws Error if the rows cannot be loaded, and then nothing has changed
   */
  replaceData(dataset: Dataset): Promise<void>
  /**
   * Replaces the variants and faults that the server was started with. Sessions that exist keep theirs.
   *
   * @throws UnknownVariant or FaultError, and then nothing has changed
   */
  configure(
    options: Pick<ReferenceOptions, 'variants' | 'variantSources' | 'sql'> & { readonly faults?: FaultList },
  ): void
  /** Drains, lets running statements end for at most 5 s, then ends everything. May be called again. */
  close(): Promise<void>
}

/** The server in this process, without a socket. */
export interface Reference extends Omit<Server, 'replaceData' | 'configure'> {
  readonly fetch: typeof globalThis.fetch
  /** Returns settings, faults, stubs, rows and time of requests without a session to those of the start. */
  reset(): void
  /** Answers a request that is not made into a Request before. */
  answer(call: Call): Promise<Response>
  /** Ends everything at once; running statements are answered with 503. May be called again. */
  close(): Promise<void>
}

/**
 * Starts the reference server on a socket; resolves when it answers statements. Until then `/_mock/ready` says 503.
 *
 * @throws ServerError for an option that does not exist, an address that cannot be listened on, or one beyond loopback
 *   without a token of its own
 * @throws RangeError for a plant, a speed or a time out of bounds
 * @throws UnknownVariant for an unknown setting or variant
 * @throws AuthOptionsError for an invalid key set, client or lifetime of tokens
 * @throws FaultError for an invalid fault
 */
export async function startServer(given: ServerOptions = {}): Promise<Server> {
  const options = withSafeLog(checkedServer(given))
  const address = parseAddress(options.listen)
  const isLocal = isLoopback(address.host)
  if (!isLocal && !options.jwt && (options.tokens === undefined || options.tokens === 'any'))
    throw new ServerError(
      `${address.host} can be reached from other machines. Require a token with --token, or JWTs with --jwks-url.`,
    )
  const { adminToken, adminHosts = [], judge, drainMs = 0 } = options
  checkTimer('drainMs', drainMs)
  const hosts = [address.host, ...adminHosts]
  const admin = (isLocal || adminToken !== undefined) && { hosts }
  const { app, token, faults, basePath, boot, announceStop, endStreams } = assemble(options, admin, {
    hasPage: true,
    judge,
  })
  const { log } = options
  const onFailure = log && ((error: Error) => log(error.stack ?? error.message, error))
  const socket = await listen(createListener(app, onFailure), address, options.certificate)
  let engine: StatementEngine
  const ending = new Set<Promise<void>>()
  try {
    engine = await boot()
  } catch (error) {
    await socket.stop()
    throw error
  }
  let closing: Promise<void> | undefined
  const close = async () => {
    announceStop()
    if (drainMs > 0) await socket.drain(drainMs)
    endStreams()
    await socket.stop()
    await engine.close()
    await Promise.all(ending)
  }
  const baseUrl = socket.origin + basePath
  return {
    baseUrl,
    token,
    faults,
    session: (id) => connectSession({ baseUrl, ...adminAccess(options), ...(id !== undefined && { id }) }),
    async replaceData(dataset) {
      const before = engine
      engine = await boot(() => createNodeEngine({ ...options, dataset }))
      // the server may have been closed meanwhile
      if (closing) return engine.close()
      const end = endWhenIdle(before).finally(() => ending.delete(end))
      ending.add(end)
    },
    configure: (changed) => {
      const settings = settingsOf(changed, options.database)
      faults.startFrom(changed.faults ?? [])
      app.sessions.common.settings.startFrom(settings, changed.variantSources ?? {})
    },
    close: () => (closing ??= close()),
  }
}

/**
 * The reference server as a `fetch` in this process: the same answers, no socket.
 *
 * @param start starts the engine; for callers that have already started one
 * @throws ServerError for an option that does not exist
 * @throws UnknownVariant for an unknown setting or variant
 * @throws FaultError for an invalid fault
 */
export async function createReference(
  given: ReferenceOptions = {},
  start?: () => Promise<StatementEngine & Partial<NodeEngine>>,
): Promise<Reference> {
  const options = withSafeLog(checkedReference(given))
  const { app, token, faults, basePath, boot } = assemble(options, {}, start && { start })
  const engine = await boot()
  const answer = async (call: Call) => delivered(await app.fetch(call))
  const baseUrl = `http://localhost${basePath}`
  // a Request is not copied, because the copy pipes its body, which takes as long as a statement
  const fetch: Reference['fetch'] = async (input, init) =>
    answer(input instanceof Request && !init ? input : new Request(input, init))
  return {
    baseUrl,
    token,
    faults,
    answer,
    fetch,
    reset: () => app.sessions.common.reset().forEach((line) => options.log?.(line)),
    session: (id) =>
      connectSession({ baseUrl, fetch, ...adminAccess(options), ...(id !== undefined && { id }) }),
    close: () => engine.close(),
  }
}

/** A log whose failures are counted, and are not those of the server. */
function withSafeLog<Options extends ReferenceOptions>(options: Options): Options {
  const { log, droppedLogLines = () => 0 } = options
  if (!log) return options
  let failed = 0
  return {
    ...options,
    log: (...line: Parameters<typeof log>) => {
      try {
        log(...line)
      } catch {
        failed += 1
      }
    },
    droppedLogLines: () => failed + droppedLogLines(),
  }
}

const adminAccess = ({ adminToken }: ReferenceOptions) => (adminToken === undefined ? {} : { adminToken })

/** Ends an engine that gets no more statements: once its last one has ended, or after 5 s. */
async function endWhenIdle(engine: AnyEngine): Promise<void> {
  for (let waited = 0; waited < 5_000 && (engine.status?.().busy ?? 0) > 0; waited += 100) await sleep(100)
  await engine.close()
}
