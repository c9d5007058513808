import { contract } from '../../schemas/contract.ts'
import { views } from '../../schemas/views.ts'
import * as bioprocess from './bioprocess.ts'
import * as columns from './columns.ts'
import type { KeptView } from '../rows/row-store.ts'
import { eachRow, unique, type Invariant } from '../invariant.ts'
import { keyOf, pairOf } from '../rows/row.ts'
import { pointStatistics } from './points.ts'
import { parentsApart, relations } from './relations.ts'
import { statisticsProblems } from './statistics.ts'
import * as values from './values.ts'

const all = views.map(({ name }) => name)
const bioprocesses = ['v_bioprocesses'] as const
const scalars = ['v_bioprocess_quantity_data'] as const
const quantities = ['v_quantities'] as const
const formulaResults = ['v_formula_results'] as const

/** What the documentation promises of the rows, D1 to D33 in their order. */
export const documented: readonly Invariant[] = [
  eachRow('D1', 'The nine views have their documented columns', all, columns.columnProblems),
  unique('D2', 'Unique identifiers occur once', contract.uniqueIds as readonly KeptView[], (row) =>
    keyOf(row['id']),
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
