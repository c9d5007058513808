import { contract } from '../generated/contract.ts'
import { views } from '../generated/views.ts'
import * as bioprocess from './bioprocess.ts'
import * as columns from './columns.ts'
import type { KeptView } from './evidence/evidence.ts'
import { eachRow, type Invariant } from './invariant.ts'
import * as change from './plausible/changes.ts'
import * as culture from './plausible/culture.ts'
import * as events from './plausible/events.ts'
import * as family from './plausible/family.ts'
import * as records from './plausible/records.ts'
import * as results from './plausible/results.ts'
import * as series from './plausible/series.ts'
import * as signals from './plausible/signals.ts'
import { dimensions } from './plausible/units.ts'
import { pointStatistics } from './points.ts'
import { pairOf, parentsApart, relations, unique } from './relations.ts'
import { meanProblems, rangeProblems, statisticsProblems } from './statistics.ts'
import * as values from './values.ts'

export { bioprocessStatuses } from './bioprocess.ts'
export { apparentKind, kindProblems, namedKind, type EventKind } from './events.ts'
export { microsOf, type Micros } from './evidence/instant.ts'
export { Inspection, judge, type InvariantFinding, type JudgeOptions, type Source } from './judge.ts'
export { shown, textOf, type Message } from './message.ts'
export type { Invariant, Judgement, Problems, Row } from './invariant.ts'
export type { Tables } from './tables.ts'

const all = views.map(({ name }) => name)
const bioprocesses = ['v_bioprocesses'] as const
const scalars = ['v_bioprocess_quantity_data'] as const
const quantities = ['v_quantities'] as const
const formulaResults = ['v_formula_results'] as const

/** What the documentation promises of the rows, D1 to D33 in their order. */
const documented: readonly Invariant[] = [
  eachRow('D1', 'The nine views have their documented columns', all, columns.columnProblems),
  unique('D2', 'Unique identifiers occur once', contract.uniqueIds as readonly KeptView[], (row) =>
    String(row['id']),
  ),
  eachRow('D3', 'v_bioprocesses.data is empty', bioprocesses, bioprocess.dataProblems),
  eachRow('D4', 'v_bioprocesses.status is a documented value', bioprocesses, bioprocess.statusProblems),
  eachRow('D5', 'qc has both keys', bioprocesses, bioprocess.qcProblems),
  eachRow('D6', 'Columns that are never null are not null', all, columns.nullProblems),
  eachRow('D7', 'Timestamps are ISO 8601', all, columns.timestampProblems),
  eachRow('D8', 'Timestamps with timezone have one', all, columns.zoneProblems),
  ...relations,
  eachRow('D16', 'statistics has its eight keys', ['v_timeseries'], statisticsProblems),
  ...pointStatistics,
  unique('D24', 'One scalar for each bioprocess and quantity', scalars, pairOf),
  eachRow('D25', 'The unit of a scalar is a text', scalars, values.unitProblems),
  eachRow('D26', 'Events of a documented kind have its fields', bioprocesses, bioprocess.eventsProblems),
  eachRow('D27', 'Volumes are a unit and a value', bioprocesses, bioprocess.volumeProblems),
  eachRow('D28', 'Formula series are numbers', formulaResults, values.seriesProblems),
  eachRow(
    'D29',
    'Quantities say whether they are series, and their other names',
    quantities,
    values.quantityProblems,
  ),
  eachRow('D30', 'A molar mass is a number or null', quantities, values.molarMassProblems),
  eachRow('D31', 'Rows say when they changed', contract.delta.views, columns.cursorProblems),
  parentsApart,
  eachRow('D33', 'A scalar is a text or a number', scalars, values.valueProblems),
]

const described = ['v_timeseries', 'v_formula_results'] as const

/**
 * What a bioprocess engineer expects of the rows of any plant, P1 to P38 in their order. Each judges what it can: where
 * a quantity, a unit or a key is not one it knows, it judges nothing. P39, that a seed gives the same bytes again, is
 * about two datasets and no row shows it: it is a test of the fixtures.
 */
const plausible: readonly Invariant[] = [
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
  family.samples,
  culture.volume,
  culture.carbon,
  family.lineage,
  eachRow('P34', 'Failed runs alone have a failure mode', bioprocesses, records.failureProblems),
  series.current,
  series.none,
  family.scheduled,
  culture.density,
]

/** Everything that is always true of the rows of the service: D1 to D33, then P1 to P38. */
export const invariants: readonly Invariant[] = [...documented, ...plausible]
