import type { ViewName, ViewRows } from '../../../schemas/index.ts'

/**
 * What a recording does with the texts of a column. Numbers, booleans and times always stay.
 *
 * - `kept`: vocabulary that clients match on, units
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

/** The columns of a row that may hold texts other than times. */
type TextColumn<Row> = {
  [C in keyof Row]: Row[C] extends number | boolean | null ? never : C extends Time ? never : C
}[keyof Row]
type Time = `${string}timestamp` | `${string}_at`

/** The treatment of every column with texts. A new one does not compile without. */
export const rules: {
  readonly [V in ViewName]: { readonly [C in TextColumn<Required<ViewRows[V]>>]: Treatment }
} = {
  v_bioprocesses: {
    id: 'replaced',
    external_id: 'replaced',
    name: 'replaced',
    parent_id: 'replaced',
    status: 'kept',
    qc: 'inside',
    data: 'kept',
    events: 'inside',
    induction_event: 'inside',
    attachments: 'inside',
    lineage: 'inside',
  },
  v_bioprocess_quantity_data: {
    id: 'replaced',
    bioprocess_id: 'replaced',
    quantity_id: 'replaced',
    value: 'value',
    unit: 'kept',
    measurement_info: 'inside',
  },
  v_timeseries: {
    id: 'replaced',
    bioprocess_id: 'replaced',
    quantity_id: 'replaced',
    unit: 'kept',
    statistics: 'inside',
  },
  v_timeseries_data: { id: 'replaced', data_item_id: 'replaced' },
  v_quantities: {
    id: 'replaced',
    name: 'kept',
    alternative_names: 'kept',
    data_type: 'kept',
    default_unit: 'kept',
    default_ingestion_unit: 'kept',
    base_units: 'kept',
    notes: 'replaced',
  },
  v_formulas: {
    id: 'replaced',
    name: 'replaced',
    formula: 'formula',
    default_unit: 'kept',
    run_phase: 'kept',
    notes: 'replaced',
    state: 'kept',
  },
  v_formula_results: {
    id: 'replaced',
    formula_id: 'replaced',
    bioprocess_id: 'replaced',
    unit: 'kept',
    data: 'inside',
    timeseries: 'inside',
  },
  v_archived_records: { record_id: 'replaced', table_name: 'kept' },
  v_experiments: { id: 'replaced', external_id: 'replaced' },
}
