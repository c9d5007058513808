import { tableColumns, views, type ViewName, type ViewRows } from '../schemas/index.ts'
import type { Tables } from './index.ts'

/** Tables that a test may change freely. */
// oxlint-disable-next-line typescript/no-explicit-any -- the values of corrupted rows have no type
export type Changed = Record<keyof Tables, Record<string, any>[]>

const time = '2025-03-01T08:12:00.123456+00:00'
const later = '2025-03-01T09:12:00.123456+00:00'

/** The columns that a sample has to give: those that are never null. */
type Given<Row> = Partial<Row> & { [C in keyof Row as null extends Row[C] ? never : C]: Row[C] }

/** One to three correct rows of each view, without the columns that are null. */
const given: { readonly [V in ViewName]: readonly Given<ViewRows[V]>[] } = {
  v_bioprocesses: [
    {
      id: 'b1',
      external_id: 'B-1',
      name: 'First',
      parent_id: 'e1',
      start_timestamp: time,
      run_start_timestamp: time,
      run_end_timestamp: later,
      end_timestamp: later,
      duration_ms: 3_600_000,
      status: 'Completed',
      qc: { status: 'Pass', failure_mode: null },
      data: [],
      events: [
        {
          type: 'DbAdditionEvent',
          lot_number: null,
          reagent_name: 'IPTG',
          addition_type: 'Induction',
          volume: { unit: 'mL', value: 1 },
        },
      ],
      induction_event: { reagent: 'IPTG' },
      attachments: [],
      last_updated_at: later,
    },
  ],
  v_bioprocess_quantity_data: [
    {
      id: 'd1',
      bioprocess_id: 'b1',
      quantity_id: 'q1',
      value: '7',
      unit: '',
      last_updated_at: time,
    },
  ],
  v_timeseries: [
    {
      id: 't1',
      bioprocess_id: 'b1',
      quantity_id: 'q1',
      start_timestamp: time,
      end_timestamp: later,
      duration_ms: 3_600_000,
      unit: '%',
      statistics: {
        max: 3,
        min: 1,
        sum: 4,
        last: 3,
        count: 2,
        first: 1,
        arithmetic_mean: 2,
        standard_deviation: Math.SQRT2,
      },
      last_updated_at: later,
    },
  ],
  v_timeseries_data: [
    { id: 't1', timestamp: '2025-03-01T08:40:00.123456+00:00', last_updated_at: later },
    { id: 't1', timestamp: time, value: 1, last_updated_at: later },
    { id: 't1', timestamp: later, value: 3, data_item_id: 's1', last_updated_at: later },
  ],
  v_quantities: [
    {
      id: 'q1',
      name: 'DO',
      alternative_names: ['pO2'],
      is_timeseries: true,
      data_type: 'numeric',
      default_unit: '%',
      default_ingestion_unit: '%',
      base_units: {},
      molar_mass: 31.998,
      last_updated_at: time,
    },
  ],
  v_formulas: [
    {
      id: 'f1',
      name: 'Sum',
      formula: 'A+B',
      log_scale: false,
      disable_interpolation: false,
      run_phase: 'growth',
      state: 'ready',
      last_updated_at: time,
    },
  ],
  v_formula_results: [
    {
      id: 'r1',
      formula_id: 'f1',
      bioprocess_id: 'b1',
      unit: '%',
      timeseries: { data: [1, 3], times_ms: [0, 3_600_000] },
      timeseries_start_timestamp: time,
      timeseries_offset_ms: 0,
      timeseries_statistics_min: 1,
      timeseries_statistics_max: 3,
      timeseries_statistics_arithmetic_mean: 2,
      timeseries_statistics_standard_deviation: Math.SQRT2,
      timeseries_statistics_sum: 4,
      timeseries_statistics_first: 1,
      timeseries_statistics_last: 3,
      timeseries_statistics_count: 2,
      last_updated_at: later,
    },
  ],
  v_archived_records: [
    {
      record_id: 'a1',
      table_name: 'timeseries',
      archived_at: time,
    },
  ],
  v_experiments: [
    {
      id: 'e1',
      external_id: 'E-1',
      last_updated_at: time,
    },
  ],
}

const nullsOf = (view: ViewName) =>
  Object.fromEntries(tableColumns(view).flatMap(({ name, nullable }) => (nullable ? [[name, null]] : [])))

/** Correct rows of each view. */
export const wholeTables = (): Tables =>
  Object.fromEntries(
    views.map(({ name }) => [name, given[name].map((row) => structuredClone({ ...nullsOf(name), ...row }))]),
  ) as unknown as Tables

/** The first correct row of each view. */
export const sampleRows = Object.fromEntries(
  Object.entries<readonly object[]>(wholeTables()).map(([view, [row]]) => [view, row]),
) as unknown as ViewRows
