import { checkOptions, type OptionTypes } from '../../base/check-options.ts'
import type { TimeseriesPoint } from '../../schemas/generated/types.ts'
import type { Adaptation } from '../rows/adaptation.ts'
import { checkCounts } from '../counts.ts'
import { ClientUsageError } from '../errors.ts'
import { bySeriesAndTime, isIn, POINTS, type Span, spanOf } from './point-span.ts'
import { byKeyset } from './points-by-keyset.ts'
import { byTime } from './points-by-time.ts'
import type { ReadView } from '../rows/read-view.ts'
import type { Row } from '../rows/rows.ts'
import { columnsOf } from '../statements.ts'
import { type RowsOf, withDates } from '../rows/timestamps.ts'

export interface PointsOptions<D extends boolean = boolean> {
  /** The id of one series. Default: all. */
  readonly series?: string
  /** Only points at this time or later. */
  readonly from?: string | Date
  /** Only points before this time. */
  readonly to?: string | Date
  /**
   * `keyset`: pages in the order of series and time, each of which begins where the last one ended. `time`: periods in the
   * order of time, which grow and shrink with the number of their points; needs no ORDER BY and no row comparison. The
   * contract documents neither. Default: `keyset`; if the profile says that the service refuses both, all points at once.
   */
  readonly paging?: 'keyset' | 'time'
  /** Most points of a page, with `keyset`; with `time`, about as many. Default: 1000. */
  readonly pageSize?: number
  /** Returns timestamps as `Date`, without digits beyond milliseconds. Default: false. */
  readonly dates?: D
  readonly signal?: AbortSignal
}

const types: OptionTypes<PointsOptions> = {
  series: 'string',
  from: 'string | Date',
  to: 'string | Date',
  paging: '"keyset" | "time"',
  pageSize: 'number',
  dates: 'boolean',
  signal: 'AbortSignal',
}

/** The points of a page. */
export type Points<D extends boolean = false> = RowsOf<'v_timeseries_data', keyof TimeseriesPoint, D>

const columns = columnsOf(POINTS)

/** Reads the points of series page by page. */
export async function* readPoints(
  read: ReadView,
  adaptation: Adaptation,
  options: PointsOptions,
): AsyncGenerator<Row[]> {
  checkOptions(options, types, ClientUsageError)
  const { paging = 'keyset', pageSize = 1000, dates, signal } = options
  checkCounts({ pageSize })
  const span = spanOf(options)
  const size = Math.min(pageSize, (adaptation.maxRows ?? Infinity) - 1)
  const pages = adaptation.onlyDocumented
    ? allAtOnce(read, span, size, signal)
    : paging === 'keyset'
      ? byKeyset(read, span, size, signal)
      : byTime(read, span, size, signal)
  for await (const page of pages) if (page.length > 0) yield dates ? withDates(page, columns) : page
}

/** One documented statement; the client selects and orders its rows. */
async function* allAtOnce(read: ReadView, span: Span, pageSize: number, signal: AbortSignal | undefined) {
  const points = await read({ view: POINTS }, signal, (rows) => rows.filter(isIn(span)).sort(bySeriesAndTime))
  for (let at = 0; at < points.length; at += pageSize) yield points.slice(at, at + pageSize)
}
