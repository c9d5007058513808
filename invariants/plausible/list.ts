import { eachRow, type Invariant } from '../invariant.ts'
import { meanProblems, rangeProblems } from '../documented/statistics.ts'
import * as change from './changes.ts'
import * as culture from './culture.ts'
import * as events from './events.ts'
import * as family from './family.ts'
import * as progress from './progress.ts'
import * as records from './records.ts'
import * as results from './results.ts'
import { samples } from './samples.ts'
import * as series from './series.ts'
import * as signals from './signals.ts'
import { dimensions } from './units.ts'

const bioprocesses = ['v_bioprocesses'] as const
const formulaResults = ['v_formula_results'] as const
const described = ['v_timeseries', 'v_formula_results'] as const

/**
 * What a bioprocess engineer expects of the rows of any plant, P1 to P38 in their order. Each judges what it can: where
 * a quantity, a unit or a key is not one it knows, it judges nothing. P39, that a seed gives the same bytes again, is
 * about two datasets and no row shows it: it is a test of the fixtures.
 */
export const plausible: readonly Invariant[] = [
  eachRow('P1', 'Record and run start and end in order', bioprocesses, records.orderProblems),
  eachRow(
    'P2',
    'Durations are those of run and series',
    ['v_bioprocesses', 'v_timeseries'],
    records.durationProblems,
  ),
  eachRow('P3', 'The status says what is known of the run', bioprocesses, records.statusProblems),
  eachRow(
    'P4',
    'Schedules start before they end',
    ['v_bioprocesses', 'v_experiments'],
    records.scheduleProblems,
  ),
  family.resolved,
  change.changes,
  change.archival,
  change.gone,
  series.kinds,
  series.single,
  series.edges,
  series.increasing,
  series.inside,
  eachRow('P14', 'Mean times count is the sum', described, meanProblems),
  series.deviation,
  eachRow('P16', 'The mean lies between minimum and maximum', described, rangeProblems),
  eachRow(
    'P17',
    'Formula series have as many times as values, in order',
    formulaResults,
    results.timesProblems,
  ),
  eachRow('P18', 'A formula result is a value or a series', formulaResults, results.formProblems),
  eachRow(
    'P19',
    'The statistics of a formula result recompute from it',
    formulaResults,
    results.resultProblems,
  ),
  results.readyOnly,
  dimensions,
  signals.monotone,
  signals.cells,
  signals.bounded,
  signals.respiration,
  culture.product,
  eachRow(
    'P27',
    'The induction lies within the run and is one of its events',
    bioprocesses,
    events.inductionProblems,
  ),
  eachRow('P28', 'Events lie within the record', bioprocesses, events.windowProblems),
  eachRow('P29', 'Phases start, and end later', bioprocesses, events.phaseProblems),
  samples,
  culture.volume,
  culture.carbon,
  family.lineage,
  eachRow('P34', 'Failed runs alone have a failure mode', bioprocesses, records.failureProblems),
  progress.current,
  progress.none,
  family.scheduled,
  culture.density,
]
