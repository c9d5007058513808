import { hour, isoOf, type Micros } from '../rows/instant.ts'
import { together, unless, type Invariant } from '../invariant.ts'
import { say } from '../message.ts'
import { hasNotStarted } from './records.ts'

/** The greatest age of the newest point of a run in progress, or two intervals of its series if that is longer. */
const fresh = 2 * hour

export const current: Invariant = together(
  'P35',
  'A run in progress has recent points',
  { judges: ['v_bioprocesses'], whole: ['v_timeseries', 'v_timeseries_data'] },
  function* (store) {
    if (Number.isNaN(store.now)) return
    for (const { status, series, id } of store.runs) {
      if (status !== 'In-progress') continue
      const times = series
        .map(({ points }) => points?.times ?? new Float64Array())
        .filter((own) => own.length > 0)
      const newest = times.reduce(
        (one, other) => (one.at(-1)! < other.at(-1)! ? other : one),
        new Float64Array([-Infinity]),
      )
      if (times.length === 0) continue
      const near = Math.max(fresh, 2 * medianInterval(newest))
      const message = say`The newest point is at ${isoOf(newest.at(-1)!)}, but the rows describe ${isoOf(store.now)}.`
      yield {
        view: 'v_bioprocesses',
        row: id,
        problems: unless(store.now - newest.at(-1)! <= near, message),
      }
    }
  },
)

function medianInterval(times: Float64Array): Micros {
  const intervals = Float64Array.from(times.subarray(1), (time, i) => time - times[i]!).sort()
  return intervals[intervals.length >> 1] ?? 0
}

export const none: Invariant = together(
  'P36',
  'A bioprocess that has not started has no points',
  { judges: ['v_bioprocesses'], whole: ['v_timeseries', 'v_timeseries_data'] },
  function* (store) {
    for (const { row, id, status, series } of store.runs) {
      if (!hasNotStarted(row)) continue
      const count = series.reduce((sum, { points }) => sum + (points?.length ?? 0), 0)
      const message = say`The status is ${status}, but there are ${count} points.`
      yield { view: 'v_bioprocesses', row: id, problems: unless(count === 0, message) }
    }
  },
)
