import type { ViewName } from '../../../schemas/generated/types.ts'
import { keyColumns } from '../../engine/overlay-sql.ts'
import { type Overlay, type RowChange, SqlError, type StatementEngine } from '../../statement.ts'
import { checkedViews, prepareRows, type RowsByView } from './prepare-rows.ts'
import { removal } from './remove-rows.ts'
import { RowError, throwProblems } from './row-error.ts'
import { literals, type RowQuery, rowQuery, type StoredRow } from './row-query.ts'
import { updatedSeries } from './series-statistics.ts'
import { type PlantClock, SessionClock } from './session-clock.ts'

export interface SessionRowsOptions {
  /** @throws EngineBusy while there is none */
  readonly engine: () => StatementEngine
  readonly plant: PlantClock
}

/** Most changed rows of a session. */
const mostRows = 500_000

/** The number of rows that a change put, or removed, by view. */
export type ChangedCounts = Readonly<Partial<Record<ViewName, number>>>

/**
 * The rows that the statements of a session see beside and in place of those of the plant, and the session's time. Changes
 * run one after the other; each is complete or changes nothing.
 */
export class SessionRows {
  readonly clock: SessionClock
  readonly #engine: () => StatementEngine
  #overlay: { readonly id: string; readonly changes: RowChange[] } | undefined
  #count = 0
  #turn: Promise<unknown> = Promise.resolve()

  constructor({ engine, plant }: SessionRowsOptions) {
    this.#engine = engine
    this.clock = new SessionClock(plant)
  }

  /** The rows for the next statement; undefined if they are those of the plant. */
  get overlay(): Overlay | undefined {
    return this.#overlay
  }

  /** Whether time has to advance before the next statement. */
  get isBehind(): boolean {
    return this.clock.isBehind
  }

  /**
   * Adds rows, or replaces those with the same key. Missing columns get defaults; `last_updated_at` is the time of the
   * change; the statistics of series follow from their points.
   *
   * @param rows by view
   * @throws RowError
   */
  put(rows: unknown): Promise<ChangedCounts> {
    return this.#change(async (query, stamp) => changesOf(await prepareRows(rows, query, stamp)))
  }

  /**
   * Changes columns of rows that exist.
   *
   * @param rows by view: the key and the changed columns
   * @throws RowError, also for a row that does not exist
   */
  patch(rows: unknown): Promise<ChangedCounts> {
    return this.#change(async (query, stamp) => {
      const merged = await mergedRows(checkedViews(rows), query)
      return changesOf(await prepareRows(merged, query, stamp))
    })
  }

  /**
   * Removes rows and those that refer to them; they appear in `v_archived_records`.
   *
   * @param keys ids by view, or `{id, timestamp}` for points
   * @throws RowError
   */
  remove(keys: unknown): Promise<ChangedCounts> {
    return this.#change((query, stamp) => removal(keys, query, stamp))
  }

  /**
   * Moves the session's time forward; the rows change as the plant's do.
   *
   * @param to microseconds since 1970; default: the time of the running clock
   * @throws RowError if this server's time cannot be moved, or would go back
   */
  advance(to = this.clock.due): Promise<ChangedCounts> {
    return this.#next(async () => {
      const changes = await this.clock.changesTo(to)
      await this.#append(changes)
      this.clock.time = to
      return counts(changes)
    })
  }

  /** Returns to the rows and the time of the plant. */
  reset(): void {
    this.#overlay = undefined
    this.#count = 0
    this.clock.reset()
  }

  #change(make: (query: RowQuery, stamp: string) => Promise<RowChange[]>): Promise<ChangedCounts> {
    return this.#next(async () => {
      const before = this.#overlay?.changes.length ?? 0
      const stamp = this.clock.stamp()
      const query = rowQuery(this.#engine(), () => this.#overlay)
      const changes = await make(query, stamp)
      try {
        await this.#append(changes)
        const series = await updatedSeries(seriesIn(changes), query, stamp)
        if (series.length > 0) await this.#append([{ view: 'v_timeseries', put: series, remove: [] }])
      } catch (error) {
        this.#overlay &&= { id: newId(), changes: this.#overlay.changes.slice(0, before) }
        throw error
      }
      return counts(changes)
    })
  }

  /** Adds changes, and lets the database try them. */
  async #append(changes: readonly RowChange[]): Promise<void> {
    if (changes.length === 0) return
    const count = changes.reduce((sum, { put, remove }) => sum + put.length + remove.length, this.#count)
    if (count > mostRows)
      throw new RowError(`A session changes at most ${mostRows} rows. Reset it, or use another one.`)
    const before = this.#overlay
    this.#overlay = { id: before?.id ?? newId(), changes: [...(before?.changes ?? []), ...changes] }
    try {
      await rowQuery(this.#engine(), () => this.#overlay)('SELECT 1 AS one LIMIT 1')
    } catch (error) {
      this.#overlay = before && { ...before, id: newId() }
      if (error instanceof SqlError) throw new RowError(`The database refuses the rows: ${error.message}.`)
      throw error
    }
    this.#count = count
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work)
    this.#turn = result.catch(() => {})
    return result
  }
}

const newId = () => globalThis.crypto.randomUUID()

const changesOf = (rows: RowsByView): RowChange[] =>
  Object.entries(rows).flatMap(([view, list]) => {
    const put = lastOfEach(view as ViewName, list as readonly StoredRow[])
    return put.length === 0 ? [] : [{ view: view as ViewName, put, remove: [] }]
  })

/** The last row of each key. */
function lastOfEach(view: ViewName, rows: readonly StoredRow[]): StoredRow[] {
  const key = keyOf(view)
  return [...new Map(rows.map((row) => [key(row), row])).values()]
}

/** A text that is equal for rows with the same key. */
function keyOf(view: ViewName): (row: StoredRow) => string {
  const columns = keyColumns(view)
  return (row) =>
    JSON.stringify(
      columns.map(([name, type]) => (type === 'text' ? row[name] : Date.parse(String(row[name])))),
    )
}

/** The series whose points or rows have changed and whose statistics are not given. */
function seriesIn(changes: readonly RowChange[]): Set<string> {
  const ids = new Set<string>()
  for (const { view, put, remove } of changes)
    if (view === 'v_timeseries_data')
      for (const row of [...(put as StoredRow[]), ...remove]) ids.add(String(row['id']))
  return ids
}

/** Rows that exist, with changed columns. @throws RowError for rows that do not */
async function mergedRows(rows: RowsByView, query: RowQuery): Promise<RowsByView> {
  const problems: string[] = []
  const merged: Partial<Record<ViewName, object[]>> = {}
  for (const [name, list] of Object.entries(rows)) {
    const view = name as ViewName
    const first = keyColumns(view)[0]![0]
    const ids = new Set((list as StoredRow[]).map((row) => row[first]))
    const stored =
      ids.size === 0 ? [] : await query(`SELECT * FROM ${view} WHERE ${first} IN (${literals(ids)})`)
    const key = keyOf(view)
    const known = new Map(stored.map((row) => [key(row), row]))
    merged[view] = (list as StoredRow[]).map((row) => {
      const before = known.get(key(row))
      if (!before)
        problems.push(`${view} has no row ${JSON.stringify(row[first])} to change. Put the whole row.`)
      const { last_updated_at: _, ...rest } = before ?? {}
      return { ...rest, ...row }
    })
  }
  throwProblems(problems)
  return merged
}

const counts = (changes: readonly RowChange[]): ChangedCounts =>
  Object.fromEntries(changes.map(({ view, put, remove }) => [view, put.length + remove.length]))
