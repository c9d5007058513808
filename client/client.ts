import { checkOptions, type OptionTypes } from '../base/check-options.ts'
import type {
  StatementEnvelope,
  TimeseriesWithBioprocess,
  ViewName,
  ViewRows,
} from '../schemas/generated/types.ts'
import { adaptationTo } from './rows/adaptation.ts'
import { createAsk } from './rows/ask.ts'
import { type ChangeColumnOf, type Delta, type DeltaOptions, readDeltas } from './deltas/deltas.ts'
import { ClientUsageError } from './errors.ts'
import { type JoinOptions, readJoined } from './joined.ts'
import { checkClientOptions, type ClientOptions } from './options.ts'
import { type Points, type PointsOptions, readPoints } from './points/points.ts'
import { createReadView } from './rows/read-view.ts'
import { type ColumnOf, createViews, type Views } from './views.ts'

export interface ExecuteOptions {
  readonly signal?: AbortSignal
}

export interface QueryOptions extends ExecuteOptions {
  /** The columns of the statement in order, for a service that sends rows as arrays without names. */
  readonly columns?: readonly string[]
}

const executeTypes: OptionTypes<ExecuteOptions> = { signal: 'AbortSignal' }
const queryTypes: OptionTypes<QueryOptions> = { ...executeTypes, columns: 'array' }

/**
 * A client of the service. Every method rejects with a subclass of `StatementError`, with the reason of an aborted signal or
 * with the error of the token function.
 */
export interface Client {
  /**
   * Executes any statement and returns its rows by column name. The type of the rows is not checked. Keys are as the service
   * writes them, unless the profile says in which letter case.
   * @example const counts = await client.query<{ n: number }>('SELECT count(*) AS n FROM v_bioprocesses')
   */
  query<Row = Record<string, unknown>>(statement: string, options?: QueryOptions): Promise<Row[]>
  /**
   * Executes any statement and returns the unchanged envelope of a success, with any further members.
   * @example const { data, status } = await client.execute('SELECT * FROM v_quantities LIMIT 1')
   */
  execute(statement: string, options?: ExecuteOptions): Promise<StatementEnvelope>
  /**
   * The nine views with their types.
   * @example const quantities = await client.views.v_quantities.select()
   */
  readonly views: Views
  /**
   * Reads the documented join: every timeseries with its bioprocess. Of two columns with one name, the row has the last: `id`
   * is the id of the bioprocess. Without a bioprocess, its columns are null.
   * @example const rows = await client.timeseriesWithBioprocess({ limit: 100 })
   */
  timeseriesWithBioprocess(options?: JoinOptions): Promise<TimeseriesWithBioprocess[]>
  /**
   * Reads the changes of a view since a cursor, in batches with their cursor. Store the rows by id, then the cursor. Each change
   * is delivered at least once; `readDeltas` (client/deltas/deltas.ts) explains why.
   *
   * @example
   * for await (const { rows, cursor } of client.deltas('v_bioprocesses', { since: '2026-01-01' })) await store(rows, cursor)
   */
  deltas<V extends ViewName, const C extends ColumnOf<V> = ColumnOf<V>>(
    view: V,
    options?: DeltaOptions<C>,
  ): AsyncGenerator<Delta<Pick<ViewRows[V], C | ChangeColumnOf<V>>>, void, undefined>
  /**
   * Reads the points of series in pages. No page is empty. Each point comes once, unless the plant changes meanwhile.
   * @example for await (const points of client.points({ from: '2026-01-01', dates: true })) await store(points)
   */
  points<const D extends boolean = false>(
    options?: PointsOptions<D>,
  ): AsyncGenerator<Points<D>, void, undefined>
}

/**
 * Creates a typed client of the Bioprocess Data SQL Query Service. It sends nothing before the first statement, and repeats
 * a request only if `retries` allows it, but never after a 504.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://data.example.org', token: () => session.accessToken() })
 * const runs = await client.views.v_bioprocesses.select({ columns: ['id', 'name'], limit: 20 })
 *
 * @throws ClientUsageError for invalid options
 */
export function createClient(options: ClientOptions): Client {
  checkClientOptions(options)
  const adaptation = adaptationTo(options.profile, options.dateLiteral)
  const ask = createAsk(options, adaptation)
  const readView = createReadView(ask, adaptation, options.validate ?? false)
  return {
    query: async <Row>(statement: string, options: QueryOptions = {}) => {
      checkOptions(options, queryTypes, ClientUsageError)
      return (await ask.rows(statement, options.signal, options.columns)) as Row[]
    },
    execute: async (statement, options = {}) => {
      checkOptions(options, executeTypes, ClientUsageError)
      return ask.envelope(statement, options.signal)
    },
    views: createViews(readView, adaptation.dateLiteral),
    timeseriesWithBioprocess: (options = {}) => readJoined({ ask, readView, adaptation }, options),
    deltas: (view, options = {}) => readDeltas(readView, adaptation, view, options) as never,
    points: (options = {}) => readPoints(readView, adaptation, options) as never,
  }
}
