/// <reference lib="esnext.disposable" preserve="true" />
import type { HttpHandler } from 'msw'
import type { Settings } from '../../schemas/open-points.ts'
import type { FaultList } from '../app/faults/faults.ts'
import type { Stub } from '../app/sessions/stubs.ts'
import type { ClockControl, RowControl, WaitOptions } from '../control/session.ts'
import type { RecordedFilter, RecordedRequest } from './request-log.ts'

/** What a test does with a mock, or with a session of one. */
export interface MockControls {
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
   * Adds variants to those that the mock was created with, until {@link MockControls.reset}.
   * @example mock.use({ 'rows.shape': 'array', 'rows.nulls': 'omitted' })
   * @throws UnknownVariant, and then nothing has changed
   */
  use(variants: Partial<Settings>): void
  /**
   * Adds variants for the next statement with a valid token. A second call applies to the statement after it.
   * @example mock.once({ 'rows.case': 'upper' })
   * @throws UnknownVariant, and then nothing has changed
   */
  once(variants: Partial<Settings>): void
  /**
   * Replaces the faults that the mock was created with, until {@link MockControls.reset}. `[]` removes all. The same order of requests
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
   * Adds, changes and removes rows. All statements see the changes until {@link MockControls.reset}. The first change starts the engine.
   * @example await mock.rows.put({ v_quantities: [{ id: 'q1', name: 'Colour' }] })
   */
  readonly rows: RowControl
  /**
   * Moves the time of the simulated plant, until {@link MockControls.reset}. Time cannot be moved in a page.
   * @example await mock.clock.advance('4h')
   */
  readonly clock: ClockControl
  /**
   * Answers matching statements with a prescribed answer, until {@link MockControls.reset}.
   * @example await mock.stub({ match: 'v_formulas', rows: [] }, { match: 'v_timeseries_data', delayMs: 2000 })
   * @throws ControlError for a stub that is not valid
   */
  stub<Text extends string>(...stubs: readonly Stub<Text>[]): Promise<void>
  /**
   * Resolves with all matching requests when one has arrived.
   * @example const [request] = await mock.waitForRequest({ statement: 'v_timeseries' }, { withinMs: 1000 })
   * @throws MockError if none arrives in time
   */
  waitForRequest<Text extends string>(
    filter?: RecordedFilter<Text>,
    options?: WaitOptions,
  ): Promise<readonly RecordedRequest[]>
  /**
   * Undoes all changes of variants, faults, rows, time and stubs, also those that were not awaited, and forgets the requests. Names
   * each stub that answered no statement, although some came, once in the log. Sessions and their mock do not touch each other.
   * @example afterEach(() => mock.reset())
   */
  reset(): void
}

/** A session of a mock: rows, time, stubs, variants, faults and requests of its own, over the same engine. */
export interface MockSession extends MockControls, Disposable {
  readonly id: string
  /** Requests to this base URL belong to the session: that of the mock, with `/s/` and the id. */
  readonly baseUrl: string
  /** Requests with these headers belong to the session, whatever their base URL. */
  readonly headers: Readonly<Record<string, string>>
  /**
   * Ends the session, as `using session = mock.session()` does. Whoever uses it later gets a {@link MockError}.
   * @example mock.session().end()
   */
  end(): void
}
