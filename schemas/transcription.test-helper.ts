/**
 * The contract, typed by hand.
 *
 * Typed only from the text of the contract, table by table and in its order, without the schemas. Never generate this file
 * and never edit it to make a test pass: the suite, the reference server and the DDL derive from the schemas, so only this
 * independent transcription detects a wrong schema. Change it only after reading the text of the contract.
 *
 * A row has a column, its type in the contract's words, whether it may be null, and its format for timestamps: 'zoned' if the
 * contract notes "with timezone", otherwise 'time'.
 */

import type { ViewName, ViewRows } from './index.ts'

export type Time = 'time' | 'zoned'
type Column = readonly [type: string, nullable: 'yes' | 'no', time?: Time]
export type Row = readonly [column: string, ...Column]

/** A view or a column that this file lacks does not compile. */
export const views: { readonly [V in ViewName]: { readonly [C in keyof ViewRows[V]]: Column } } = {
  v_bioprocesses: {
    id: ['String', 'no'],
    external_id: ['String', 'no'],
    name: ['String', 'no'],
    parent_id: ['String or null', 'yes'],
    scheduled_start_timestamp: ['String or null', 'yes', 'time'],
    scheduled_end_timestamp: ['String or null', 'yes', 'time'],
    start_timestamp: ['String', 'no', 'zoned'],
    run_start_timestamp: ['String or null', 'yes', 'time'],
    run_end_timestamp: ['String or null', 'yes', 'time'],
    end_timestamp: ['String', 'no', 'zoned'],
    duration_ms: ['Number', 'no'],
    status: ['String', 'no'],
    qc: ['Object', 'no'],
    data: ['Array', 'no'],
    events: ['Array', 'no'],
    induction_event: ['Object or null', 'yes'],
    attachments: ['Array', 'no'],
    lineage: ['Object or null', 'yes'],
    last_updated_at: ['String', 'no', 'time'],
  },
  v_bioprocess_quantity_data: {
    id: ['String', 'no'],
    bioprocess_id: ['String', 'no'],
    quantity_id: ['String', 'no'],
    value: ['String or Number', 'no'],
    unit: ['String', 'no'],
    measurement_info: ['Object or null', 'yes'],
    last_updated_at: ['String', 'no', 'zoned'],
  },
  v_timeseries: {
    id: ['String', 'no'],
    bioprocess_id: ['String', 'no'],
    quantity_id: ['String', 'no'],
    start_timestamp: ['String', 'no', 'zoned'],
    end_timestamp: ['String', 'no', 'zoned'],
    duration_ms: ['Number', 'no'],
    unit: ['String', 'no'],
    statistics: ['Object', 'no'],
    last_updated_at: ['String', 'no', 'time'],
  },
  v_timeseries_data: {
    id: ['String', 'no'],
    timestamp: ['String', 'no', 'time'],
    value: ['Number or null', 'yes'],
    data_item_id: ['String or null', 'yes'],
  },
  v_quantities: {
    id: ['String', 'no'],
    name: ['String', 'no'],
    alternative_names: ['Array of String', 'no'],
    is_timeseries: ['Boolean', 'no'],
    data_type: ['String', 'no'],
    default_unit: ['String', 'no'],
    default_ingestion_unit: ['String', 'no'],
    base_units: ['Object', 'no'],
    molar_mass: ['Number or null', 'yes'],
    notes: ['String or null', 'yes'],
    last_updated_at: ['String', 'no', 'time'],
  },
  v_formulas: {
    id: ['String', 'no'],
    name: ['String', 'no'],
    formula: ['String', 'no'],
    log_scale: ['Boolean', 'no'],
    disable_interpolation: ['Boolean', 'no'],
    default_unit: ['String or null', 'yes'],
    run_phase: ['String or null', 'yes'],
    notes: ['String or null', 'yes'],
    state: ['String', 'no'],
    last_updated_at: ['String', 'no', 'time'],
  },
  v_formula_results: {
    id: ['String', 'no'],
    formula_id: ['String', 'no'],
    bioprocess_id: ['String', 'no'],
    unit: ['String', 'no'],
    data: ['Object or null', 'yes'],
    timeseries: ['Object or null', 'yes'],
    timeseries_start_timestamp: ['String', 'no', 'time'],
    timeseries_offset_ms: ['Number', 'no'],
    timeseries_statistics_min: ['Number', 'no'],
    timeseries_statistics_max: ['Number', 'no'],
    timeseries_statistics_arithmetic_mean: ['Number', 'no'],
    timeseries_statistics_standard_deviation: ['Number', 'no'],
    timeseries_statistics_sum: ['Number', 'no'],
    timeseries_statistics_first: ['Number', 'no'],
    timeseries_statistics_last: ['Number', 'no'],
    timeseries_statistics_count: ['Number', 'no'],
    last_updated_at: ['String', 'no', 'time'],
  },
  v_archived_records: {
    record_id: ['String', 'no'],
    table_name: ['String', 'no'],
    archived_at: ['String', 'no', 'time'],
  },
  v_experiments: {
    id: ['String', 'no'],
    external_id: ['String', 'no'],
    scheduled_start_timestamp: ['String or null', 'yes', 'time'],
    scheduled_end_timestamp: ['String or null', 'yes', 'time'],
    last_updated_at: ['String', 'no', 'time'],
  },
}

/** "What the service does", 5: every view but this one has last_updated_at. */
export const viewWithoutLastUpdatedAt = 'v_archived_records'

/** The object in v_timeseries.statistics. */
export const statistics: readonly Row[] = [
  ['max', 'Number or null', 'yes'],
  ['min', 'Number or null', 'yes'],
  ['sum', 'Number', 'no'],
  ['last', 'Number or null', 'yes'],
  ['count', 'Number', 'no'],
  ['first', 'Number or null', 'yes'],
  ['arithmetic_mean', 'Number or null', 'yes'],
  ['standard_deviation', 'Number or null', 'yes'],
]

/** The object in v_formula_results.timeseries, when it is not null. */
export const formulaTimeseries: readonly Row[] = [
  ['data', 'Array<Number>', 'no'],
  ['times_ms', 'Array<Number>', 'no'],
]

/** The keys of v_bioprocesses.qc. The contract does not show the types of their values. */
export const qcKeys = ['status', 'failure_mode']

/** The records in v_bioprocesses.events. Other kinds may exist; the contract does not show their common fields. */
export const events: Record<string, readonly Row[]> = {
  DbObservationEvent: [['note', 'String', 'no']],
  DbAdditionEvent: [
    ['lot_number', 'String or null', 'yes'],
    ['reagent_name', 'String or null', 'yes'],
    ['addition_type', 'String', 'no'],
    ['volume', 'Object', 'no'],
  ],
  DbRemovalEvent: [
    ['volume', 'Object', 'no'],
    ['lot_number', 'String or null', 'yes'],
    ['sample_name', 'String or null', 'yes'],
    ['removal_type', 'String', 'no'],
  ],
  DbBioprocessPhaseEvent: [
    ['phase', 'String', 'no'],
    ['time_point', 'String', 'no'],
  ],
}

/** `volume` of an addition or a removal: `{unit: string, value: number}`. */
export const volume: readonly Row[] = [
  ['unit', 'String', 'no'],
  ['value', 'Number', 'no'],
]

/** The values that the contract lists as examples. */
export const eventExamples: Record<string, readonly string[]> = {
  addition_type: ['Reagent Bolus', 'Feed Start', 'Induction', 'Inoculation'],
  removal_type: ['Sample', 'Harvest'],
  phase: ['growth', 'production'],
  time_point: ['start', 'end'],
}

export const relations: readonly (readonly [from: string, to: string])[] = [
  ['v_bioprocess_quantity_data.bioprocess_id', 'v_bioprocesses.id'],
  ['v_timeseries.bioprocess_id', 'v_bioprocesses.id'],
  ['v_timeseries_data.id', 'v_timeseries.id'],
  ['v_bioprocess_quantity_data.quantity_id', 'v_quantities.id'],
  ['v_timeseries.quantity_id', 'v_quantities.id'],
  ['v_formula_results.formula_id', 'v_formulas.id'],
  ['v_formula_results.bioprocess_id', 'v_bioprocesses.id'],
]

export const bioprocessStates = ['Draft', 'Requested', 'Scheduled', 'In-progress', 'Completed']

/** The documented value of v_formulas.state; others exist. */
export const knownFormulaStates = ['ready']

export const statementStates = ['success', 'error']

export const formulaExpressions = [
  'A',
  'B',
  '(A+B+C)/3',
  'A+B',
  '(A*3)*B/100',
  'time_derivative_hours(A)',
  'time_integral_hours(A*2)',
  'log_linear_regression(A)',
]

export const endpoint = {
  method: 'POST',
  path: '/external/v1/statements/',
  headers: {
    Authorization: 'Bearer <ACCESS_TOKEN>',
    'Content-Type': 'application/json',
  },
}

export const request: readonly Row[] = [['statement', 'String', 'no']]

export const response: readonly Row[] = [
  ['data', 'Array', 'no'],
  ['status', 'Object', 'no'],
]

export const responseStatus: readonly Row[] = [
  ['state', 'String', 'no'],
  ['message', 'String', 'no'],
]

/** The contract quotes the first two; for the third it only says "reported as a JSON decode error". */
export const messages = {
  unknownView: 'relation "<view_name>" does not exist',
  unexpected: 'Error executing statement',
  syntax: 'JSON decode error',
}

export const limits = {
  executionSeconds: 30,
  timeoutStatus: 504,
}
