import { microsOf, isoOf, isSameInstant, hour, type Micros } from '../evidence/instant.ts'
import type { Run, RunSeries } from '../evidence/run.ts'
import { isClose, isRecord, nameOf, together, unless, type Invariant, type Judgement } from '../invariant.ts'
import { say } from '../message.ts'
import { pairOf, unique } from '../relations.ts'
import { hasNotStarted } from './records.ts'

const ofPoints = { judges: ['v_timeseries'], whole: ['v_timeseries_data'] } as const
const ofRuns = { judges: ['v_timeseries'], whole: ['v_timeseries_data', 'v_bioprocesses'] } as const

export const kinds: Invariant = together(
  'P9',
  'Series are of series quantities, scalars are not',
  { judges: ['v_timeseries', 'v_bioprocess_quantity_data'], whole: ['v_quantities'] },
  function* (evidence) {
    const quantities = evidence.byId('v_quantities')
    for (const view of ['v_timeseries', 'v_bioprocess_quantity_data'] as const) {
      for (const row of evidence.rows(view)) {
        const quantity = quantities.get(String(row['quantity_id']))
        const flag = quantity?.['is_timeseries']
        if (typeof flag !== 'boolean') continue
        const fits = flag === (view === 'v_timeseries')
        const message = say`The quantity ${quantity!['name']} has is_timeseries ${flag}.`
        yield { view, row: nameOf(row), problems: unless(fits, message) }
      }
    }
  },
)

export const single = unique('P10', 'One series for each bioprocess and quantity', ['v_timeseries'], pairOf)

export const edges: Invariant = together(
  'P11',
  'A series starts and ends with its points',
  ofPoints,
  function* (evidence) {
    for (const row of evidence.rows('v_timeseries')) {
      const times = evidence.points.get(nameOf(row))?.times ?? []
      if (times.length === 0) continue
      const problems = (
        [
          ['start_timestamp', times[0]!],
          ['end_timestamp', times.at(-1)!],
        ] as const
      ).flatMap(([column, time]) => {
        const message = say`It says ${row[column]}, the point is at ${textOf(time)}.`
        return unless(!(Math.abs(microsOf(row[column]) - time) >= 1000), message)
      })
      yield { view: 'v_timeseries', row: nameOf(row), problems }
    }
  },
)

const textOf = (time: Micros) => (Number.isNaN(time) ? 'no time' : isoOf(time))

export const increasing: Invariant = together(
  'P12',
  'Points of a series are at different times',
  { judges: ['v_timeseries_data'] },
  function* (evidence) {
    for (const [id, { times }] of evidence.points) {
      let repeated: Micros | undefined
      for (let i = 1; i < times.length && repeated === undefined; i++)
        if (times[i]! === times[i - 1]!) repeated = times[i]
      const message = say`Two points are at ${textOf(repeated ?? Number.NaN)}.`
      yield { view: 'v_timeseries_data', row: id, problems: unless(repeated === undefined, message) }
    }
  },
)

export const inside: Invariant = together('P13', 'Points lie within the record', ofRuns, (evidence) =>
  eachSeries(evidence.runs, ({ row }, { points }) => {
    const [start, end] = [microsOf(row['start_timestamp']), microsOf(row['end_timestamp'])]
    const outside = [points.times[0]!, points.times.at(-1)!].filter((time) => time < start || time > end)
    return outside.map((time) => say`A point at ${isoOf(time)} is outside of the record.`)
  }),
)

/** The deviation is a root: the sum of squares it comes from is known to fewer digits than the values. */
const deviationTolerance = 1e-6

export const deviation: Invariant = together(
  'P15',
  'The standard deviation is that of a sample or of a population',
  ofPoints,
  function* (evidence) {
    for (const row of evidence.rows('v_timeseries')) {
      const points = evidence.points.get(nameOf(row))
      const { statistics } = row
      const printed = isRecord(statistics) ? statistics['standard_deviation'] : undefined
      if (!points || points.summary.count < 2 || printed === undefined) continue
      const { squares, count } = points.summary
      const [sample, population] = [Math.sqrt(squares / (count - 1)), Math.sqrt(squares / count)]
      const fits = [sample, population].some((value) => isClose(printed, value, deviationTolerance))
      const message = say`standard_deviation is ${printed}, the points give ${sample} or ${population}.`
      yield { view: 'v_timeseries', row: nameOf(row), problems: unless(fits, message) }
    }
  },
)

/** A run in progress was measured this short before, or two of the intervals at which the series is. */
const fresh = 2 * hour

export const current: Invariant = together(
  'P35',
  'A run in progress was measured just now',
  { judges: ['v_bioprocesses'], whole: ['v_timeseries', 'v_timeseries_data'] },
  function* (evidence) {
    for (const { status, series, id } of evidence.runs) {
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
      const message = say`Its newest point is of ${isoOf(newest.at(-1)!)}, and it is ${isoOf(evidence.now)}.`
      yield {
        view: 'v_bioprocesses',
        row: id,
        problems: unless(evidence.now - newest.at(-1)! <= near, message),
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
  function* (evidence) {
    for (const { row, id, status, series } of evidence.runs) {
      if (!hasNotStarted(row)) continue
      const count = series.reduce((sum, { points }) => sum + (points?.length ?? 0), 0)
      const message = say`It is ${status}, and has ${count} points.`
      yield { view: 'v_bioprocesses', row: id, problems: unless(count === 0, message) }
    }
  },
)

/** Judges every series that has points, beside its run. */
export function* eachSeries(
  runs: readonly Run[],
  problems: (
    run: Run,
    series: Required<RunSeries> & { points: NonNullable<RunSeries['points']> },
  ) => Judgement['problems'] | undefined,
): Generator<Judgement> {
  for (const run of runs) {
    for (const series of run.series) {
      const { points } = series
      const found = points && points.length > 0 ? problems(run, { ...series, points }) : undefined
      if (found) yield { view: 'v_timeseries', row: series.id, problems: found }
    }
  }
}
