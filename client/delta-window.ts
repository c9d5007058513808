import type { ViewName } from '../schemas/generated/types.ts'
import { earlier, instantOf } from './instant.ts'
import { isNewer, timeOf } from './newer.ts'
import type { Row } from './rows.ts'

/** Where a view says when a row changed, and which columns tell its rows apart. */
export interface ChangeColumns {
  readonly time: 'last_updated_at' | 'archived_at'
  readonly keys: readonly string[]
}

export function changeColumns(view: ViewName): ChangeColumns {
  if (view === 'v_archived_records') return { time: 'archived_at', keys: ['record_id', 'table_name'] }
  return { time: 'last_updated_at', keys: view === 'v_timeseries_data' ? ['id', 'timestamp'] : ['id'] }
}

/**
 * What a load of changes remembers between two reads: how far it came, and the rows it gave in the stretch that every
 * read goes back over. `readDeltas` says why.
 */
export class DeltaWindow {
  readonly #time: string
  readonly #overlapMs: number
  #cursor: string | undefined
  /** Rows that were given, as text, with their times in nanoseconds. Only those that may come again. */
  #given = new Map<string, bigint>()

  /** @param since a timestamp in ISO 8601 */
  constructor(time: string, since: string | undefined, overlapMs: number) {
    this.#time = time
    this.#cursor = since
    this.#overlapMs = overlapMs
  }

  /** The newest time seen, as the service printed it. */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /** After what the next read begins; undefined reads everything. */
  get bound(): string | undefined {
    if (this.#cursor === undefined || this.#overlapMs === 0) return this.#cursor
    return earlier(this.#cursor, this.#overlapMs)
  }

  /**
   * The rows of a read that were not given before, oldest first; moves the cursor. A row is the same when all of it is:
   * one that changed twice within what its time prints is given twice. Rows of one read are never compared.
   *
   * @throws UnreadableRows where a row has no readable time
   */
  take(rows: readonly Row[]): Row[] {
    const timed = rows
      .filter((row) => this.#given.size === 0 || !this.#given.has(textOf(row)))
      .map((row) => ({ row, nanos: timeOf(row, this.#time).nanos }))
      .sort((a, b) => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0))
    const newest = timed.at(-1)
    if (newest && (this.#cursor === undefined || newest.nanos > instantOf(this.#cursor)!.nanos))
      this.#cursor = newest.row[this.#time] as string
    this.#remember(timed)
    return timed.map(({ row }) => row)
  }

  /** Leaves out what a read brought from before its bound. */
  within(rows: readonly Row[], bound: string | undefined): Row[] {
    if (bound === undefined) return [...rows]
    const instant = instantOf(bound)!
    return rows.filter((row) => isNewer(row, this.#time, instant))
  }

  /** Keeps what may come again: rows after the bound, or within its last printed digit. */
  #remember(timed: readonly { row: Row; nanos: bigint }[]): void {
    const { bound } = this
    if (bound === undefined) return
    const { nanos, unit } = instantOf(bound)!
    for (const [text, time] of this.#given) if (time <= nanos - unit) this.#given.delete(text)
    for (const { row, nanos: time } of timed) if (time > nanos - unit) this.#given.set(textOf(row), time)
  }
}

/** The whole of a row as text; another parser may give integers that JSON does not know. */
const textOf = (row: Row): string =>
  JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value))
