import { AnswerTooLarge, TimeLimitExceeded, TruncatedResult } from '../errors.ts'
import { instantOf, utcText } from '../rows/instant.ts'
import { timeOf } from '../rows/newer.ts'
import { byTimeAndSeries, conditionOf, isIn, POINTS, type Span } from './point-span.ts'
import type { ReadView } from '../rows/read-view.ts'

const HOUR_MS = 3_600_000

/** Failures of a period with too many points. */
const TOO_LONG = [AnswerTooLarge, TimeLimitExceeded, TruncatedResult]

/**
 * Periods of time, from an hour on: the next one is longer after few points and shorter after many. A period that exceeds the
 * time limit, or whose answer is truncated, is halved.
 */
export async function* byTime(read: ReadView, span: Span, pageSize: number, signal: AbortSignal | undefined) {
  const [start, end] = await boundsOf(read, span, signal)
  let length = HOUR_MS
  for (let at = start; at < end;) {
    const to = Math.min(at + length, end)
    const period = { series: span.series, from: timeText(at), to: timeText(to) }
    try {
      const points = await read({ view: POINTS, where: conditionOf(period) }, signal)
      // the ends of the span may be finer than milliseconds
      yield points.filter(isIn(span)).sort(byTimeAndSeries)
      if (points.length < pageSize / 2) length *= 2
      else if (points.length > pageSize) length = Math.max(1, Math.floor(length / 2))
      at = to
    } catch (error) {
      const isTooLong = TOO_LONG.some((kind) => error instanceof kind)
      if (!isTooLong || length <= 1) throw error
      length = Math.floor(length / 2)
    }
  }
}

/** The times of the first and after the last point in milliseconds since 1970, as given or as the series say. */
async function boundsOf(
  read: ReadView,
  { series, from, to }: Span,
  signal: AbortSignal | undefined,
): Promise<[number, number]> {
  // a part of a millisecond belongs to the span
  const given = [msOfText(from, 0n), msOfText(to, 999_999n)]
  if (given[0] !== undefined && given[1] !== undefined) return [given[0], given[1]]
  const all = await read(
    { view: 'v_timeseries', columns: ['id', 'start_timestamp', 'end_timestamp'] },
    signal,
  )
  let [start, end] = [Infinity, -Infinity]
  for (const row of all.filter(({ id }) => series === undefined || id === series)) {
    const last = timeOf(row, 'end_timestamp')
    start = Math.min(start, msOf(timeOf(row, 'start_timestamp').nanos))
    // the last point may be later than the last printed digit
    end = Math.max(end, msOf(last.nanos + last.unit) + 1)
  }
  return [given[0] ?? start, given[1] ?? end]
}

const msOfText = (text: string | undefined, moreNanos: bigint): number | undefined =>
  text === undefined ? undefined : msOf(instantOf(text)!.nanos + moreNanos)
const msOf = (nanos: bigint): number => Number(nanos / 1_000_000n)
const timeText = (ms: number): string => `${utcText({ nanos: BigInt(ms) * 1_000_000n }).slice(0, 23)}Z`
