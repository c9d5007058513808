import type {
  StatementEnvelope,
  TimeseriesWithBioprocess,
  ViewName,
  ViewRows,
} from '../schemas/generated/types.ts'
import { createAsk } from './ask.ts'
import { type ChangeColumnOf, type Delta, type DeltaOptions, readDeltas } from './deltas.ts'
import { type JoinOptions, readJoined } from './joined.ts'
import type { ClientOptions } from './options.ts'
import { type ColumnOf, createViews, type Views } from './views.ts'

export interface ExecuteOptions {
  readonly signal?: AbortSignal
}

export interface QueryOptions extends ExecuteOptions {
  /** The columns of the statement in its order, for a service that sends rows as arrays without names. */
  readonly columns?: readonly string[]
}

/**
 * A service of the contract. Every method rejects with a `StatementError` of the class of the outcome, with the reason of
 * an aborted signal as it is, or with what the token function threw.
 */
export interface Client {
  /** The rows of any statement, by column name. Their type is what you say it is. */
  query<Row = Record<string, unknown>>(statement: string, options?: QueryOptions): Promise<Row[]>
  /** The whole envelope of a statement that succeeded, as the service sent it, further members included. */
  execute(statement: string, options?: ExecuteOptions): Promise<StatementEnvelope>
  /** The nine views, typed. */
  readonly views: Views
  /**
   * The documented join (Endpoints, rule 3): every timeseries with its bioprocess. Of two columns with one name the last
   * wins, so `id` is the bioprocess's; without one, its columns are null.
   */
  timeseriesWithBioprocess(options?: JoinOptions): Promise<TimeseriesWithBioprocess[]>
  /**
   * What changed in a view since a cursor, in batches, each with the cursor to go on with. Store the rows by id, then the
   * cursor. Each change comes at least once: the reasons are at `readDeltas` (client/deltas.ts).
   */
  deltas<V extends ViewName, const C extends ColumnOf<V> = ColumnOf<V>>(
    view: V,
    options?: DeltaOptions<C>,
  ): AsyncGenerator<Delta<Pick<ViewRows[V], C | ChangeColumnOf<V>>>, void, undefined>
}

/**
 * A typed client of the Bioprocess Data SQL Query Service. Nothing is sent before the first statement, and nothing is
 * sent again unless `retries` says so; a 504 never.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://data.example.org', token: () => session.accessToken() })
 * const runs = await client.views.v_bioprocesses.select({ columns: ['id', 'name'], limit: 20 })
 *
 * @throws ClientError for options that can not work
 */
export function createClient(options: ClientOptions): Client {
  const ask = createAsk(options)
  const { dateLiteral = 'as-given' } = options
  return {
    query: <Row>(statement: string, { signal, columns }: QueryOptions = {}) =>
      ask.rows(statement, signal, columns) as Promise<Row[]>,
    execute: (statement, { signal } = {}) => ask.envelope(statement, signal),
    views: createViews(ask, dateLiteral),
    timeseriesWithBioprocess: (options = {}) => readJoined(ask, options),
    deltas: (view, options = {}) => readDeltas(ask, dateLiteral, view, options) as never,
  }
}
