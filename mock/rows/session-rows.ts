import { followingColumns } from '../../fixtures/factories/complete-row.ts'
import { iso, type Micros } from '../../base/time/micros.ts'
import type { ViewName } from '../../schemas/generated/types.ts'
import { keyColumns } from '../engine/views/overlay-sql.ts'
import { type Overlay, type RowChange, type RowKey, SqlError, type StatementEngine } from '../statement.ts'
import { checkedViews, prepareRows, type RowsByView } from './prepare-rows.ts'
import { removal } from './remove-rows.ts'
import { RowError, throwProblems } from './row-problems.ts'
import {
  keyOf,
  lastOfEach,
  literals,
  microsIn,
  type RowQuery,
  rowQuery,
  type StoredRow,
} from './row-query.ts'
import { agreeing, besideOwn } from './beside-own.ts'
import { OwnChanges, withNewTimes } from './own-changes.ts'
import { withSeries } from './series-statistics.ts'
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

/** Adds changes to the overlay of a session. @throws RowError, and then nothing has changed */
type Append = (changes: readonly RowChange[]) => Promise<void>

/**
 * The rows that the statements of a session see beside and in place of those of the plant, and the session's time. Changes
 * run one after the other; each is complete or changes nothing. A signal ends one whose client has left.
 */
export class SessionRows {
  readonly clock: SessionClock
  readonly #engine: () => StatementEngine
  #overlay: Overlay | undefined
  #turn: Promise<unknown> = Promise.resolve()
  #resets = 0
  #own = new OwnChanges()
  /** The time of the live plant that the session's own changes agree with. */
  #agreedAt: string | undefined

  constructor({ engine, plant }: SessionRowsOptions) {
    this.#engine = engine
    this.clock = new SessionClock(plant)
  }

  /** The rows for the next statement; undefined if they are those of the plant. */
  get overlay(): Overlay | undefined {
    return this.#overlay
  }

  /**
   * Adds rows, or replaces those with the same key. Missing columns get defaults; `last_updated_at` is the time of the
   * change, also of a row that has the stored one; the statistics of series follow from their points.
   *
   * @param rows by view
   * @throws RowError
   */
  put(rows: unknown, signal?: AbortSignal): Promise<ChangedCounts> {
    return this.#write(async (query, stamp) => {
      const changes = changesOf(await prepareRows(rows, query, stamp))
      const again = this.#own.removedAmong(changes).map((id) => ({ record_id: id }))
      return again.length === 0
        ? changes
        : [...changes, { view: 'v_archived_records', put: [], remove: again }]
    }, signal)
  }

  /**
   * Changes columns of rows that exist.
   *
   * @param rows by view: the key and the changed columns
   * @throws RowError, also for a row that does not exist
   */
  patch(rows: unknown, signal?: AbortSignal): Promise<ChangedCounts> {
    const make = async (query: RowQuery, stamp: string) => {
      const merged = await mergedRows(checkedViews(rows), query)
      return changesOf(await prepareRows(merged, query, stamp))
    }
    return this.#write(make, signal, rows as RowsByView)
  }

  /**
   * Removes rows and those that refer to them; they appear in `v_archived_records`.
   *
   * @param keys ids by view, or `{id, timestamp}` for points
   * @throws RowError
   */
  remove(keys: unknown, signal?: AbortSignal): Promise<ChangedCounts> {
    return this.#write((query, stamp) => removal(keys, query, stamp), signal)
  }

  /**
   * Moves the session's time forward; the rows change as the plant's do.
   *
   * @param by microseconds
   * @throws RowError if the time of this server cannot be moved
   */
  advance(by: Micros, signal?: AbortSignal): Promise<void> {
    return this.#move((due) => due + by, signal)
  }

  /** @param time microseconds since 1970. @throws RowError as {@link advance}, and for a time that is over */
  setTime(time: Micros, signal?: AbortSignal): Promise<void> {
    return this.#move(() => time, signal)
  }

  /** @param speed plant seconds per second; 0 freezes the time. @throws RowError as {@link advance} */
  runTime(speed: number, signal?: AbortSignal): Promise<void> {
    const run = () => this.clock.run(speed)
    return this.#move((due) => due, signal, run)
  }

  /** Lets the rows follow a running clock or a live plant, before a statement reads them, and for those after it. */
  async catchUp(): Promise<void> {
    if (this.clock.isBehind) return this.#move((due) => due)
    const now = this.clock.liveTime
    if (now === undefined || now === this.#agreedAt || !this.#overlay) return
    await this.#change(async (query, append) => {
      // a statement before this one may have done it
      if (now === this.#agreedAt) return
      await append(await agreeing(this.#own, query, this.clock.stamp()))
      this.#agreedAt = now
    })
  }

  /** Returns to the rows and the time of the plant. Changes that are not complete fail. */
  reset(): void {
    this.#resets += 1
    this.#overlay = undefined
    this.#own = new OwnChanges()
    this.clock.reset()
  }

  #move(target: (due: Micros) => Micros, signal?: AbortSignal, then = () => {}): Promise<void> {
    return this.#change(async (query, append) => {
      const atMs = performance.now()
      const to = target(this.clock.dueAt(atMs))
      const from = this.clock.time
      let count = 0
      for await (const step of this.clock.changesTo(to)) {
        signal?.throwIfAborted()
        count += rowCount(step.changes)
        // months differ by less than half
        if ((count / 2) * ((to - from) / (step.to - from)) > mostRows) throw new RowError(tooMany)
        await append(await besideOwn(step.changes, this.#own, query, iso(step.to)))
      }
      this.clock.set(to, atMs)
      then()
    }, signal)
  }

  #write(
    make: (query: RowQuery, stamp: string) => Promise<RowChange[]>,
    signal?: AbortSignal,
    patch?: RowsByView,
  ): Promise<ChangedCounts> {
    return this.#change(async (query, append) => {
      const stamp = this.clock.stamp()
      const changes = await withNewTimes(await make(query, stamp), query, stamp)
      const changed = await counts(changes, query)
      await append(await withSeries(changes, query, stamp))
      this.#own.add(changes, patch)
      for (const { put } of changes)
        for (const row of put as readonly StoredRow[]) this.clock.saw(microsIn(row['last_updated_at']))
      return changed
    }, signal)
  }

  /** Runs a change after those before it. If it fails, or the client leaves, nothing has changed. */
  #change<T>(work: (query: RowQuery, append: Append) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const resets = this.#resets
    const query = rowQuery(this.#engine, () => this.#overlay, signal)
    const append: Append = (changes) => {
      if (resets !== this.#resets) throw new RowError('The session was reset meanwhile.')
      const others = changes.filter(({ put, remove }) => put.length + remove.length > 0)
      return this.#append(others, signal)
    }
    const result = this.#turn.then(async () => {
      const before = this.#overlay
      try {
        signal?.throwIfAborted()
        return await work(query, append)
      } catch (error) {
        // engines may have a part of the change, so that the rows before get another id
        if (resets === this.#resets) this.#overlay = before && { ...before, id: newId() }
        throw error
      }
    })
    this.#turn = result.catch(() => {})
    return result
  }

  /** Lets the database try the changes. */
  async #append(changes: readonly RowChange[], signal: AbortSignal | undefined): Promise<void> {
    if (changes.length === 0) return
    const overlay = {
      id: this.#overlay?.id ?? newId(),
      changes: [...(this.#overlay?.changes ?? []), ...changes],
    }
    if (rowCount(overlay.changes) > mostRows) throw new RowError(tooMany)
    const resets = this.#resets
    try {
      await rowQuery(this.#engine, () => overlay, signal)('SELECT 1 AS one LIMIT 1')
    } catch (error) {
      if (error instanceof SqlError) throw new RowError(`The database refuses the rows: ${error.message}.`)
      throw error
    }
    if (resets === this.#resets) this.#overlay = overlay
  }
}

const tooMany = `A session changes at most ${mostRows} rows. Move its time less far, reset it, or use another one.`

const rowCount = (changes: readonly RowChange[]): number =>
  changes.reduce((sum, { put, remove }) => sum + put.length + remove.length, 0)

const newId = () => globalThis.crypto.randomUUID()

const changesOf = (rows: RowsByView): RowChange[] =>
  Object.entries(rows).flatMap(([view, list]) => {
    const put = lastOfEach(view as ViewName, list as readonly StoredRow[])
    return put.length === 0 ? [] : [{ view: view as ViewName, put, remove: [] }]
  })

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
      const id = key(row)
      const before = known.get(id)
      if (!before)
        problems.push(`${view} has no row ${JSON.stringify(row[first])} to change. Put the whole row.`)
      const renewed = ['last_updated_at', ...followingColumns(view, row)]
      const rest = Object.entries(before ?? {}).filter(([name]) => !renewed.includes(name))
      const changed = { ...Object.fromEntries(rest), ...row }
      // a row may be changed twice
      if (before) known.set(id, changed)
      return changed
    })
  }
  throwProblems(problems)
  return merged
}

async function counts(changes: readonly RowChange[], query: RowQuery): Promise<ChangedCounts> {
  const all: Partial<Record<ViewName, number>> = {}
  for (const { view, put, remove } of changes)
    all[view] = (all[view] ?? 0) + put.length + (await removedCount(view, remove, query))
  return all
}

/** The number of rows with these keys: the id of a series alone stands for all its points. */
async function removedCount(view: ViewName, keys: readonly RowKey[], query: RowQuery): Promise<number> {
  const series = view === 'v_timeseries_data' ? keys.filter(({ timestamp }) => timestamp === undefined) : []
  if (series.length === 0) return keys.length
  const ids = literals(new Set(series.map(({ id }) => id)))
  const [row] = await query(`SELECT count(*) AS points FROM v_timeseries_data WHERE id IN (${ids})`)
  return keys.length - series.length + Number(row!['points'])
}
