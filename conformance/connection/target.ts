import { randomBytes } from 'node:crypto'
import { contract, view, type ViewName } from '../../schemas/index.ts'
import { type Client, type SendOptions } from './client.ts'
import { dateSpellings, LONG_AGO, type DateSpelling } from './date-literal.ts'
import { canonical, type Json, type JsonObject } from './json.ts'
import { NotExercised } from './not-exercised.ts'
import { describeReply, readReply, type Reply } from './reply.ts'
import { rowsOf, type RowShape } from './rows.ts'

export { NotExercised } from './not-exercised.ts'

export interface TargetOptions {
  /** Execution limit the target is held to, in milliseconds. */
  timeLimitMs: number
  /** A statement that runs past the limit, for targets without a sleep function. */
  slowStatement?: string
  /** Statements may put load on a target without a sleep function. */
  allowHeavy?: boolean
  destructiveProbes: boolean
  /** A token that was valid once. */
  expiredToken?: string
  /** No LIMIT asks for more rows than this. */
  maxRows?: number
}

/** Rows of one statement, by documented column name. */
export interface Selection {
  sql: string
  /** The columns the statement names. */
  columns: readonly string[]
  reply: Reply
  rows: JsonObject[]
  shape: RowShape
  /** A key that is not the documented name of its column, if there is one. */
  renamed?: string
}

/** Rows read of one view: enough to see every column used, few enough to be polite. */
const SAMPLE = { v_timeseries_data: 500, other: 200 }
/** A view with fewer rows than this is read whole; below the row caps that services are known to apply. */
const WHOLE = 500

/** The target as checks see it: statements in, rows out, and samples that are read once for all checks. */
export class Target {
  readonly client: Client
  readonly options: TargetOptions
  /** A view name that cannot exist. */
  readonly unknownView = `v_no_such_view_${randomBytes(4).toString('hex')}`
  readonly #cache = new Map<string, Promise<unknown>>()
  readonly #hurried: boolean

  constructor(client: Client, options: TargetOptions, hurried = false) {
    this.client = client
    this.options = options
    this.#hurried = hurried
  }

  /** Sends one statement in a well-formed body. */
  async query(sql: string, options?: SendOptions): Promise<Reply> {
    this.#refuseLargeLimit(sql)
    return readReply(await this.client.statement(sql, options))
  }

  /** As many rows as one wants to read, or as one may (`--max-rows`). */
  rows(wanted: number): number {
    return Math.min(wanted, this.options.maxRows ?? Infinity)
  }

  /** Leaves out a check that would read more rows than it may: with fewer it would check something else. */
  #refuseLargeLimit(sql: string): void {
    const limits = [...sql.matchAll(/\bLIMIT (\d+)/gi)].map(([, limit]) => Number(limit))
    const most = Math.max(0, ...limits)
    if (most > this.rows(most))
      throw new NotExercised(`it takes ${most} rows, and --max-rows allows ${this.options.maxRows}`)
  }

  /** Sends a body as it is. */
  async send(body: string, options?: SendOptions): Promise<Reply> {
    this.#refuseLargeLimit(body)
    return readReply(await this.client.send(body, options))
  }

  /** The reply to a statement that many checks send: asked once. */
  shared(sql: string): Promise<Reply> {
    return this.once(`reply ${sql}`, () => this.query(sql))
  }

  /** The reply to the plainest statement: if it is served, the failure of another one is not that of the server. */
  baseline(): Promise<Reply> {
    return this.shared('SELECT id FROM v_bioprocesses LIMIT 1')
  }

  /** A delta that can hold nothing: newer than a year from now. */
  async emptyDelta(): Promise<Reply> {
    const nextYear = new Date(Date.now() + 366 * 86_400_000).toISOString().slice(0, 10)
    return this.shared(
      `SELECT id FROM v_bioprocesses WHERE ${contract.delta.column} > ${await this.dateLiteral(nextYear)}`,
    )
  }

  /** Some row of a view that is newer than a date long past, the date written in one of the spellings. */
  everythingSince(name: ViewName, spelling: DateSpelling): Promise<Reply> {
    const literal = spelling.write(LONG_AGO)
    return this.shared(`SELECT id FROM ${name} WHERE ${contract.delta.column} > ${literal} LIMIT 1`)
  }

  /** The first spelling of dates that the target accepts; the plainest if it accepts none. */
  async dateSpelling(): Promise<DateSpelling> {
    for (const spelling of dateSpellings)
      if ((await this.everythingSince('v_bioprocesses', spelling)).ok) return spelling
    return dateSpellings[0]!
  }

  /** A date (`YYYY-MM-DD`) as the target wants it written. */
  async dateLiteral(date: string): Promise<string> {
    return (await this.dateSpelling()).write(date)
  }

  /**
   * Runs a statement over named columns and returns its rows by name.
   *
   * @throws NotExercised when the statement is refused: whether it may be is another check's subject.
   */
  async select(sql: string, columns: readonly string[]): Promise<Selection> {
    const reply = await this.query(sql)
    return this.#selection(sql, reply, columns, true)
  }

  /** The same for a statement that more than one check sends. */
  selectOnce(sql: string, columns: readonly string[]): Promise<Selection> {
    return this.once(`select ${sql}`, () => this.select(sql, columns))
  }

  /**
   * `SELECT *` of one view.
   *
   * @throws NotExercised when it is refused, or when the rows carry no column names (rows.shape).
   */
  async selectAll(name: ViewName, tail: string): Promise<Selection> {
    const sql = `SELECT * FROM ${name} ${tail}`
    const reply = await this.shared(sql)
    const columns = view(name).columns.map((column) => column.name)
    return this.#selection(sql, reply, columns, false)
  }

  #selection(sql: string, reply: Reply, columns: readonly string[], positional: boolean): Selection {
    if (!reply.ok) throw new NotExercised(`\`${sql}\` was answered ${describeReply(reply)}`, reply.exchange)
    const set = rowsOf(reply, columns, positional)
    if (!set) throw new NotExercised('rows are arrays without column names', reply.exchange)
    return { sql, columns, reply, ...set }
  }

  /** Which documented columns of a view can be selected. Halves the list until the missing ones are found. */
  columns(name: ViewName): Promise<{ present: string[]; missing: string[]; reply: Reply }> {
    return this.once(`columns ${name}`, async () => {
      const all = view(name).columns.filter((column) => !column.optional)
      const ask = (columns: readonly string[], limit = 1) =>
        this.shared(`SELECT ${columns.join(', ')} FROM ${name} LIMIT ${limit}`)
      const search = async (columns: string[]): Promise<string[]> => {
        if ((await ask(columns)).ok) return []
        if (columns.length === 1) return columns
        const half = columns.length >> 1
        return [...(await search(columns.slice(0, half))), ...(await search(columns.slice(half)))]
      }
      const names = all.map((column) => column.name)
      // The sample answers this too. If it fails, its rows may be the cause, so one row is read.
      const sample = await ask(names, this.#sampleRows(name))
      const reply = sample.ok ? sample : await ask(names)
      const missing = reply.ok || !(await this.exists(name)) ? [] : await search(names)
      const present = reply.ok ? names : names.filter((column) => !missing.includes(column))
      return { present, missing, reply }
    })
  }

  /** Whether a view can be read at all. */
  async exists(name: ViewName): Promise<boolean> {
    return (await this.anyRow(name)).ok
  }

  /** `SELECT *` of a view: some rows, which other checks also need; one row if that is refused. */
  async anyRow(name: ViewName): Promise<Reply> {
    const some = await this.shared(`SELECT * FROM ${name} LIMIT ${this.rows(SAMPLE.other)}`)
    return some.ok ? some : this.shared(`SELECT * FROM ${name} LIMIT 1`)
  }

  /**
   * Some rows of a view with its documented columns: what most checks look at. Read once.
   *
   * @throws NotExercised when the view cannot be read.
   */
  sample(name: ViewName): Promise<Selection> {
    return this.once(`sample ${name}`, async () => {
      if (!(await this.exists(name))) throw new NotExercised(`${name} cannot be read`)
      const { present } = await this.columns(name)
      const sql = `SELECT ${present.join(', ')} FROM ${name} LIMIT ${this.#sampleRows(name)}`
      return this.#selection(sql, await this.shared(sql), present, true)
    })
  }

  /** The sample of a view if it was read before, else undefined: sends nothing. */
  async sampleRead(name: ViewName): Promise<Selection | undefined> {
    const reading = this.#cache.get(`sample ${name}`) as Promise<Selection> | undefined
    return reading?.catch(() => undefined)
  }

  /**
   * Every row of a view with the given columns, or undefined when it is too large to be read whole or when its
   * round count looks like a cap on rows (rows.max).
   */
  async whole(name: ViewName, columns: readonly string[]): Promise<Selection | undefined> {
    const sample = this.#hurried ? undefined : await this.sample(name)
    if (sample && columns.every((column) => sample.columns.includes(column)) && isWhole(sample))
      return { ...sample, rows: sample.rows.map((row) => pick(row, columns)) }
    const sql = `SELECT ${columns.join(', ')} FROM ${name} LIMIT ${this.rows(WHOLE)}`
    const selection = await this.selectOnce(sql, columns)
    return isWhole(selection) ? selection : undefined
  }

  #sampleRows(name: ViewName): number {
    return this.rows(name === 'v_timeseries_data' ? SAMPLE.v_timeseries_data : SAMPLE.other)
  }

  /** Whether rows read a second time differ from the first, in any order: somebody is writing. */
  async changed(before: Selection): Promise<boolean> {
    return (await this.readAgain(before)) !== undefined
  }

  /** The rows of a statement read a second time; undefined if they are the same, in any order. */
  async readAgain(before: Selection): Promise<Selection | undefined> {
    const after = await this.select(before.sql, before.columns)
    return multiset(before.rows) === multiset(seenOf(before, after)) ? undefined : after
  }

  /**
   * The same target with nothing read yet, for a retry after a concurrent change. It reads only the columns that a
   * check asks for: the less time passes between two readings, the fewer rows change.
   */
  fresh(): Target {
    return new Target(this.client, this.options, true)
  }

  /** Runs `read` the first time a key is asked for, and returns the same result ever after. */
  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = this.#cache.get(key)
    if (known) return known as Promise<T>
    const reading = read()
    this.#cache.set(key, reading)
    return reading
  }
}

/** Whether the target says that the view is there but this token may not read it (auth.permission). */
export const permissionDenied = (reply: Reply): boolean =>
  /permission denied|access denied|not authori[sz]ed|insufficient privilege/i.test(reply.message)

/** Whether neither the statement's LIMIT nor a cap on rows, which is a round number, can have cut the answer. */
export const isWhole = ({ rows, sql }: Pick<Selection, 'rows' | 'sql'>): boolean =>
  rows.length < Number(/ LIMIT (\d+)$/.exec(sql)?.[1] ?? Infinity) &&
  (rows.length === 0 || rows.length % 50 !== 0)

/** The rows of a later reading with the keys that the first one showed. */
export function seenOf(before: Pick<Selection, 'rows'>, after: Pick<Selection, 'rows'>): JsonObject[] {
  const seen = [...new Set(before.rows.flatMap((row) => Object.keys(row)))]
  return after.rows.map((row) => pick(row, seen))
}

const pick = (row: JsonObject, columns: readonly string[]): JsonObject =>
  Object.fromEntries(columns.flatMap((column) => (column in row ? [[column, row[column]!]] : [])))

/** One text for a set of rows in any order. */
export const multiset = (rows: readonly Json[]): string => rows.map(canonical).sort().join('\n')
