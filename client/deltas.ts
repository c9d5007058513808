import type { ViewName, ViewRows } from '../schemas/generated/types.ts'
import type { Ask } from './ask.ts'
import { changeColumns, DeltaWindow } from './delta-window.ts'
import { ClientError } from './errors.ts'
import { keysetPages, type ReadPage } from './keyset.ts'
import { dateLiteral, type DateLiteral, timestampText } from './literals.ts'
import { timeOf } from './newer.ts'
import { completeRows, type Row } from './rows.ts'
import { columnsOf, select } from './statements.ts'
import { sleep } from '../schemas/until-aborted.ts'
import type { ColumnOf } from './views.ts'

/** How far each read goes back, in milliseconds: longer than a statement of the service may run. */
const OVERLAP_MS = 60_000

export interface DeltaOptions<C extends string> {
  /** The cursor of the last batch that was stored, or any timestamp in ISO 8601. Default: from the beginning. */
  readonly since?: string | Date
  /** How far each read goes back, in milliseconds. Default: 60 000. Longer than the longest write of the plant. */
  readonly overlapMs?: number
  /** Columns to read, beside the time of change and the ids, which always come. Default: all. */
  readonly columns?: readonly C[]
  /** Goes on after everything was read, with this pause in milliseconds, until `signal` aborts or the loop is left. */
  readonly pollMs?: number
  /**
   * `keyset` reads in pages, by ORDER BY and a comparison of rows, which the contract does not document. Default: one
   * statement of the documented kinds reads all changes.
   */
  readonly paging?: 'keyset'
  /**
   * Most rows of a page, with `keyset`. Default: 1000. If you leave the loop at its first batch, a page has to hold more
   * rows than the overlap: otherwise each loop begins with the same page.
   */
  readonly pageSize?: number
  readonly signal?: AbortSignal
}

/** Rows that changed, oldest first. */
export interface Delta<Row> {
  readonly rows: Row[]
  /** Where to go on. Safe to store once the rows are stored. */
  readonly cursor: string
}

/** The time of change and the ids of a view: what a delta reads in any case. */
export type ChangeColumnOf<V extends ViewName> = Extract<
  ColumnOf<V>,
  V extends 'v_archived_records'
    ? keyof ViewRows[V]
    : V extends 'v_timeseries_data'
      ? 'id' | 'timestamp' | 'last_updated_at'
      : 'id' | 'last_updated_at'
>

/**
 * What changed in a view, batch by batch. Why the cursor is safe:
 *
 * 1. The contract documents `last_updated_at >` and LIMIT, but neither an order nor paging: a LIMIT may leave out any
 *    row. So one statement reads all changes (or pages in an order, with `keyset`), and no batch ends inside them.
 * 2. The cursor is the newest time seen, compared to the last digit printed and kept as printed. Never a clock's.
 * 3. A row may get its time and be seen only later, when its write ends; rows may share one time, across reads too.
 *    `> cursor` would lose both. So each read goes back by `overlapMs`, and rows given before are left out.
 * 4. That memory ends with the loop: a new one with `since: cursor` gives the rows of the overlap again. Each row comes
 *    at least once, never never: store by id. Times printed shorter than they are kept only make more come again.
 *
 * v_archived_records has no last_updated_at: it is read whole, and archived_at is compared here.
 */
export async function* readDeltas(
  ask: Ask,
  spelling: DateLiteral,
  view: ViewName,
  options: DeltaOptions<string>,
): AsyncGenerator<Delta<Row>> {
  const { since, overlapMs = OVERLAP_MS, pollMs, paging, pageSize = 1000, signal } = options
  checkNumbers({ overlapMs, pollMs, pageSize })
  const { time, keys } = changeColumns(view)
  const names = options.columns && [...new Set([...keys, time, ...options.columns])]
  const columns = columnsOf(view, names)
  const window = new DeltaWindow(time, since === undefined ? undefined : timestampText(since), overlapMs)
  /** A service that compares with a coarser literal, or with none, answers with older rows too. */
  const answersOlder = spelling !== 'as-given' || time === 'archived_at'

  const read: ReadPage = (part) =>
    ask.rows(select({ view, columns: names, ...part }), signal, names, (rows) => {
      for (const row of completeRows(rows, columns)) timeOf(row, time)
      return rows
    })
  const pages = (bound: string | undefined) => {
    const literal = bound === undefined ? undefined : dateLiteral(bound, spelling)
    if (paging === 'keyset') return keysetPages(read, [time, ...keys], literal, pageSize)
    return onePage(read, time === 'archived_at' || literal === undefined ? undefined : `${time} > ${literal}`)
  }

  for (;;) {
    const { bound } = window
    for await (const page of pages(bound)) {
      const rows = window.take(answersOlder ? window.within(page, bound) : page)
      if (rows.length > 0) yield { rows, cursor: window.cursor! }
    }
    if (pollMs === undefined) return
    await sleep(pollMs, signal)
  }
}

async function* onePage(read: ReadPage, where: string | undefined): AsyncGenerator<Row[]> {
  yield await read({ where })
}

function checkNumbers(numbers: Readonly<Record<string, number | undefined>>): void {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && !(value >= 0 && Number.isFinite(value)))
      throw new ClientError(`${name} is ${value}. Give a number that is not below 0, or leave it out.`)
  if (numbers['pageSize'] === 0) throw new ClientError('pageSize is 0. Give the number of rows of a page.')
}
