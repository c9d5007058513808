import type { Micros } from '../base/time/micros.ts'
import type { ViewName } from '../schemas/generated/types.ts'
import type { SettingId, Settings } from '../schemas/open-points.ts'

/**
 * The interface between the application and the engine that runs SQL. In node, `createNodeEngine`
 * (mock/node/pglite/index.ts) creates an engine:
 *
 *     const engine = await createNodeEngine({ seed: 1, scale: 0.1, timeLimitMs: 30_000 })
 *     const result = await engine.execute('SELECT * FROM v_quantities LIMIT 3', { signal })
 *     for await (const chunk of result.chunks) write(chunk) // between `"data":[` and `]`
 *     await engine.close()
 */

/** One column of a result, in the order of the statement. */
export interface Column {
  /** As the database reports it: lower case unless quoted, not necessarily unique. */
  readonly name: string
  /** OID of the PostgreSQL type. */
  readonly type: number
  /** The alias of the view that the column comes from; undefined for an expression. */
  readonly source?: string
}

/** The settings that the engine reads; the others are the application's. */
export const engineSettingIds = [
  'archived-records.table-name',
  'attachments.shape',
  'auth.permission',
  'base-units.shape',
  'bioprocesses.duration',
  'delta.literal',
  'delta.precision',
  'delta.zone',
  'events.discriminator',
  'formula-results.data',
  'formula-results.origin',
  'formula-results.scalar-statistics',
  'formulas.states',
  'induction.shape',
  'json.encoding',
  'lineage.shape',
  'measurement-info.shape',
  'numbers.encoding',
  'numbers.non-finite',
  'qc.types',
  'quantities.data-type',
  'quantity-data.value',
  'rows.case',
  'rows.duplicates',
  'rows.nulls',
  'rows.order',
  'rows.shape',
  'schema.extra',
  'sql.accept',
  'sql.empty',
  'sql.filters',
  'sql.multi',
  'sql.semicolon',
  'statistics.count',
  'statistics.standard-deviation',
  'timeseries-data.last-updated-at',
  'timestamps.format',
] as const satisfies readonly SettingId[]

export type EngineSettings = Pick<Settings, (typeof engineSettingIds)[number]>

/** A change of the rows of one view. */
export interface RowChange {
  readonly view: ViewName
  /** Whole rows, which replace those with the same key. */
  readonly put: readonly object[]
  /** Keys of rows to remove. The id of a timeseries without a timestamp removes all its points. */
  readonly remove: readonly RowKey[]
}

/** The values of the key columns of a row, see mock/engine/views/overlay-sql.ts. */
export type RowKey = Readonly<Record<string, string>>

/** Rows that statements see beside and in place of those of the plant. */
export interface Overlay {
  /** Unique for all overlays of an engine. */
  readonly id: string
  /** In their order. Changes may be appended, not taken away. */
  readonly changes: readonly RowChange[]
}

export interface ExecuteOptions {
  /** Aborted when the client goes away: frees the engine and rejects with the signal's reason. */
  readonly signal: AbortSignal
  /** Who sent the statement, such as a token. While others wait, one owner has at most half of the engines. */
  readonly owner?: string
  /** Default: the default variant of every setting. */
  readonly settings?: EngineSettings
  /** Default: the rows of the plant. */
  readonly overlay?: Overlay
  /** What `now()` and its like tell at the start of the statement, microseconds since 1970. Default: the real time. */
  readonly now?: Micros
  /** Added to the time limit of this statement, and if positive to its longest wait for an engine, in milliseconds. Default: 0. */
  readonly limitShiftMs?: number
  /** Lets the statement run on after its time limit, at most as long again; the caller gets the timeout at the limit. */
  readonly runsOn?: boolean
}

export interface StatementResult {
  /** The names of the columns, in their order. */
  readonly columns: readonly string[]
  /**
   * JSON text of the rows, comma separated, without the enclosing brackets; empty when there are no rows.
   * Iterates once. Throws if the statement fails after its first page, runs out of time or is aborted: the answer is
   * then truncated and the adapter has to break the connection. The engine is free again once the rows are iterated,
   * the loop is left or the signal aborts. An array if all rows have arrived: the engine is free
   * already.
   */
  readonly chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[]
}

/** Runs one statement at a time per engine, several engines at once. */
export interface StatementEngine {
  /**
   * Resolves with the first page of rows.
   *
   * @throws StatementTimeout after the time limit, counted from the start in an engine, which may first take over the overlay
   * @throws EngineBusy if no engine becomes free in time, too many statements wait already, or no engine runs and
   * none can be started (`cause` says why)
   * @throws SqlError, or its subclass StatementRefused, if the statement fails
   */
  execute(statement: string, options: ExecuteOptions): Promise<StatementResult>
  /** Ends every engine. Running statements reject with {@link EngineBusy}. */
  close(): Promise<void>
}

/** The statement ran into the time limit: HTTP 504. */
export class StatementTimeout extends Error {
  override readonly name = 'StatementTimeout'
  readonly limitMs: number
  constructor(limitMs: number) {
    super(`The statement ran longer than ${limitMs} ms. Let it read less data, or split it.`)
    this.limitMs = limitMs
  }
}

/** No engine was free: HTTP 503. */
export class EngineBusy extends Error {
  override readonly name = 'EngineBusy'
  constructor(
    message = 'All engines are busy. Send the statement again in a moment.',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** The three SQL-level conditions of the contract's error table, and a text without a statement. */
export type SqlErrorKind = 'unknown-relation' | 'syntax' | 'empty' | 'other'

/** The statement failed. `message` is the text of the database: it belongs in the log. */
export class SqlError extends Error {
  override readonly name: string = 'SqlError'
  readonly kind: SqlErrorKind
  /** SQLSTATE, five characters. */
  readonly sqlState: string
  /** The name as the message prints it, if a relation is unknown or may not be read. */
  readonly relation?: string
  /** Where it is in the statement as it was sent, in characters from 1; 0 if PostgreSQL names no place. */
  position = 0
  /** What PostgreSQL says beside its message, in sentences; empty if nothing. */
  hint = ''
  constructor(kind: SqlErrorKind, message: string, sqlState: string, relation?: string) {
    super(message)
    this.kind = kind
    this.sqlState = sqlState
    if (relation !== undefined) this.relation = relation
  }

  /** Moves the place, if there is one, by a number of characters. */
  moved(by: number): this {
    if (this.position > 0) this.position += by
    return this
  }
}

/** The SQLSTATE of a view that may not be read. */
export const insufficientPrivilege = '42501'

/** The server did not let the database run the statement. */
export class StatementRefused extends SqlError {
  override readonly name: string = 'StatementRefused'
}

/** A refusal that is none of the contract's conditions. @param sqlState 0A000: feature_not_supported */
export const refused = (message: string, sqlState = '0A000'): StatementRefused =>
  new StatementRefused('other', message, sqlState)
