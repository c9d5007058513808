import { instantOf } from '../rows/instant.ts'
import { quote, timestampText } from '../literals.ts'
import { timeOf } from '../rows/newer.ts'
import type { Row } from '../rows/rows.ts'

/** The view of the points. */
export const POINTS = 'v_timeseries_data'

/** Which points are read. */
export interface Span {
  readonly series: string | undefined
  readonly from: string | undefined
  readonly to: string | undefined
}

/** @throws ClientUsageError for any text but ISO 8601 */
export const spanOf = ({
  series,
  from,
  to,
}: {
  series?: string
  from?: string | Date
  to?: string | Date
}): Span => ({
  series,
  from: from === undefined ? undefined : timestampText(from),
  to: to === undefined ? undefined : timestampText(to),
})

/** The condition of a statement, which the contract does not document. */
export const conditionOf = ({ series, from, to }: Span): string | undefined =>
  [
    series !== undefined && `id = ${quote(series)}`,
    from !== undefined && `timestamp >= ${quote(from)}`,
    to !== undefined && `timestamp < ${quote(to)}`,
  ]
    .filter(Boolean)
    .join(' AND ') || undefined

/** Whether a point is in a span. @throws UnreadableRows if it has no readable time */
export function isIn(span: Span): (point: Row) => boolean {
  const [from, to] = [span.from, span.to].map((text) =>
    text === undefined ? undefined : instantOf(text)!.nanos,
  )
  return (point) => {
    const { nanos } = timeOf(point, 'timestamp')
    const isWithin = (from === undefined || nanos >= from) && (to === undefined || nanos < to)
    return isWithin && (span.series === undefined || point['id'] === span.series)
  }
}

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : Number(a > b))
const times = (a: Row, b: Row): number => compare(timeOf(a, 'timestamp').nanos, timeOf(b, 'timestamp').nanos)
const series = (a: Row, b: Row): number => compare(String(a['id']), String(b['id']))
export const bySeriesAndTime = (a: Row, b: Row): number => series(a, b) || times(a, b)
export const byTimeAndSeries = (a: Row, b: Row): number => times(a, b) || series(a, b)
