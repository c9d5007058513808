import { checkOptions, type OptionTypes } from '../../base/check-options.ts'
import type { ViewName, ViewRows } from '../../schemas/generated/types.ts'
import type { Adaptation } from '../rows/adaptation.ts'
import { checkCounts } from '../counts.ts'
import { changeColumns, DeltaWindow } from './delta-window.ts'
import { ClientUsageError } from '../errors.ts'
import { keysetPages, type ReadPage } from '../rows/keyset.ts'
import { dateLiteral, timestampText } from '../literals.ts'
import { timeOf } from '../rows/newer.ts'
import type { ReadView } from '../rows/read-view.ts'
import type { Row } from '../rows/rows.ts'
import { columnsOf } from '../statements.ts'
import { sleep } from '../../base/until-aborted.ts'
import type { ColumnOf } from '../views.ts'

/** The default overlap in milliseconds: longer than the time limit of a statement. */
const OVERLAP_MS = 60_000

export interface DeltaOptions<C extends string> {
  /** The cursor of the last stored batch, or a timestamp in ISO 8601. Default: from the beginning. */
  readonly since?: string | Date
  /** How far each read goes back, in milliseconds. Must exceed the longest write of the plant. Default: 60 000. */
  readonly overlapMs?: number
  /** Columns to read in addition to the time of change and the ids. Default: all. */
  readonly columns?: readonly C[]
  /** Keeps polling at this interval in milliseconds, until `signal` aborts or the loop ends. Default: reads once. */
  readonly pollMs?: number
  /**
   * `keyset` reads pages with ORDER BY and a row comparison, which the contract does not document. Default, and if the profile
   * says that the service refuses them: one documented statement reads all changes.
   */
  readonly paging?: 'keyset'
  /**
   * Most rows of a page, with `keyset`. Default: 1000. If you leave the loop at its first batch, a page has to hold more
   * rows than the overlap: otherwise each loop begins with the same page.
   */
  readonly pageSize?: number
  readonly signal?: AbortSignal
}

const types: OptionTypes<DeltaOptions<string>> = {
  since: 'string | Date',
  overlapMs: 'number',
  columns: 'array',
  pollMs: 'number',
  paging: '"keyset"',
  pageSize: 'number',
  signal: 'AbortSignal',
}

/** Changed rows, oldest first. */
export interface Delta<Row> {
  readonly rows: Row[]
  /** Where to continue. Store it after the rows. */
  readonly cursor: string
}

/** The columns that a delta always reads: the time of change and the ids. */
export type ChangeColumnOf<V extends ViewName> = Extract<
  ColumnOf<V>,
  V extends 'v_archived_records'
    ? keyof ViewRows[V]
    : V extends 'v_timeseries_data'
      ? 'id' | 'timestamp' | 'last_updated_at'
      : 'id' | 'last_updated_at'
>

/**
 * Yields the changes of a view, batch by batch. The cursor is safe for these reasons:
 *
 * 1. The contract documents `last_updated_at >` and LIMIT, but no order and no paging: a LIMIT may omit any row. So one
 *    statement reads all changes, or ordered pages with `keyset`.
 * 2. The cursor is the newest time read, exactly as printed. It never comes from a clock.
 * 3. A row may become visible after its time of change, when its transaction ends, and rows of different reads may share
 *    one time. `> cursor` would miss both. So each read goes back by `overlapMs` and omits rows already delivered.
 * 4. That state ends with the loop: a new loop with `since: cursor` delivers the rows of the overlap again. Each row is
 *    delivered at least once: store rows by id. Shorter printed times only increase the repetitions.
 *
 * v_archived_records has no last_updated_at: the client reads the whole view and compares archived_at.
 */
export async function* readDeltas(
  readView: ReadView,
  { dateLiteral: spelling, onlyDocumented, missing }: Adaptation,
  view: ViewName,
  options: DeltaOptions<string>,
): AsyncGenerator<Delta<Row>> {
  checkOptions(options, types, ClientUsageError)
  const { since, overlapMs = OVERLAP_MS, pollMs, paging, pageSize = 1000, signal } = options
  checkCounts({ overlapMs, pollMs, pageSize })
  const { time, keys } = changeColumns(view)
  const names = options.columns && [...new Set([...keys, time, ...options.columns])]
  columnsOf(view, names)
  if (missing[view]?.includes(time))
    throw new ClientUsageError(
      `According to the profile, ${view} has no ${time}, so its changes cannot be read. Read it with points().`,
    )
  const window = new DeltaWindow(time, since === undefined ? undefined : timestampText(since), overlapMs)
  /** With a coarser literal, or none, the service also returns older rows. */
  const answersOlder = spelling !== 'as-given' || time === 'archived_at'

  const read: ReadPage = (part) =>
    readView({ view, columns: names, ...part }, signal, (rows) => {
      for (const row of rows) timeOf(row, time)
      return rows
    })
  const pages = (bound: string | undefined) => {
    const literal = bound === undefined ? undefined : dateLiteral(bound, spelling)
    if (paging === 'keyset' && !onlyDocumented) {
      const start = literal && `${time} >= ${literal}`
      return keysetPages(read, [time, ...keys], { start, pageSize })
    }
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
