/**
 * The seam between the application and whatever runs SQL. The application knows only this file;
 * in node it gets an engine from `createNodeEngine` (mock/node/pglite/index.ts):
 *
 *     const engine = await createNodeEngine({ seed: 1, scale: 0.1, timeLimitMs: 30_000 })
 *     const result = await engine.execute('SELECT * FROM v_quantities LIMIT 3', { signal, format })
 *     for await (const chunk of result.chunks) write(chunk) // between `"data":[` and `]`
 *     await engine.close()
 */

/** One column of a result, in the order of the statement. */
export interface Column {
  /** As the database reports it: lower case unless quoted, not necessarily unique. */
  readonly name: string
  /** OID of the PostgreSQL type. */
  readonly type: number
  /** Name under which the statement knows the view the column comes from, where it comes from one. */
  readonly source?: string
}

/** How rows are written. Each member is the part of a server's settings that one knob decides. */
export interface RowFormat {
  /** `rows.shape`. `array-with-columns` needs the application to publish the column names beside `data`. */
  readonly shape: 'object' | 'array' | 'array-with-columns' | 'wrapped' | 'prefixed'
  /** `rows.duplicates`: what becomes of a column name that occurs twice. Only shapes with names are concerned. */
  readonly duplicates: 'last' | 'first' | 'suffix' | 'alias-prefix' | 'array' | 'repeated-keys' | 'error'
  /** `rows.order` of rows for which the statement asks no order. */
  readonly order: 'stable' | 'random'
  /** `rows.nulls`. */
  readonly nulls: 'null' | 'omitted' | 'empty-string'
  /** `timestamps.format`: text of a `timestamptz`. */
  readonly timestamps:
    | 'micros-offset'
    | 'micros-z'
    | 'millis-z'
    | 'seconds-z'
    | 'nanos-z'
    | 'trimmed'
    | 'hour-offset'
    | 'local-offset'
    | 'no-zone'
    | 'space-separator'
    | 'epoch-millis'
  /** `delta.precision`: whether timestamps are cut off behind the milliseconds when they are printed. */
  readonly precision: 'full' | 'printed-millis'
  /** `rows.case` of the keys. */
  readonly case: 'lower' | 'as-stored' | 'upper' | 'camel'
  /** `numbers.encoding`. Big integers are in the data; they are written like others. */
  readonly numbers: 'number' | 'string' | 'decimal-point' | 'exponent' | 'big-integer'
  /** `numbers.non-finite`: text of NaN and the infinities, for which JSON has no number. */
  readonly nonFinite: 'null' | 'quoted-nan' | 'bare-nan' | 'error'
  /** `json.encoding`: text of an object or array. */
  readonly json: 'native' | 'text'
}

/** The default rows (decisions/0023, ruling 7): objects, last duplicate wins, ISO 8601 with microseconds and offset. */
export const defaultRowFormat: RowFormat = Object.freeze({
  shape: 'object',
  duplicates: 'last',
  order: 'stable',
  nulls: 'null',
  timestamps: 'micros-offset',
  precision: 'full',
  case: 'lower',
  numbers: 'number',
  nonFinite: 'null',
  json: 'native',
})

/** Which statements are accepted: any read-only SELECT, or the kinds the contract documents. */
export type StatementKinds = 'any' | 'documented'

/** A view that this statement may not read. */
export interface Withheld {
  readonly view: string
  /** Refused by name, or as if there were no such view. */
  readonly as: 'denied' | 'hidden'
}

/** How statements are taken. Each member is the part of a server's settings that one knob decides. */
export interface SqlRules {
  /** `sql.accept`. With `any` what is no SELECT is answered like a success without rows; it is never executed. */
  readonly accept: 'select-only' | 'documented' | 'allow-list' | 'any'
  /** `sql.multi`: what becomes of several statements in one text. */
  readonly several: 'error' | 'first' | 'last' | 'all-last-result' | 'merged'
  /** `sql.empty`: a text without a statement runs and gives no rows, or is refused. */
  readonly empty: 'success' | 'refused'
  /** `sql.semicolon` behind the last statement. */
  readonly semicolon: 'accepted' | 'error'
  /** `sql.filters`: whether WHERE may name columns other than last_updated_at. */
  readonly filters: 'accepted' | 'refused'
  /** `delta.literal`: spellings of a date that last_updated_at may be compared with. */
  readonly dates:
    | 'all'
    | 'quoted-date'
    | 'iso-date-time'
    | 'space-date-time'
    | 'date-keyword'
    | 'timestamp-keyword'
  /** `delta.zone`: of a session in New York the zone is another one; that texts are compared is in the data. */
  readonly zone: 'utc' | 'session-zone'
  /** `auth.permission`, where it keeps a view from everybody. */
  readonly withheld: Withheld | undefined
}

/** The default statements (decisions/0023, ruling 10): any single SELECT that only reads. */
export const defaultSqlRules: SqlRules = Object.freeze({
  accept: 'select-only',
  several: 'error',
  empty: 'refused',
  semicolon: 'accepted',
  filters: 'accepted',
  dates: 'all',
  zone: 'utc',
  withheld: undefined,
})

/** Variants that are in the data: slug by knob, of the knobs that are not at their default. */
export type DataVariants = Readonly<Record<string, string>>

export interface ExecuteOptions {
  /** Aborted when the client goes away: frees the engine and rejects with the signal's reason. */
  readonly signal: AbortSignal
  /** Default: {@link defaultRowFormat}. */
  readonly format?: RowFormat
  /** Default: what the engine was created with. */
  readonly kinds?: StatementKinds
  /** Default: {@link defaultSqlRules}. */
  readonly rules?: SqlRules
  /** Default: none, the data as they are. */
  readonly data?: DataVariants
  /** Moves the time limit of this statement, in milliseconds. Default: 0. */
  readonly limitShiftMs?: number
  /** Lets the statement go on behind its time limit, for as long again at most, while the caller is told already. */
  readonly runsOn?: boolean
}

export interface StatementResult {
  readonly columns: readonly Column[]
  /**
   * JSON text of the rows, comma separated, without the enclosing brackets; empty when there are no rows.
   * Iterates once. Throws when the statement fails after its first page, when its time is over or when the
   * signal aborts: the answer is then torn and the adapter has to break the connection. Has to be iterated:
   * that, or aborting the signal, frees the engine. Leaving the loop early does too. An array where all rows are
   * there: the engine is free already.
   */
  readonly chunks: AsyncIterable<Uint8Array> | readonly Uint8Array[]
}

/** Runs one statement at a time per engine, several engines at once. */
export interface StatementEngine {
  /**
   * Resolves when the first page of rows is there.
   *
   * @throws StatementTimeout when the time limit passes; counted from the hand-over to an engine
   * @throws EngineBusy when no engine became free in time, too many statements wait already, or no engine runs and
   * none can be started (`cause` says why)
   * @throws SqlError (StatementRefused among them) when the statement fails
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

/** The statement failed. `message` is the database's own text: it belongs in the log. */
export class SqlError extends Error {
  override readonly name: string = 'SqlError'
  readonly kind: SqlErrorKind
  /** SQLSTATE, five characters. */
  readonly sqlState: string
  /** The name as the message prints it, for a relation that is unknown or may not be read. */
  readonly relation?: string
  constructor(kind: SqlErrorKind, message: string, sqlState: string, relation?: string) {
    super(message)
    this.kind = kind
    this.sqlState = sqlState
    if (relation !== undefined) this.relation = relation
  }
}

/** The SQLSTATE of a view that may not be read. */
export const insufficientPrivilege = '42501'

/** The gate did not let the statement reach the database. */
export class StatementRefused extends SqlError {
  override readonly name: string = 'StatementRefused'
}

/**
 * What the caller is told about a failed statement (decisions/0023, rulings 2 to 4). Causes other than syntax and
 * unknown names stay in the log.
 */
export function publicMessage(error: SqlError): string {
  if (error.kind === 'unknown-relation') return `relation "${error.relation}" does not exist`
  if (error.kind === 'syntax') return `JSON decode error: ${error.message}`
  return 'Error executing statement'
}
