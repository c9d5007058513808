import { contract } from '../generated/contract.ts'
import { views } from '../generated/views.ts'
import * as bioprocess from './bioprocess.ts'
import * as columns from './columns.ts'
import { everyRow, type Invariant } from './invariant.ts'
import { pointStatistics } from './points.ts'
import { parentsApart, relations, unique } from './relations.ts'
import { statisticsProblems } from './statistics.ts'
import * as values from './values.ts'

export * from './bioprocess.ts'
export * from './columns.ts'
export * from './events.ts'
export * from './statistics.ts'
export * from './values.ts'
export type { Invariant, Problems, Row, Tables, Violation } from './invariant.ts'

const all = views.map(({ name }) => name)
const scalars = ['v_bioprocess_quantity_data'] as const
const pairOf = (row: Readonly<Record<string, unknown>>) => `${row['bioprocess_id']} ${row['quantity_id']}`

/** What the documentation promises of the rows, D1 to D33 in their order. */
export const invariants: readonly Invariant[] = [
  everyRow('D1', 'The nine views have their documented columns', all, columns.columnProblems),
  unique('D2', 'Unique identifiers occur once', contract.uniqueIds, (row) => String(row['id'])),
  everyRow('D3', 'v_bioprocesses.data is empty', ['v_bioprocesses'], bioprocess.dataProblems),
  everyRow(
    'D4',
    'v_bioprocesses.status is a documented value',
    ['v_bioprocesses'],
    bioprocess.statusProblems,
  ),
  everyRow('D5', 'qc has both keys', ['v_bioprocesses'], bioprocess.qcProblems),
  everyRow('D6', 'Columns that are never null are not null', all, columns.nullProblems),
  everyRow('D7', 'Timestamps are ISO 8601', all, columns.timestampProblems),
  everyRow('D8', 'Timestamps with timezone have one', all, columns.zoneProblems),
  ...relations,
  everyRow('D16', 'statistics has its eight keys', ['v_timeseries'], (row) =>
    statisticsProblems(row['statistics']),
  ),
  ...pointStatistics,
  unique('D24', 'One scalar for each bioprocess and quantity', scalars, pairOf),
  everyRow('D25', 'The unit of a scalar is a text', scalars, values.unitProblems),
  everyRow(
    'D26',
    'Events of a documented kind have its fields',
    ['v_bioprocesses'],
    bioprocess.eventsProblems,
  ),
  everyRow('D27', 'Volumes are a unit and a value', ['v_bioprocesses'], bioprocess.volumeProblems),
  everyRow('D28', 'Formula series are numbers', ['v_formula_results'], values.seriesProblems),
  everyRow(
    'D29',
    'Quantities say whether they are series, and their other names',
    ['v_quantities'],
    values.quantityProblems,
  ),
  everyRow('D30', 'A molar mass is a number or null', ['v_quantities'], values.molarMassProblems),
  everyRow('D31', 'Rows say when they changed', contract.delta.views, columns.cursorProblems),
  parentsApart,
  everyRow('D33', 'A scalar is a text or a number', scalars, values.valueProblems),
]
