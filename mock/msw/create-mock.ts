import { http, type HttpHandler } from 'msw'
import type { Dataset } from '../../fixtures/dataset.ts'
import { contract } from '../../schemas/contract.ts'
import { toResponse } from '../app/answer.ts'
import type { Call } from '../app/call.ts'
import { causeOf } from '../app/cause.ts'
import { answerPreflight } from '../app/cors.ts'
import { createSettings, type Variants } from '../app/settings.ts'
import type { FaultList, Faults } from '../app/faults/faults.ts'
import { BrokenConnection } from '../app/truncated-body.ts'
import type { Stub } from '../app/sessions/stubs.ts'
import { jsonCopy } from '../control/json-text.ts'
import type { ClockControl, RowControl, SessionControl, WaitOptions } from '../control/session.ts'
import { matchedPath, nextMatchedPath, patternBelow } from './endpoint.ts'
import { lazily, type Service } from './lazy-engine.ts'
import { checkedOptions, type CheckedOptions, type MockOptions } from './options.ts'
import { type RecordedFilter, type RecordedRequest, RequestLog } from './request-log.ts'
import type { GeneratorOptions } from '../../fixtures/generator-options.ts'

/** The reference server behind request handlers. */
export interface Mock {
  /** For `setupServer(...)`, `setupWorker(...)` or `server.use(...)` of msw. */
  readonly handlers: readonly HttpHandler[]
  /**
   * Answers without msw, for whatever takes a `fetch` of one's own: `createClient({ fetch: mock.fetch, ... })`. Also in
   * a page that refuses the service worker of msw.
   */
  readonly fetch: typeof globalThis.fetch
  /**
   * Starts the engine now instead of at the first request; resolves when it is there.
   *
   * @throws MockError when the rows given as `data` do not match their schemas
   */
  ready(): Promise<void>
  /** Takes other variants on, on top of those the mock was created with, until {@link Mock.reset}. */
  use(variants: Readonly<Record<string, string>>): void
  /** Takes variants on for the next statement alone, on top of those in use; called again, for the one after it. */
  once(variants: Readonly<Record<string, string>>): void
  /**
   * Sets faults in place of those the mock was created with, until {@link Mock.reset}; `[]` for none. Reproduces the same
   * faults for the same order of requests. (`Server.faults` of a server that listens is an object instead.)
   *
   * @throws FaultError for a fault that is not valid, and then nothing has changed
   */
  faults(faults: FaultList): void
  /**
   * The last 1000 requests that reached the mock since it was created or reset, in the order of their arrival, those
   * that `on.*` answered in its place included. Fewer are kept if their bodies have more than 32 MiB.
   */
  requests(): readonly RecordedRequest[]
  /** Adds, changes and removes rows, which all statements see until {@link Mock.reset}. The first change starts the engine. */
  readonly rows: RowControl
  /** Moves the time of the simulated plant, until {@link Mock.reset}. In a page, and with the engine of a test run, it stands still. */
  readonly clock: ClockControl
  /** Answers matching statements in the place of the data, until {@link Mock.reset}. Checked by the engine's process, so it is awaited. */
  stub(...stubs: readonly Stub[]): Promise<void>
  /**
   * Resolves when a request has arrived, with all that match.
   *
   * @throws MockError if none arrives in time
   */
  waitForRequest(filter?: RecordedFilter, options?: WaitOptions): Promise<readonly RecordedRequest[]>
  /**
   * Undoes every change of variants, faults, rows, time and stubs that was asked before, awaited or not, and forgets the
   * requests; for `afterEach`.
   */
  reset(): void
  /**
   * Resets the mock and ends its engine; for `afterAll`. The next request or change starts another engine. An idle engine
   * keeps no process alive, but a test runner that tears its environment down, as Jest does, may do so while another engine
   * starts.
   */
  close(): Promise<void>
}

/** What the reference server is started with. */
export interface Boot extends GeneratorOptions {
  /** Rows instead of generated ones. */
  readonly dataset?: Dataset
  readonly variants: Readonly<Record<string, string>>
  readonly tokens: readonly string[] | 'any'
  readonly basePath: string
  readonly timeLimitMs: number
  readonly faults: Faults
}

/** `createMock` over a way to start the reference server, which is all that differs between node and a page. */
export function mockFactory(boot: (options: Boot) => Promise<Service>): (options?: MockOptions) => Mock {
  return (options = {}) => {
    const checked = checkedOptions(options)
    const { base, faults, latency } = checked
    const log = new RequestLog(base)
    const begin = () => lazily(() => start(checked, boot), undo)
    /** The service has the faults of the mock, and others may have been set since the reset was asked. */
    const undo = (service: Service) => {
      const set = faults.list().map(({ fault }) => fault)
      service.reset()
      faults.replace(set)
    }
    let service = begin()
    let used: Variants = {}
    let upcoming: Variants[] = []
    /** A preflight or a wrong method is no statement. */
    const taken = (method: string): Variants =>
      upcoming.length > 0 && method === 'POST' ? { ...used, ...upcoming.shift() } : used

    const answer = async (request: Request): Promise<Response> => {
      // as with a server, which a call that was aborted before does not reach
      request.signal.throwIfAborted()
      const [asked, variants, add] = [service, taken(request.method), log.arrive(request)]
      const body = new Uint8Array(await request.arrayBuffer())
      const entry = add(body)
      const own = forService(request, body, base === undefined, variants)
      entry.sent = own
      await latency.open(contract.endpoint.path, true)?.arrive(request.signal)
      const response = await (await asked.get()).answer(own)
      log.finish(entry, { status: response.status })
      const cause = causeOf(own)
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
    /** Takes the value as it is now: the caller may change it while the change waits. */
    const change = async <T, R>(value: T, act: (session: SessionControl, own: T) => Promise<R>) => {
      const own = jsonCopy(value)
      return service.change((session) => act(session, own))
    }
    const reset = () => {
      used = {}
      upcoming = []
      faults.replace(options.faults ?? [])
      log.clear()
      service.reset()
    }
    /** Elsewhere that path may be another service's. */
    const hasNextVersion = ({ headers }: Request): boolean =>
      ({ ...options.variants, ...used, ...upcoming[0] } as Variants)['schema.extra'] === 'new-version' ||
      /schema\.extra=new-version/.test(headers.get('x-mock-variant') ?? '')

    return {
      handlers: [
        http.all(patternBelow(base), handle),
        http.all(patternBelow(base, nextMatchedPath), (info) =>
          hasNextVersion(info.request) ? handle(info) : undefined,
        ),
      ],
      fetch: async (input, init) => answer(new Request(input, init)),
      ready: async () => void (await service.get()),
      use: (variants) => {
        createSettings(variants)
        used = { ...used, ...variants }
      },
      once: (variants) => {
        createSettings(variants)
        upcoming.push({ ...variants })
      },
      faults: (given) => faults.replace(given),
      rows: {
        put: (rows) => change(rows, (session, own) => session.rows.put(own)),
        patch: (rows) => change(rows, (session, own) => session.rows.patch(own)),
        remove: (keys) => change(keys, (session, own) => session.rows.remove(own)),
      },
      clock: {
        now: () => service.change(({ clock }) => clock.now()),
        advance: (duration) => service.change(({ clock }) => clock.advance(duration)),
        set: (time) => service.change(({ clock }) => clock.set(time)),
        run: (speed) => service.change(({ clock }) => clock.run(speed)),
      },
      stub: (...stubs) => change(stubs, (session, own) => session.stub(...own)),
      requests: () => log.read(),
      waitForRequest: (filter, wait) => log.wait(filter, wait),
      reset,
      close: () => {
        const ending = service
        service = begin()
        reset()
        return ending.close()
      },
    }
  }
}

/** The causes of failed statements, without those that a test asked for. */
const failedStatement = /^(?:SqlError|StatementRefused): /

/** msw would unpack a body that is declared as compressed once more. */
function unpacked(response: Response): Response {
  if (response.headers.has('content-encoding')) response.headers.delete('content-encoding')
  return response
}

async function start(options: CheckedOptions, boot: (options: Boot) => Promise<Service>): Promise<Service> {
  const { data, base, latency: _, log: __, ...rest } = options
  const dataset = data && (await import('./own-rows.ts')).ownDataset(data)
  const basePath = base?.pathname ?? ''
  return boot({ ...rest, ...(dataset && { dataset }), basePath })
}

/**
 * The request as the server gets it: at its root where any base URL is matched, with the variants in use. Only what
 * the server reads of one, its body in one piece.
 */
function forService(
  request: Request,
  body: Uint8Array<ArrayBuffer>,
  isAnywhere: boolean,
  variants: Readonly<Record<string, string>>,
): Call {
  const { method, signal } = request
  const url = isAnywhere ? atRoot(request.url) : request.url
  const headers = headersOf(request, variants)
  const arrayBuffer = async () => body.buffer
  const toRequest = () => new Request(url, { method, headers, signal, ...(body.length > 0 && { body }) })
  return { url, method, headers, signal, body: [body], arrayBuffer, toRequest }
}

/** No origin is foreign to a mock, so every request is one of a page. */
function headersOf(request: Request, variants: Readonly<Record<string, string>>): Headers {
  // msw patches the copy of a Headers object, which then lacks what the Request itself added or replaced
  const headers = new Headers([...request.headers])
  if (!headers.has('origin')) headers.set('origin', 'null')
  const asked = Object.entries(variants).map((entry) => entry.join('='))
  // what the request itself asks for comes last and wins
  const own = request.headers.get('x-mock-variant') ?? []
  if (asked.length > 0) headers.set('x-mock-variant', [...asked, own].flat().join(', '))
  return headers
}

function atRoot(url: string): string {
  const { pathname } = new URL(url)
  const at = Math.max(...[matchedPath, nextMatchedPath].map((path) => pathname.lastIndexOf(path)), 0)
  return `http://localhost${pathname.slice(at)}`
}
