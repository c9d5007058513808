import { type Handmade } from '../handmade.test-helper.ts'
import { HOUR, quantities, results, runs, type Examples, type Row } from './services.test-helper.ts'

const scalars = (...rows: Row[]): Handmade => ({ rows: { v_bioprocess_quantity_data: rows } })

const single = (data: unknown, statistic: number | null = 1): Row => ({
  data,
  timeseries: null,
  ...Object.fromEntries(
    ['min', 'max', 'arithmetic_mean', 'standard_deviation', 'sum', 'first', 'last', 'count'].map((name) => [
      `timeseries_statistics_${name}`,
      statistic,
    ]),
  ),
})

const START = '2025-03-01T08:00:00.000000+00:00'

const RUN = '2025-03-01T09:00:00.000000+00:00'

const FIRST = '2025-03-01T10:00:00.000000+00:00'

const END = '2025-03-02T08:00:00.000000+00:00'

const RUN_END = '2025-03-02T07:00:00.000000+00:00'

const [EPOCH] = [Date.parse(FIRST)]

const series = (first: number, offset: number): Handmade => ({
  rows: {
    v_bioprocesses: [{ id: 'b', start_timestamp: START, run_start_timestamp: RUN }],
    v_formula_results: [
      {
        bioprocess_id: 'b',
        data: null,
        timeseries: { data: [1, 2], times_ms: [first, first + 60_000] },
        timeseries_start_timestamp: FIRST,
        timeseries_offset_ms: offset,
      },
    ],
  },
})

const lasting = (duration_ms: number): Handmade =>
  runs({
    start_timestamp: START,
    run_start_timestamp: RUN,
    run_end_timestamp: RUN_END,
    end_timestamp: END,
    duration_ms,
  })

/** Points 1, 2, 4 and one without a value: the deviations are sqrt(7/3) and sqrt(14/9). */
const points = (count: number, standard_deviation: number): Handmade => ({
  rows: {
    v_timeseries: [{ id: 's', statistics: { count, standard_deviation } }],
    v_timeseries_data: [1, 2, 4, null].map((value) => ({ id: 's', value })),
  },
})

const formulas = (...states: string[]): Handmade => ({
  rows: { v_formulas: states.map((state, index) => ({ id: `f${index}`, state })) },
})

/** What the rows of single views hold. */
export const views: Examples = {
  'NS-01': {
    string: runs({ qc: { status: 'ok', failure_mode: '' } }),
    'string-or-null': runs({ qc: { status: 'ok', failure_mode: null } }),
    enum: runs(...Array.from({ length: 12 }, () => ({ qc: { status: 'pass', failure_mode: 'none' } }))),
    boolean: runs({ qc: { status: true, failure_mode: null } }),
    object: runs({ qc: { status: { code: 1 }, failure_mode: { code: 2 } } }),
  },
  'NS-02': {
    null: runs({ induction_event: null }),
    timestamped: runs({
      induction_event: { event_id: 'e', timestamp: RUN, reagent_name: null, od600: 12 },
    }),
    'event-record': runs({
      events: [{ addition_type: 'Induction', at: RUN }],
      induction_event: { at: RUN, addition_type: 'Induction' },
    }),
    'json-text': runs({ induction_event: '{"event_id": "e"}' }),
  },
  'NS-03': {
    url: runs({ attachments: ['https://files.example/1', '/files/2.pdf'] }),
    'id-name-url': runs({ attachments: [{ id: 1, name: 'a', url: 'b' }] }),
    'empty-object': runs({ attachments: [{}] }),
    'file-metadata': runs({
      attachments: [{ id: 1, name: 'a', mime_type: 'b', size_bytes: 2, uploaded_at: RUN }],
    }),
  },
  'NS-04': {
    null: runs({ lineage: null }),
    'parents-children': runs({ lineage: { parents: ['a'], children: [] } }),
    'ancestor-ids': runs({ lineage: { ancestor_ids: [] } }),
    'parents-generation': runs({ lineage: { parents: [], generation: 0 } }, { lineage: null }),
  },
  'NS-05': {
    null: scalars({ measurement_info: null }),
    'labels-list': scalars({ measurement_info: { labels: ['a'] } }),
    'labels-map': scalars({ measurement_info: { labels: { a: 'b' } } }, { measurement_info: null }),
  },
  'NS-06': {
    'float-integer-string-boolean': quantities({ data_type: 'float' }, { data_type: 'string' }),
    'number-text-categorical': quantities({ data_type: 'number' }, { data_type: 'text' }),
    'upper-case': quantities({ data_type: 'NUMERIC' }, { data_type: 'TEXT' }),
    'numeric-text-date': quantities({ data_type: 'numeric' }, { data_type: 'text' }),
  },
  'NS-07': {
    empty: quantities({ base_units: {} }),
    'exponent-map': quantities({ base_units: { kg: 1, m: -3 } }, { base_units: {} }),
    'unit-text': quantities({ base_units: { unit: 'g/L' } }),
  },
  'NS-08': {
    'value-unit': results(single({ value: 1, unit: 'g' })),
    value: results(single({ value: 1 })),
    'bare-number': results(single(4.2)),
    'value-unit-r2-n': results(
      single({ value: 1, unit: 'g' }),
      single({ value: 1, unit: '1/h', r2: 0.9, n: 5 }),
    ),
  },
  'NS-09': {
    draft: formulas('ready', 'draft'),
    error: formulas('ready', 'error'),
    calculating: formulas('ready', 'calculating'),
    archived: formulas('ready', 'archived'),
    'ready-draft-error-computing': formulas('ready', 'draft', 'error', 'computing'),
  },
  'NS-22': {
    'type-timestamp': runs({ events: [{ type: 'DbRemovalEvent', timestamp: RUN }] }),
    'kind-time': runs({ events: [{ kind: 'DbRemovalEvent', time: RUN }] }),
    'typename-timestamp': runs({ events: [{ __typename: 'DbRemovalEvent', timestamp: RUN }] }),
    'event-type-time-ms': runs({ events: [{ event_type: 'DbRemovalEvent', time_ms: 1 }] }),
    'none-timestamp': runs({ events: [{ note: 'a', timestamp: RUN }] }),
  },
  'NS-44': {
    number: scalars({ value: 5 }, { value: 'red' }),
    string: scalars({ value: '5' }, { value: '5.5' }),
    'decimal-string': scalars({ value: '5.0' }, { value: 'red' }),
    mixed: scalars({ value: '5' }, { value: 7 }),
  },
  'NS-57': { run: lasting(22 * HOUR), record: lasting(24 * HOUR), other: lasting(23 * HOUR) },
  'NS-58': { sample: points(3, Math.sqrt(7 / 3)), population: points(3, Math.sqrt(14 / 9)) },
  'NS-59': { 'non-null': points(3, 1), all: points(4, 1) },
  'NS-60': {
    'base-table': { rows: { v_archived_records: [{ table_name: 'timeseries' }] } },
    view: { rows: { v_archived_records: [{ table_name: 'v_timeseries' }] } },
  },
  'NS-61': {
    'series-start': series(0, HOUR),
    'run-start': series(HOUR, HOUR),
    epoch: series(EPOCH!, EPOCH!),
  },
  'NS-65': {
    present: { rows: { v_timeseries_data: [{ id: 's', last_updated_at: RUN }] } },
    absent: { rows: { v_timeseries_data: [{ id: 's' }] } },
  },
  'NS-66': { filled: results(single({ value: 1 })), null: results(single({ value: 1 }, null)) },
}
