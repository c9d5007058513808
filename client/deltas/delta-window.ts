import type { ViewName } from '../../schemas/generated/types.ts'
import { contract } from '../../schemas/contract.ts'
import { earlier, instantOf } from '../rows/instant.ts'
import { isNewer, timeOf } from '../rows/newer.ts'
import { type Row, textOf } from '../rows/rows.ts'

/** The column with the time of change of a view, and the columns that identify its rows. */
export interface ChangeColumns {
  readonly time: 'last_updated_at' | 'archived_at'
  readonly keys: readonly string[]
}

export const changeColumns = (view: ViewName): ChangeColumns => ({
  time: view === 'v_archived_records' ? 'archived_at' : 'last_updated_at',
  keys: contract.keys[view],
})

/**
 * The state of a load of changes between two reads: the cursor, and the rows already delivered within the overlap.
 * `readDeltas` explains why.
 */
export class DeltaWindow {
  readonly #time: string
  readonly #overlapMs: number
  #cursor: string | undefined
  /** Delivered rows that may be read again, as text, with their times in nanoseconds. */
  #delivered = new Map<string, bigint>()

  /** @param since a timestamp in ISO 8601 */
  constructor(time: string, since: string | undefined, overlapMs: number) {
    this.#time = time
    this.#cursor = since
    this.#overlapMs = overlapMs
  }

  /** The newest time read, as the service printed it. */
  get cursor(): string | undefined {
    return this.#cursor
  }

  /** The lower bound of the next read; undefined reads everything. */
  get bound(): string | undefined {
    if (this.#cursor === undefined || this.#overlapMs === 0) return this.#cursor
    return earlier(this.#cursor, this.#overlapMs)
  }

  /**
   * Returns the rows not delivered before, oldest first, and advances the cursor. Rows are equal if all their values are,
   * so that two changes within one printed time are both delivered. Rows of one read are not compared with each other.
   *
   * @throws UnreadableRows if a row has no readable time
   */
  take(rows: readonly Row[]): Row[] {
    const timed = rows
      .filter((row) => this.#delivered.size === 0 || !this.#delivered.has(textOf(row)))
      .map((row) => ({ row, nanos: timeOf(row, this.#time).nanos }))
      .sort((a, b) => (a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0))
    const newest = timed.at(-1)
    if (newest && (this.#cursor === undefined || newest.nanos > instantOf(this.#cursor)!.nanos))
      this.#cursor = newest.row[this.#time] as string
    this.#remember(timed)
    return timed.map(({ row }) => row)
  }

  /** Omits rows that are not newer than the bound. */
  within(rows: readonly Row[], bound: string | undefined): Row[] {
    if (bound === undefined) return [...rows]
    const instant = instantOf(bound)!
    return rows.filter((row) => isNewer(row, this.#time, instant))
  }

  /** Keeps the rows that may be read again: after the bound, or within its last printed digit. */
  #remember(timed: readonly { row: Row; nanos: bigint }[]): void {
    const { bound } = this
    if (bound === undefined) return
    const { nanos, unit } = instantOf(bound)!
    for (const [text, time] of this.#delivered) if (time <= nanos - unit) this.#delivered.delete(text)
    for (const { row, nanos: time } of timed) if (time > nanos - unit) this.#delivered.set(textOf(row), time)
  }
}
