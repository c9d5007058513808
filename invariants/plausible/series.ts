import { inSentences, notRepeated } from '../documented/judging.ts'
import { isoOf, isSameInstant, microsOf, type Micros } from '../rows/instant.ts'
import type { Run, RunSeries } from '../rows/run.ts'
import { inTurn, together, unless, type Invariant, type Judgement, type Problems } from '../invariant.ts'
import { keyOf, isRecord, nameOf, type Row } from '../rows/row.ts'
import { say, words } from '../message.ts'
import { isClose, populationDeviation } from '../statistics.ts'

const ofPoints = { judges: ['v_timeseries'], whole: ['v_timeseries_data'] } as const
const ofRuns = { judges: ['v_timeseries'], whole: ['v_timeseries_data', 'v_bioprocesses'] } as const

export const kinds: Invariant = together(
  'P9',
  'Series and scalars fit is_timeseries of their quantity',
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

export const single = inTurn(
  'P10',
  'A bioprocess has at most one series for each quantity',
  ['v_timeseries'],
  () => inSentences(notRepeated(['bioprocess_id', 'quantity_id'])),
)

export const edges: Invariant = together(
  'P11',
  'The start and end of a series are those of its points',
  ofPoints,
  function* (store) {
    for (const row of store.rows('v_timeseries')) {
      const times = store.points.get(nameOf(row))?.times ?? []
      if (times.length === 0) continue
      const problems = [
        ...edgeProblems(row, 'start_timestamp', times[0]!),
        ...edgeProblems(row, 'end_timestamp', times.at(-1)!),
      ]
      yield { view: 'v_timeseries', row: nameOf(row), problems }
    }
  },
)

function edgeProblems(row: Row, column: string, time: Micros): Problems {
  const edge = microsOf(row[column])
  const agrees = Number.isNaN(edge) || isSameInstant(edge, time)
  return unless(agrees, say`${words(column)} is ${row[column]}, but the point is at ${isoOf(time)}.`)
}

export const increasing: Invariant = together(
  'P12',
  'Points of a series have different times',
  { judges: ['v_timeseries_data'] },
  function* (store) {
    for (const [id, { times }] of store.points) {
      let repeated: Micros | undefined
      for (let i = 1; i < times.length && repeated === undefined; i++)
        if (times[i] === times[i - 1]) repeated = times[i]
      const message = say`Two points have the time ${repeated === undefined ? '' : isoOf(repeated)}.`
      yield { view: 'v_timeseries_data', row: id, problems: unless(repeated === undefined, message) }
    }
  },
)

export const inside: Invariant = together(
  'P13',
  'Points lie within the record of their bioprocess',
  ofRuns,
  (store) =>
    eachSeries(store.runs, ({ row }, { points }) => {
      const [start, end] = [microsOf(row['start_timestamp']), microsOf(row['end_timestamp'])]
      const outside = [points.times[0]!, points.times.at(-1)!].filter((time) => time < start || time > end)
      return outside.map((time) => say`A point at ${isoOf(time)} is outside the record.`)
    }),
)

/** The deviation is a square root of a sum, so it has fewer exact digits than the values. */
const deviationTolerance = 1e-6

export const deviation: Invariant = together(
  'P15',
  'The standard deviation is that of the sample or the population',
  ofPoints,
  function* (store) {
    for (const row of store.rows('v_timeseries')) {
      const points = store.points.get(nameOf(row))
      const { statistics } = row
      const printed = isRecord(statistics) ? statistics['standard_deviation'] : undefined
      if (!points || points.statistics.count < 2 || printed === undefined) continue
      const sample = points.statistics.standard_deviation
      const population = populationDeviation(points.statistics)
      const fits = [sample, population].some((value) => isClose(printed, value, deviationTolerance))
      const message = say`standard_deviation is ${printed}, but the points give ${sample} (sample) or ${population} (population).`
      yield { view: 'v_timeseries', row: nameOf(row), problems: unless(fits, message) }
    }
  },
)

/** Judges every series that has points, together with its run. */
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
