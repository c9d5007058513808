import { isoOf, isSameInstant, microsOf, type Micros } from '../rows/instant.ts'
import type { Run, RunSeries } from '../rows/run.ts'
import {
  unique,
  isClose,
  together,
  unless,
  type Invariant,
  type Judgement,
  type Problems,
} from '../invariant.ts'
import { pairOf, keyOf, isRecord, nameOf } from '../rows/row.ts'
import { say } from '../message.ts'

const ofPoints = { judges: ['v_timeseries'], whole: ['v_timeseries_data'] } as const
const ofRuns = { judges: ['v_timeseries'], whole: ['v_timeseries_data', 'v_bioprocesses'] } as const

export const kinds: Invariant = together(
  'P9',
  'Series are of series quantities, scalars are not',
  { judges: ['v_timeseries', 'v_bioprocess_quantity_data'], whole: ['v_quantities'] },
  function* (store) {
    const quantities = store.byId('v_quantities')
    for (const view of ['v_timeseries', 'v_bioprocess_quantity_data'] as const) {
      for (const row of store.rows(view)) {
        const quantity = quantities.get(keyOf(row['quantity_id']))
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
  function* (store) {
    for (const row of store.rows('v_timeseries')) {
      const times = store.points.get(nameOf(row))?.times ?? []
      if (times.length === 0) continue
      const problems = [
        ...edgeProblems(row['start_timestamp'], times[0]!),
        ...edgeProblems(row['end_timestamp'], times.at(-1)!),
      ]
      yield { view: 'v_timeseries', row: nameOf(row), problems }
    }
  },
)

function edgeProblems(said: unknown, time: Micros): Problems {
  const agrees = Number.isNaN(microsOf(said)) || isSameInstant(microsOf(said), time)
  return unless(agrees, say`It says ${said}, the point is at ${isoOf(time)}.`)
}

export const increasing: Invariant = together(
  'P12',
  'Points of a series are at different times',
  { judges: ['v_timeseries_data'] },
  function* (store) {
    for (const [id, { times }] of store.points) {
      let repeated: Micros | undefined
      for (let i = 1; i < times.length && repeated === undefined; i++)
        if (times[i] === times[i - 1]) repeated = times[i]
      const message = say`Two points are at ${repeated === undefined ? '' : isoOf(repeated)}.`
      yield { view: 'v_timeseries_data', row: id, problems: unless(repeated === undefined, message) }
    }
  },
)

export const inside: Invariant = together('P13', 'Points lie within the record', ofRuns, (store) =>
  eachSeries(store.runs, ({ row }, { points }) => {
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
  function* (store) {
    for (const row of store.rows('v_timeseries')) {
      const points = store.points.get(nameOf(row))
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
