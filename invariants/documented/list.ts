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

/** The rules that follow from the contract, D1 to D33 in order. */
export const documented: readonly Invariant[] = [
  eachRow('D1', 'Each view has its documented columns and no others', all, columns.columnProblems),
  unique('D2', 'Unique identifiers occur once', contract.uniqueIds as readonly KeptView[], (row) =>
    keyOf(row['id']),
  ),
  eachRow('D3', 'v_bioprocesses.data is an empty array', bioprocesses, bioprocess.dataProblems),
  eachRow('D4', 'v_bioprocesses.status is a documented value', bioprocesses, bioprocess.statusProblems),
  eachRow('D5', 'qc has the keys status and failure_mode', bioprocesses, bioprocess.qcProblems),
  eachRow('D6', 'Columns documented as never null have a value', all, columns.nullProblems),
  eachRow('D7', 'Timestamps are in ISO 8601', all, columns.timestampProblems),
  eachRow('D8', 'Timestamps documented with a timezone have one', all, columns.zoneProblems),
  ...relations,
  eachRow('D16', 'statistics has its eight keys', ['v_timeseries'], statisticsProblems),
  ...pointStatistics,
  unique('D24', 'A bioprocess has at most one scalar for each quantity', scalars, pairOf),
  eachRow('D25', 'The unit of a scalar is a string', scalars, values.unitProblems),
  eachRow(
    'D26',
    'Events of a documented kind have its keys and types',
    bioprocesses,
    bioprocess.eventsProblems,
  ),
  eachRow('D27', 'The volume of an event is a unit and a value', bioprocesses, bioprocess.volumeProblems),
  eachRow('D28', 'Formula series are arrays of numbers', formulaResults, values.seriesProblems),
  eachRow(
    'D29',
    'is_timeseries is a boolean, and alternative_names is an array of strings',
    quantities,
    values.quantityProblems,
  ),
  eachRow('D30', 'molar_mass is a number or null', quantities, values.molarMassProblems),
  eachRow('D31', 'Rows have last_updated_at', contract.delta.views, columns.cursorProblems),
  parentsApart,
  eachRow('D33', 'A scalar is a string or a number', scalars, values.valueProblems),
]
