import { satisfies } from '../documented/judging.ts'
import { rowRules } from '../documented/row-rules.ts'
import { eachRow, type Invariant } from '../invariant.ts'
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
import { meanProblems, rangeProblems } from './statistics.ts'
import { dimensions } from './units.ts'

const bioprocesses = ['v_bioprocesses'] as const
const formulaResults = ['v_formula_results'] as const
const described = ['v_timeseries', 'v_formula_results'] as const

/**
 * The rules that a bioprocess engineer expects of any plant, P1 to P38 in order. None of them fails a target. Each judges
 * only rows whose quantities, units and keys it knows.
 */
export const plausible: readonly Invariant[] = [
  eachRow(
    'P1',
    'Record and run start before they end, and the run lies within the record',
    bioprocesses,
    records.orderProblems,
  ),
  eachRow(
    'P2',
    'duration_ms is the time from start to end',
    ['v_bioprocesses', 'v_timeseries'],
    records.durationProblems,
  ),
  eachRow('P3', 'The timestamps of the run fit the status', bioprocesses, records.statusProblems),
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
  eachRow('P14', 'The mean times the count is the sum', described, meanProblems),
  series.deviation,
  eachRow('P16', 'The mean lies between minimum and maximum', described, rangeProblems),
  eachRow(
    'P17',
    'Formula series have as many times as values, in increasing order',
    formulaResults,
    results.timesProblems,
  ),
  satisfies('P18', 'A formula result is either a value or a series', rowRules.oneForm),
  eachRow(
    'P19',
    'The statistics of a formula result match its values',
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
  eachRow('P29', 'Phases start once and end after their start', bioprocesses, events.phaseProblems),
  samples,
  culture.volume,
  culture.carbon,
  family.lineage,
  eachRow('P34', 'Only failed runs have a failure mode', bioprocesses, records.failureProblems),
  progress.current,
  progress.none,
  family.scheduled,
  culture.density,
]
