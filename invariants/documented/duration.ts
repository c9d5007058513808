import { readTimestamp } from '../../base/time/timestamp.ts'
import { microsOf } from '../rows/instant.ts'
import { say } from '../message.ts'
import { noViolations, rowRule } from './judging.ts'

/** Durations may be whole milliseconds. */
const ROUNDING_MS = 1

/** The value of the last printed digit of a timestamp with a zone, in milliseconds; NaN without a zone. */
function precisionOf(value: unknown): number {
  const timestamp = typeof value === 'string' ? readTimestamp(value) : undefined
  return timestamp?.zone === undefined ? Number.NaN : timestamp.unit / 1_000_000
}

/** The duration of a series is the time from its start to its end, in milliseconds, to the precision of both. */
export const seriesDuration = rowRule(
  'REQ-VIEW-TS-DURATION',
  'v_timeseries',
  ({ start_timestamp: start, end_timestamp: end, duration_ms: duration }) => {
    const tolerance = ROUNDING_MS + precisionOf(start) + precisionOf(end)
    if (typeof duration !== 'number' || Number.isNaN(tolerance)) return undefined
    const between = (microsOf(end) - microsOf(start)) / 1000
    if (Math.abs(duration - between) <= tolerance) return noViolations
    return [
      {
        column: 'duration_ms',
        expected: say`${between} (from ${start} to ${end})`,
        actual: say`${duration}`,
      },
    ]
  },
)
