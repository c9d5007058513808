import { http, type HttpHandler } from 'msw'
import type { Dataset } from '../../fixtures/dataset.ts'
import { toResponse } from '../app/answer/answer.ts'
import { createApp } from '../app/app.ts'
import { type Identity, lazyIdentity } from '../app/auth/provider.ts'
import type { Call } from '../app/request/call.ts'
import { causeOf } from '../app/log/cause.ts'
import { answerPreflight } from '../app/request/cors.ts'
import type { FaultList } from '../app/faults/faults.ts'
import { createSettings } from '../open-points/settings.ts'
import { withHeader } from '../app/request/request-settings.ts'
import { BrokenConnection, delivered } from '../app/answer/truncated-body.ts'
import { sessionHeader } from '../app/sessions/sessions.ts'
import type { Stub } from '../app/sessions/stubs.ts'
import { connectSession } from '../control/connect-session.ts'
import type { ClockControl, RowControl, WaitOptions } from '../control/session.ts'
import { schemaAdditions } from '../open-points/schema/extra.ts'
import { matchedPath, nextMatchedPath, patternBelow } from './endpoint.ts'
import { type LazyEngine, lazily, type MockEngine } from './lazy-engine.ts'
import { checkedOptions, type CheckedOptions, type MockOptions } from './options.ts'
import { type RecordedFilter, type RecordedRequest, RequestLog } from './request-log.ts'
import type { GeneratorOptions } from '../../fixtures/generator-options.ts'

/** The reference server behind request handlers. */
export interface Mock {
  /**
   * Request handlers for `setupServer(...)`, `setupWorker(...)` or `server.use(...)` of msw.
   * @example const server = setupServer(...mock.handlers)
   */
  readonly handlers: readonly HttpHandler[]
  /**
   * Answers requests without msw. Give it to code that accepts a `fetch` function, or use it in a page in which the service
   * worker of msw cannot run.
   *
   * @example
   * const response = await mock.fetch('https://api.example.com/external/v1/statements/', {
   *   method: 'POST',
   *   headers: { authorization: 'Bearer secret', 'content-type': 'application/json' },
   *   body: JSON.stringify({ statement: 'SELECT * FROM v_quantities LIMIT 1' }),
   * })
   */
  readonly fetch: typeof globalThis.fetch
  /**
   * Starts the engine now instead of at the first request. Resolves when the engine is ready.
   * @example beforeAll(() => mock.ready())
   * @throws MockError when the rows given as `data` do not match their schemas
   */
  ready(): Promise<void>
  /**
   * Adds variants to those that the mock was created with, until {@link Mock.reset}.
   * @example mock.use({ 'rows.shape': 'array', 'rows.nulls': 'omitted' })
   * @throws UnknownVariant, and then nothing has changed
   */
  use(variants: Readonly<Record<string, string>>): void
  /**
   * Adds variants for the next statement with a valid token. A second call applies to the statement after it.
   * @example mock.once({ 'rows.case': 'upper' })
   * @throws UnknownVariant, and then nothing has changed
   */
  once(variants: Readonly<Record<string, string>>): void
  /**
   * Replaces the faults that the mock was created with, until {@link Mock.reset}. `[]` removes all. The same order of requests
   * gets the same faults. (`Server.faults` of a server that listens is an object instead.)
   * @example mock.faults(['status:503,rate=0.2', { type: 'latency', delayMs: 300 }])
   * @throws FaultError for a fault that is not valid, and then nothing has changed
   */
  faults(faults: FaultList): void
  /**
   * The last 1000 requests since the mock was created or reset, in the order of their arrival. Requests that `on.*` answered
   * are included. Fewer are kept if their bodies have more than 32 MiB.
   * @example const statements = mock.requests().map(({ statement }) => statement)
   */
  requests(): readonly RecordedRequest[]
  /**
   * Adds, changes and removes rows. All statements see the changes until {@link Mock.reset}. The first change starts the engine.
   * @example await mock.rows.put({ v_quantities: [{ id: 'q1', name: 'Colour' }] })
   */
  readonly rows: RowControl
  /**
   * Moves the time of the simulated plant, until {@link Mock.reset}. Time cannot be moved in a page, or with the shared engine of
   * a test run.
   * @example await mock.clock.advance('4h')
   */
  readonly clock: ClockControl
  /**
   * Answers matching statements with a prescribed answer, until {@link Mock.reset}.
   * @example await mock.stub({ match: 'v_formulas', rows: [] }, { match: 'v_timeseries_data', delayMs: 2000 })
   * @throws ControlError for a stub that is not valid
   */
  stub(...stubs: readonly Stub[]): Promise<void>
  /**
   * Resolves with all matching requests when one has arrived.
   * @example const [request] = await mock.waitForRequest({ statement: 'v_timeseries' }, { withinMs: 1000 })
   * @throws MockError if none arrives in time
   */
  waitForRequest(filter?: RecordedFilter, options?: WaitOptions): Promise<readonly RecordedRequest[]>
  /**
   * Undoes all changes of variants, faults, rows, time and stubs, also those that were not awaited, and forgets the requests.
   * @example afterEach(() => mock.reset())
   */
  reset(): void
  /**
   * Resets the mock and ends its engine. The next request or change starts another engine. An idle engine does not keep the
   * process alive, but Jest may tear down its environment while another engine starts, so close the mock.
   * @example afterAll(() => mock.close())
   */
  close(): Promise<void>
}

/** What the engine is started with. */
export interface Boot extends GeneratorOptions {
  /** Rows instead of generated ones. */
  readonly dataset?: Dataset
  readonly timeLimitMs: number
}

/** `createMock` over a way to start the engine, which is all that differs between node and a page. */
export function mockFactory(boot: (options: Boot) => Promise<MockEngine>): (options?: MockOptions) => Mock {
  return (options = {}) => {
    const checked = checkedOptions(options)
    const { base } = checked
    const [log, identity] = [new RequestLog(base), lazyIdentity()]
    const begin = () => lazily(() => start(checked, boot))
    let engine = begin()
    let state = openState(checked, engine, identity)

    const answer = async (request: Request): Promise<Response> => {
      // as with a server, which a call that was aborted before does not reach
      request.signal.throwIfAborted()
      const [{ app }, running, add] = [state, engine, log.arrive(request)]
      const body = new Uint8Array(await request.arrayBuffer())
      const entry = add(body)
      const call = callOf(request, body, base === undefined)
      entry.sent = call
      const [, answered] = await Promise.all([running.started(), app.fetch(call)])
      const response = delivered(answered)
      log.finish(entry, { status: response.status })
      const cause = causeOf(call)
      if (cause !== undefined && failedStatement.test(cause))
        checked.log(`[bioprocess-sql-contract] ${cause}`)
      return response
    }

    const handle = ({ request }: { request: Request }) =>
      // happy-dom sends preflights without the headers that make them preflights
      request.method === 'OPTIONS'
        ? toResponse(answerPreflight(request.headers))
        : answer(request).then(unpacked, (error) => {
            // the client knows that it left; msw would print the error as an exception of the handler
            if (request.signal.aborted || error instanceof BrokenConnection) return Response.error()
            throw error
          })
    /** Elsewhere that path may be another service's. */
    const hasNextVersion = ({ headers }: Request): boolean => {
      const { settings } = state.app.sessions.common
      try {
        return schemaAdditions(withHeader(headers, () => settings.peek())).inNextVersion !== undefined
      } catch {
        // the application tells what is wrong with the header
        return true
      }
    }
    const reset = () => {
      state = openState(checked, engine, identity)
      log.clear()
    }

    return {
      handlers: [
        http.all(patternBelow(base), handle),
        http.all(patternBelow(base, nextMatchedPath), (info) =>
          hasNextVersion(info.request) ? handle(info) : undefined,
        ),
      ],
      fetch: async (input, init) => answer(new Request(input, init)),
      ready: () => engine.started(),
      use: (variants) => state.app.sessions.common.settings.add(variants),
      once: (variants) => state.app.sessions.common.settings.once(variants),
      faults: (given) => state.app.sessions.common.faults.replace(given),
      rows: {
        put: (rows) => state.control.rows.put(rows),
        patch: (rows) => state.control.rows.patch(rows),
        remove: (keys) => state.control.rows.remove(keys),
      },
      clock: {
        now: () => state.control.clock.now(),
        advance: (duration) => state.control.clock.advance(duration),
        set: (time) => state.control.clock.set(time),
        run: (speed) => state.control.clock.run(speed),
      },
      stub: (...stubs) => state.control.stub(...stubs),
      requests: () => log.read(),
      waitForRequest: (filter, wait) => log.wait(filter, wait),
      reset,
      close: () => {
        const ending = engine
        engine = begin()
        reset()
        return ending.close()
      },
    }
  }
}

/**
 * The application as it was created, and the client of its common session. A reset opens another one over the same engine:
 * whatever was asked before, awaited or not, stays with the one before.
 */
function openState(options: CheckedOptions, engine: LazyEngine, identity: Identity) {
  const { base, tokens, data, plant } = options
  const app = createApp({
    engine: () => engine,
    settings: createSettings(options.variants),
    ...(tokens !== 'any' && { tokens }),
    faults: options.faults.again(),
    plant: {
      now: () => undefined,
      asOf: data ? undefined : plant.asOf,
      get changes() {
        return engine.changes
      },
    },
    identity,
    basePath: base?.pathname.replace(/\/$/, '') ?? '',
  })
  const control = connectSession({
    id: '',
    baseUrl: 'http://localhost',
    fetch: async (input, init) => {
      await engine.started()
      return delivered(await app.fetch(new Request(input, init)))
    },
  })
  return { app, control }
}

/** The causes of failed statements, without those that a test asked for. */
const failedStatement = /^(?:SqlError|StatementRefused): /

/** msw would unpack a body that is declared as compressed once more. */
function unpacked(response: Response): Response {
  if (response.headers.has('content-encoding')) response.headers.delete('content-encoding')
  return response
}

async function start(
  options: CheckedOptions,
  boot: (options: Boot) => Promise<MockEngine>,
): Promise<MockEngine> {
  const { data, timeLimitMs, plant } = options
  const dataset = data && (await import('./own-rows.ts')).ownDataset(data)
  return boot({ ...plant, timeLimitMs, ...(dataset && { dataset }) })
}

/**
 * The request as the server gets it: at its root where any base URL is matched. Only what the server reads of one, its body
 * in one piece.
 */
function callOf(request: Request, body: Uint8Array<ArrayBuffer>, isAnywhere: boolean): Call {
  const { method, signal } = request
  const url = isAnywhere ? atRoot(request.url) : request.url
  const headers = headersOf(request)
  const arrayBuffer = async () => body.buffer
  const toRequest = () => new Request(url, { method, headers, signal, ...(body.length > 0 && { body }) })
  return { url, method, headers, signal, body: [body], arrayBuffer, toRequest }
}

/** No origin is foreign to a mock, so every request is one of a page. A mock has one session. */
function headersOf(request: Request): Headers {
  // msw patches the copy of a Headers object, which then lacks what the Request itself added or replaced
  const headers = new Headers([...request.headers])
  if (!headers.has('origin')) headers.set('origin', 'null')
  headers.delete(sessionHeader)
  return headers
}

function atRoot(url: string): string {
  const { pathname } = new URL(url)
  const at = Math.max(...[matchedPath, nextMatchedPath].map((path) => pathname.lastIndexOf(path)), 0)
  return `http://localhost${pathname.slice(at)}`
}
