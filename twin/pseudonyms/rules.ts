import type { ViewName, ViewRows } from '../../schemas/index.ts'

/**
 * What a recording does with the texts of a column. Numbers, booleans and times always stay.
 *
 * - `kept`: vocabulary that clients match on, times, numbers, units
 * - `replaced`: ids, names, notes
 * - `value`: a text that is a number or a time stays, any other is replaced
 * - `formula`: an expression of the documented forms stays, any other is replaced
 * - `inside`: an object or array; see {@link keptKeys}
 */
export type Treatment = 'kept' | 'replaced' | 'value' | 'formula' | 'inside'

/** The keys inside objects and arrays whose texts stay: units, kinds, codes. Times stay under any key. */
export const keptKeys: readonly string[] = [
  'unit',
  'type',
  'kind',
  '__typename',
  'event_type',
  'addition_type',
  'removal_type',
  'phase',
  'time_point',
  'status',
]

/** The treatment of every column. A new column does not compile without one. */
export const rules: { readonly [V in ViewName]: { readonly [C in keyof Required<ViewRows[V]>]: Treatment } } =
  {
    v_bioprocesses: {
      id: 'replaced',
      external_id: 'replaced',
      name: 'replaced',
      parent_id: 'replaced',
      scheduled_start_timestamp: 'kept',
      scheduled_end_timestamp: 'kept',
      start_timestamp: 'kept',
      run_start_timestamp: 'kept',
      run_end_timestamp: 'kept',
      end_timestamp: 'kept',
      duration_ms: 'kept',
      status: 'kept',
      qc: 'inside',
      data: 'kept',
      events: 'inside',
      induction_event: 'inside',
      attachments: 'inside',
      lineage: 'inside',
      last_updated_at: 'kept',
    },
    v_bioprocess_quantity_data: {
      id: 'replaced',
      bioprocess_id: 'replaced',
      quantity_id: 'replaced',
      value: 'value',
      unit: 'kept',
      measurement_info: 'inside',
      last_updated_at: 'kept',
    },
    v_timeseries: {
      id: 'replaced',
      bioprocess_id: 'replaced',
      quantity_id: 'replaced',
      start_timestamp: 'kept',
      end_timestamp: 'kept',
      duration_ms: 'kept',
      unit: 'kept',
      statistics: 'inside',
      last_updated_at: 'kept',
    },
    v_timeseries_data: {
      id: 'replaced',
      timestamp: 'kept',
      value: 'kept',
      data_item_id: 'replaced',
      last_updated_at: 'kept',
    },
    v_quantities: {
      id: 'replaced',
      name: 'kept',
      alternative_names: 'kept',
      is_timeseries: 'kept',
      data_type: 'kept',
      default_unit: 'kept',
      default_ingestion_unit: 'kept',
      base_units: 'kept',
      molar_mass: 'kept',
      notes: 'replaced',
      last_updated_at: 'kept',
    },
    v_formulas: {
      id: 'replaced',
      name: 'replaced',
      formula: 'formula',
      log_scale: 'kept',
      disable_interpolation: 'kept',
      default_unit: 'kept',
      run_phase: 'kept',
      notes: 'replaced',
      state: 'kept',
      last_updated_at: 'kept',
    },
    v_formula_results: {
      id: 'replaced',
      formula_id: 'replaced',
      bioprocess_id: 'replaced',
      unit: 'kept',
      data: 'inside',
      timeseries: 'inside',
      timeseries_start_timestamp: 'kept',
      timeseries_offset_ms: 'kept',
      timeseries_statistics_min: 'kept',
      timeseries_statistics_max: 'kept',
      timeseries_statistics_arithmetic_mean: 'kept',
      timeseries_statistics_standard_deviation: 'kept',
      timeseries_statistics_sum: 'kept',
      timeseries_statistics_first: 'kept',
      timeseries_statistics_last: 'kept',
      timeseries_statistics_count: 'kept',
      last_updated_at: 'kept',
    },
    v_archived_records: { record_id: 'replaced', table_name: 'kept', archived_at: 'kept' },
    v_experiments: {
      id: 'replaced',
      external_id: 'replaced',
      scheduled_start_timestamp: 'kept',
      scheduled_end_timestamp: 'kept',
      last_updated_at: 'kept',
    },
  }
