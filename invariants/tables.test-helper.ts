import type { Tables } from './index.ts'

/** Tables that a test may change freely. */
// oxlint-disable-next-line typescript/no-explicit-any -- the values of corrupted rows have no type
export type Changed = Record<keyof Tables, Record<string, any>[]>

const time = '2025-03-01T08:12:00.000000+00:00'
const later = '2025-03-01T09:12:00.000000+00:00'

/** One or two correct rows of every view. */
export function wholeTables(): Tables {
  return {
    v_bioprocesses: [
      {
        id: 'b1',
        external_id: 'B-1',
        name: 'First',
        parent_id: 'e1',
        scheduled_start_timestamp: null,
        scheduled_end_timestamp: null,
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
        induction_event: null,
        attachments: [],
        lineage: null,
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
        measurement_info: null,
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
      { id: 't1', timestamp: '2025-03-01T08:40:00.000000+00:00', value: null, data_item_id: null },
      { id: 't1', timestamp: time, value: 1, data_item_id: null },
      { id: 't1', timestamp: later, value: 3, data_item_id: 's1' },
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
        molar_mass: null,
        notes: null,
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
        default_unit: null,
        run_phase: null,
        notes: null,
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
        data: null,
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
    v_archived_records: [{ record_id: 'a1', table_name: 'timeseries', archived_at: time }],
    v_experiments: [
      {
        id: 'e1',
        external_id: 'E-1',
        scheduled_start_timestamp: null,
        scheduled_end_timestamp: null,
        last_updated_at: time,
      },
    ],
  }
}
