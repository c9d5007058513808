import { randomBytes } from 'node:crypto'
import { contract, view, type ViewName } from '../../schemas/index.ts'
import { PLAIN_VIEW, POINT_VIEW } from '../../schemas/views.ts'
import { PLAIN_STATEMENT, type Client, type SendOptions } from './http/client.ts'
import { dateSpellings, inAYear, LONG_AGO, type DateSpelling } from './values/date-literal.ts'
import { canonical, setMember, type Json, type JsonObject } from './values/json.ts'
import { NotExercised } from './not-exercised.ts'
import { describeReply, illegible, readReply, type Reply } from './http/reply.ts'
import { rowsOf, UNKNOWN_SHAPE, type RowShape } from './rows.ts'
import { TransportError } from './http/transport-error.ts'

export { NotExercised } from './not-exercised.ts'

export interface TargetOptions {
  /** Time limit of a statement, in milliseconds. */
  timeLimitMs: number
  /** A statement that runs past the limit, for targets without a sleep function. */
  slowStatement?: string
  /** Whether statements may put load on a target without a sleep function. */
  allowHeavy?: boolean
  destructiveProbes: boolean
  /** Number of checks that run in parallel; 1 if the target must not get several requests at once. */
  concurrency?: number
  /** An expired token. */
  expiredToken?: string
  /** Maximum LIMIT of a statement. */
  maxRows?: number
  /** Number of generated statements beyond those of every run. */
  fuzz?: number
}

/** The rows of a statement, by documented column name. */
export interface Selection {
  sql: string
  /** The columns of the statement. */
  columns: readonly string[]
  reply: Reply
  rows: JsonObject[]
  shape: RowShape
  /** A key that differs from the documented name of its column. */
  renamed?: string
}

/** Rows in the sample of a view: usually enough to see a value in every column. */
const SAMPLE = { points: 500, other: 200 }

/** Most rows of a view that is read without LIMIT. */
const FEW = 5000

/**
 * Rows beyond its LIMIT with which an answer is still compared. Comparisons take time quadratic in the number of rows, and
 * sql.limit-kept fails in any case.
 */
const SURPLUS = 10_000

/** The target for checks: sends statements, returns rows, and caches samples for all checks. */
export class Target {
  readonly client: Client
  readonly options: TargetOptions
  /** A view name that cannot exist. */
  readonly unknownView = `v_no_such_view_${randomBytes(4).toString('hex')}`
  readonly #cache = new Map<string, Promise<unknown>>()
  /** The keys whose first reading was lost. */
  readonly #lost = new Set<string>()
  /** The target of the first attempt; the target itself if it is not a retry. */
  readonly origin: Target

  constructor(client: Client, options: TargetOptions, origin?: Target) {
    this.client = client
    this.options = options
    this.origin = origin ?? this
  }

  /** Sends a statement in a well-formed body. */
  async query(sql: string, options?: SendOptions): Promise<Reply> {
    this.#refuseLargeLimit(sql)
    return readReply(await this.client.statement(sql, options))
  }

  /** The wanted number of rows, or the maximum (`--max-rows`). */
  rows(wanted: number): number {
    return Math.min(wanted, this.options.maxRows ?? Infinity)
  }

  /** Skips a check that needs more rows than allowed: with a lower LIMIT it would test something else. */
  #refuseLargeLimit(sql: string): void {
    const limits = [...sql.matchAll(/\bLIMIT (\d+)/gi)].map(([, limit]) => Number(limit))
    const most = Math.max(0, ...limits)
    if (most > this.rows(most))
      throw new NotExercised(`the check needs ${most} rows, but --max-rows allows ${this.options.maxRows}`)
  }

  /** Sends a body unchanged. */
  async send(body: string, options?: SendOptions): Promise<Reply> {
    this.#refuseLargeLimit(body)
    return readReply(await this.client.send(body, options))
  }

  /** The reply to a statement of several checks, sent once. */
  shared(sql: string): Promise<Reply> {
    return this.once(`reply ${sql}`, () => this.query(sql))
  }

  /** The reply to a plain statement, the baseline for judging failures of others. */
  baseline(): Promise<Reply> {
    return this.shared(PLAIN_STATEMENT)
  }

  /**
   * The reply to a delta without rows: newer than a year from now or, where rows are dated later, than the newest row.
   *
   * @throws NotExercised when both have rows
   */
  async emptyDelta(): Promise<Reply> {
    const { column } = contract.delta
    for (const bound of [await this.dateLiteral(inAYear()), `(SELECT MAX(${column}) FROM ${PLAIN_VIEW})`]) {
      const reply = await this.shared(`SELECT id FROM ${PLAIN_VIEW} WHERE ${column} > ${bound}`)
      if (reply.data.length === 0) return reply
    }
    throw new NotExercised(
      'no delta is empty: rows are dated a year in the future, or a filter has no effect',
    )
  }

  /**
   * The reply to a delta since 1970 with two rows, so that one that loses all but the first is seen, its date written in the given notation. With all rows, if the target
   * refuses LIMIT after WHERE: the documented delta has none.
   */
  async everythingSince(name: ViewName, spelling: DateSpelling): Promise<Reply> {
    const sql = `SELECT id FROM ${name} WHERE ${contract.delta.column} > ${spelling.write(LONG_AGO)}`
    const reply = await this.shared(`${sql} LIMIT 2`)
    if (!this.#mayBeRefusedLimit(reply)) return reply
    const unlimited = await this.shared(sql)
    return unlimited.ok ? unlimited : reply
  }

  /** Whether LIMIT may be the reason for a refusal, and a statement without it may be sent. */
  #mayBeRefusedLimit({ ok, envelope }: Reply): boolean {
    return !ok && envelope !== undefined && this.options.maxRows === undefined
  }

  /** The reply to the plain statement without its LIMIT, if that is served and the plain statement is refused. */
  async servedWithoutLimit(): Promise<Reply | undefined> {
    const { origin } = this
    if (!this.#mayBeRefusedLimit(await origin.baseline())) return undefined
    const reply = await origin.shared(`SELECT id FROM ${PLAIN_VIEW}`)
    return reply.ok ? reply : undefined
  }

  /** Whether a view is read without LIMIT: the target refuses LIMIT, and the view is small. Points are read with LIMIT only. */
  async readsWithoutLimit(name: ViewName): Promise<boolean> {
    if (name === POINT_VIEW || !(await this.servedWithoutLimit())) return false
    const { ok, data } = await this.origin.shared(`SELECT ${contract.keys[name][0]} FROM ${name}`)
    return ok && data.length <= FEW
  }

  /** The end of a statement that reads some rows of a view: empty if the view is read without LIMIT. */
  async limit(name: ViewName, most: number): Promise<string> {
    return (await this.readsWithoutLimit(name)) ? '' : ` LIMIT ${this.rows(most)}`
  }

  /** The first date notation that the target accepts; the simplest if it accepts none. */
  async dateSpelling(): Promise<DateSpelling> {
    for (const spelling of dateSpellings)
      if ((await this.everythingSince(PLAIN_VIEW, spelling)).ok) return spelling
    return dateSpellings[0]!
  }

  /** A date (`YYYY-MM-DD`) in a notation that the target accepts. */
  async dateLiteral(date: string): Promise<string> {
    return (await this.dateSpelling()).write(date)
  }

  /**
   * Runs a statement with named columns and returns its rows by name.
   *
   * @throws NotExercised when the statement is refused, which other checks test
   */
  async select(sql: string, columns: readonly string[]): Promise<Selection> {
    const reply = await this.query(sql)
    return this.#selection(sql, reply, columns, true)
  }

  /** Like {@link select} for a statement of several checks, sent once. */
  async selectOnce(sql: string, columns: readonly string[]): Promise<Selection> {
    return this.#selection(sql, await this.shared(sql), columns, true)
  }

  /** Like {@link selectOnce} with a LIMIT; without, if the target refuses LIMIT there. */
  async selectLimited(sql: string, columns: readonly string[], most: number): Promise<Selection> {
    const limited = `${sql} LIMIT ${this.rows(most)}`
    const mayBeRefused = this.#mayBeRefusedLimit(await this.shared(limited))
    return this.selectOnce(mayBeRefused && (await this.shared(sql)).ok ? sql : limited, columns)
  }

  /**
   * Runs `SELECT *` on a view.
   *
   * @throws NotExercised when it is refused, or its rows have no column names (rows.shape)
   */
  async selectAll(name: ViewName, tail: string): Promise<Selection> {
    const sql = `SELECT * FROM ${name} ${tail}`
    const reply = await this.shared(sql)
    const columns = view(name).columns.map((column) => column.name)
    return this.#selection(sql, reply, columns, false)
  }

  #selection(sql: string, reply: Reply, columns: readonly string[], positional: boolean): Selection {
    if (!reply.ok) throw new NotExercised(`\`${sql}\` got ${describeReply(reply)}`, reply.exchange)
    const limit = Number(/ LIMIT (\d+)$/.exec(sql)?.[1] ?? Infinity)
    if (reply.data.length > limit + SURPLUS)
      throw new NotExercised(`\`${sql}\` returned ${reply.data.length} rows`, reply.exchange)
    const set = rowsOf(reply, columns, positional)
    if (!set) throw new NotExercised(UNKNOWN_SHAPE, reply.exchange)
    return { sql, columns, reply, ...set }
  }

  /** The documented columns of a view that can be selected, and the missing ones, found by bisection. */
  columns(name: ViewName): Promise<{ present: string[]; missing: string[]; reply: Reply }> {
    return this.once(`columns ${name}`, async () => {
      const all = view(name).columns.filter((column) => !column.optional)
      const ask = async (columns: readonly string[], limit = 1) => {
        const reply = await this.shared(
          `SELECT ${columns.join(', ')} FROM ${name}${await this.limit(name, limit)}`,
        )
        const problem = illegible(reply)
        if (problem) throw new NotExercised(problem, reply.exchange)
        return reply
      }
      const search = async (columns: string[]): Promise<string[]> => {
        if ((await ask(columns)).ok) return []
        if (columns.length === 1) return columns
        const half = columns.length >> 1
        return [...(await search(columns.slice(0, half))), ...(await search(columns.slice(half)))]
      }
      const names = all.map((column) => column.name)
      // The sample shows this too. If it fails, its rows may be the cause, so read one row.
      const sample = await ask(names, this.#sampleRows(name))
      const reply = sample.ok ? sample : await ask(names)
      const missing = reply.ok || !(await this.exists(name)) ? [] : await search(names)
      const present = reply.ok ? names : names.filter((column) => !missing.includes(column))
      return { present, missing, reply }
    })
  }

  /** The documented columns of a view that can be selected. @throws NotExercised if there are none */
  async selectable(name: ViewName): Promise<string[]> {
    const { present } = await this.columns(name)
    if (present.length === 0) throw new NotExercised(`no column of ${name} can be selected by name`)
    return present
  }

  /** Whether a view can be read. */
  async exists(name: ViewName): Promise<boolean> {
    return (await this.anyRow(name)).ok
  }

  /** The reply to `SELECT *` with a LIMIT that other checks share; with one row if that is refused. */
  async anyRow(name: ViewName): Promise<Reply> {
    const some = await this.shared(`SELECT * FROM ${name}${await this.limit(name, SAMPLE.other)}`)
    return some.ok ? some : this.shared(`SELECT * FROM ${name} LIMIT 1`)
  }

  /**
   * The sample of a view: some rows with the documented columns, read once for all checks.
   *
   * @throws NotExercised when the view cannot be read
   */
  async sample(name: ViewName): Promise<Selection> {
    const read = await this.once(`sample ${name}`, async () => {
      const any = await this.anyRow(name)
      if (!any.ok) throw new NotExercised(`${name} cannot be read: ${illegible(any) ?? describeReply(any)}`)
      const present = await this.selectable(name)
      const sql = `SELECT ${present.join(', ')} FROM ${name}${await this.limit(name, this.#sampleRows(name))}`
      return { sql, reply: await this.shared(sql), present }
    })
    // The rows are not cached, because they may be many.
    return this.#selection(read.sql, read.reply, read.present, true)
  }

  #sampleRows(name: ViewName): number {
    return this.rows(name === POINT_VIEW ? SAMPLE.points : SAMPLE.other)
  }

  /** Reads the rows of a statement again; undefined if they are the same, in any order. */
  async readAgain(before: Selection): Promise<Selection | undefined> {
    const after = await this.select(before.sql, before.columns)
    return multiset(before.rows) === multiset(seenOf(before, after)) ? undefined : after
  }

  /** The same target without cached rows, for a retry after a concurrent change. */
  fresh(): Target {
    return new Target(this.client, this.options, this.origin)
  }

  /**
   * Calls `read` once for each key and caches its result. Calls it a second time for the next check if the connection was
   * closed: otherwise one lost reply would take every check with it that shares the reading.
   */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#cache.get(key)
    if (known) return known as Promise<T>
    const reading = read()
    this.#cache.set(key, reading)
    reading.catch((error: unknown) => {
      if (!(error instanceof TransportError) || error.exhausting || this.#lost.has(key)) return
      this.#lost.add(key)
      this.#cache.delete(key)
    })
    return reading
  }
}

/** Whether a reply says that the token may not read the view (auth.permission). */
export const permissionDenied = (reply: Reply): boolean =>
  /permission denied|access denied|not authori[sz]ed|insufficient privilege/i.test(reply.message)

/** The rows of a second reading, limited to the keys in the first. */
export function seenOf(before: Pick<Selection, 'rows'>, after: Pick<Selection, 'rows'>): JsonObject[] {
  const seen = [...new Set(before.rows.flatMap((row) => Object.keys(row)))]
  return after.rows.map((row) => pick(row, seen))
}

/** The row with only some of its columns. */
export function pick(row: JsonObject, columns: readonly string[]): JsonObject {
  const picked: JsonObject = {}
  for (const column of columns) {
    const value = row[column]
    if (value !== undefined) setMember(picked, column, value)
  }
  return picked
}

/** A text that is equal for equal rows in any order. */
export const multiset = (rows: readonly Json[]): string => rows.map(canonical).sort().join('\n')
