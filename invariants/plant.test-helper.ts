import { sampleRows, wholeTables, type Changed } from './tables.test-helper.ts'

/** 8:00 on the first of March 2025, when the first run starts; `hours` before or after it. */
export const at = (hours: number): string =>
  new Date(Date.UTC(2025, 2, 1, 8) + hours * 3_600_000).toISOString()

/** The time of reading: noon on the next day, when the second run is four hours old. */
export const readAt = at(28)

const hourly = Array.from({ length: 13 }, (_, hour) => hour)
const sampled = [0, 6, 12]
const millilitresPerSample = 10

/** One of each signal that invariants use: twelve hours on glucose, with balances that close. */
const signals: Record<string, [unit: string, valueAt: (hour: number) => number, hours?: number[]]> = {
  DO: ['%', (hour) => 100 - 5 * hour],
  OUR: ['mmol/L/h', () => 80],
  CER: ['mmol/L/h', () => 80],
  RQ: ['', () => 1],
  'Feed volume': ['mL', (hour) => (100 * hour) / 12],
  'Base volume': ['mL', (hour) => (20 * hour) / 12],
  'Culture volume': [
    'L',
    (hour) => 1 + hour / 100 - (millilitresPerSample / 1000) * sampled.filter((time) => time < hour).length,
  ],
  Glucose: ['g/L', (hour) => (hour === 0 ? 10 : 0), sampled],
  DCW: ['g/L', (hour) => 1 + (19 * hour) / 12, sampled],
  OD600: ['AU', (hour) => 3 * (1 + (19 * hour) / 12), sampled],
  Titer: ['g/L', (hour) => (hour > 6 ? 1 : 0), sampled],
  VCD: ['1e6 cells/mL', (hour) => 0.9 * (1 + hour), sampled],
  TCD: ['1e6 cells/mL', (hour) => 1 + hour, sampled],
  Viability: ['%', () => 90, sampled],
}

const quantityOf = (name: string, unit: string, isTimeseries: boolean, base_units: object = {}) => ({
  ...sampleRows.v_quantities,
  id: `q ${name}`,
  name,
  alternative_names: [],
  is_timeseries: isTimeseries,
  default_unit: unit,
  default_ingestion_unit: unit,
  base_units,
  molar_mass: null,
  last_updated_at: at(-1000),
})

function seriesOf(run: string, start: number, name: string, hours: number[], updated: number) {
  const [unit, valueAt] = signals[name]!
  const points = hours.map((hour) => ({
    ...sampleRows.v_timeseries_data,
    id: `${run} ${name}`,
    timestamp: at(start + hour),
    value: valueAt(hour),
    data_item_id: signals[name]![2] ? `sample ${hour}` : null,
  }))
  const values = points.map(({ value }) => value)
  const sum = values.reduce((total, value) => total + value, 0)
  const mean = sum / values.length
  const squares = values.reduce((total, value) => total + (value - mean) ** 2, 0)
  const row = {
    ...sampleRows.v_timeseries,
    id: `${run} ${name}`,
    bioprocess_id: run,
    quantity_id: `q ${name}`,
    start_timestamp: points[0]!.timestamp,
    end_timestamp: points.at(-1)!.timestamp,
    duration_ms: (hours.at(-1)! - hours[0]!) * 3_600_000,
    unit,
    statistics: {
      max: Math.max(...values),
      min: Math.min(...values),
      sum,
      last: values.at(-1)!,
      count: values.length,
      first: values[0]!,
      arithmetic_mean: mean,
      standard_deviation: Math.sqrt(squares / (values.length - 1)),
    },
    last_updated_at: at(updated),
  }
  return { row, points }
}

const phase = (name: string, time_point: string, hour: number) => ({
  type: 'DbBioprocessPhaseEvent',
  timestamp: at(hour),
  phase: name,
  time_point,
})

const events = [
  phase('growth', 'start', 0),
  phase('growth', 'end', 6),
  {
    id: 'i',
    type: 'DbAdditionEvent',
    timestamp: at(6),
    addition_type: 'Induction',
    reagent_name: 'IPTG',
    lot_number: null,
    volume: { unit: 'mL', value: 1 },
  },
  phase('production', 'start', 6),
  phase('production', 'end', 12),
  ...sampled.map((hour) => ({
    id: `sample ${hour}`,
    type: 'DbRemovalEvent',
    timestamp: at(hour),
    removal_type: 'Sample',
    sample_name: null,
    lot_number: null,
    volume: { unit: 'mL', value: millilitresPerSample },
  })),
]

/**
 * A small plant in which every plausibility invariant judges rows and holds: b1 is completed, b2 in progress
 * and seeded from b1, b3 only scheduled.
 */
export function plausiblePlant(): Changed {
  const tables = wholeTables() as unknown as Changed
  const [first] = tables.v_bioprocesses
  const run = { ...first!, parent_id: 'e1', attachments: [], lineage: null, induction_event: null, data: [] }
  const scheduled = (from: number, to: number) => ({
    scheduled_start_timestamp: at(from),
    scheduled_end_timestamp: at(to),
  })
  tables.v_bioprocesses = [
    {
      ...run,
      ...scheduled(0, 14),
      start_timestamp: at(-1),
      run_start_timestamp: at(0),
      run_end_timestamp: at(12),
      end_timestamp: at(14),
      duration_ms: 12 * 3_600_000,
      events: structuredClone(events),
      induction_event: { event_id: 'i', timestamp: at(6) },
      last_updated_at: at(20),
    },
    {
      ...run,
      id: 'b2',
      external_id: 'B-2',
      status: 'In-progress',
      qc: { status: null, failure_mode: null },
      ...scheduled(24, 48),
      start_timestamp: at(23),
      run_start_timestamp: at(24),
      run_end_timestamp: null,
      end_timestamp: readAt,
      duration_ms: 4 * 3_600_000,
      events: [phase('growth', 'start', 24)],
      lineage: { parents: [{ bioprocess_id: 'b1', relation: 'seed' }], generation: 1 },
      last_updated_at: at(27),
    },
    {
      ...run,
      id: 'b3',
      external_id: 'B-3',
      status: 'Scheduled',
      qc: { status: null, failure_mode: null },
      ...scheduled(60, 80),
      start_timestamp: at(60),
      run_start_timestamp: null,
      run_end_timestamp: null,
      end_timestamp: at(80),
      duration_ms: 0,
      events: [],
      last_updated_at: at(10),
    },
  ]
  Object.assign(tables.v_experiments[0]!, scheduled(-10, 100), { last_updated_at: at(1) })
  const series = [
    ...Object.entries(signals).map(([name, [, , hours]]) => seriesOf('b1', 0, name, hours ?? hourly, 16)),
    seriesOf('b2', 24, 'DO', [0, 1, 2, 3], 28),
  ]
  tables.v_timeseries = series.map(({ row }) => row)
  tables.v_timeseries_data = series.flatMap(({ points }) => points)
  tables.v_quantities = [
    ...Object.entries(signals).map(([name, [unit]]) =>
      quantityOf(name, unit, true, unit === 'L' ? { m: 3 } : {}),
    ),
    quantityOf('Initial volume', 'L', false, { m: 3 }),
    quantityOf('Feed glucose concentration', 'g/L', false, { kg: 1, m: -3 }),
  ]
  const scalar = { ...sampleRows.v_bioprocess_quantity_data, bioprocess_id: 'b1', last_updated_at: at(15) }
  tables.v_bioprocess_quantity_data = [
    { ...scalar, id: 'd1', quantity_id: 'q Initial volume', value: 1, unit: 'L' },
    { ...scalar, id: 'd2', quantity_id: 'q Feed glucose concentration', value: '500', unit: 'g/L' },
  ]
  const [result] = tables.v_formula_results
  const single = Object.fromEntries(
    ['min', 'max', 'arithmetic_mean', 'sum', 'first', 'last'].map((key) => [
      `timeseries_statistics_${key}`,
      0.3,
    ]),
  )
  tables.v_formula_results.push({
    ...result!,
    ...single,
    id: 'r2',
    data: { value: 0.3 },
    timeseries: null,
    timeseries_statistics_count: 1,
    timeseries_statistics_standard_deviation: 0,
  })
  return tables
}
