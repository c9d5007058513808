import { describe, expect, test } from 'vitest'
import { evaluate, microsOf, textOf } from '../index.ts'
import { at, plausiblePlant, readAt } from '../plant.test-helper.ts'
import type { Changed } from '../tables.test-helper.ts'
import { plausible } from './list.ts'

const findings = (tables: Changed, asOf: string | undefined = readAt) =>
  evaluate(plausible, (view) => tables[view], asOf === undefined ? {} : { asOf: microsOf(asOf) })
const finding = (id: string, tables: Changed, asOf?: string) =>
  findings(tables, asOf).find((found) => found.id === id)!

type Anything = Record<string, any> // oxlint-disable-line typescript/no-explicit-any -- rows to be changed
const byId = (rows: Anything[], id: string): Anything => rows.find((row) => row['id'] === id)!
const run = (t: Changed, id = 'b1') => byId(t.v_bioprocesses, id)
const series = (t: Changed, name: string) => byId(t.v_timeseries, `b1 ${name}`)
const points = (t: Changed, name: string) =>
  t.v_timeseries_data.filter(({ id }) => id === `b1 ${name}`) as Anything[]
/** Adds a total of methanol, or of permeate, to the first run, mL at its end. */
const methanolOf = (t: Changed, total: number) => addTotal(t, 'MeOH total', total)
const permeateOf = (t: Changed, total = 5000) => addTotal(t, 'Permeate total', total)
function addTotal(t: Changed, name: string, total: number) {
  const own = { id: `b1 ${name}`, quantity_id: `q ${name}` }
  t.v_quantities.push({ ...t.v_quantities[0]!, id: own.quantity_id, name })
  t.v_timeseries.push({ ...series(t, 'Feed volume'), ...own })
  for (const [hour, point] of points(t, 'Feed volume').entries())
    t.v_timeseries_data.push({ ...point, id: own.id, value: (total * hour) / 12 })
}
const result = (t: Changed) => t.v_formula_results[0]! as Anything

const unzoned = (time: string) => time.replace(/(Z|[+-]\d\d:\d\d)$/, '')
const toTheMinute = (time: string) => `${time.slice(0, 16)}Z`

/** For each invariant, changes that break it, and the row that has to be reported. */
const breaches: Record<string, [what: string, change: (tables: Changed) => unknown, row: string][]> = {
  P1: [
    ['a run that ends before it starts', (t) => (run(t)['run_end_timestamp'] = at(-0.5)), 'b1'],
    [
      'a run without zone that ends more than 14 hours before it starts',
      (t) => (run(t)['run_end_timestamp'] = unzoned(at(-14.5))),
      'b1',
    ],
  ],
  P2: [
    ['the duration of the record', (t) => (run(t)['duration_ms'] = 15 * 3_600_000), 'b1'],
    ['a duration before the start', (t) => (run(t, 'b3')['duration_ms'] = 1000), 'b3'],
    ['a series in seconds', (t) => (series(t, 'DO')['duration_ms'] /= 1000), 'b1 DO'],
  ],
  P3: [
    ['completed without an end', (t) => (run(t)['run_end_timestamp'] = null), 'b1'],
    ['scheduled, but started', (t) => (run(t, 'b3')['run_start_timestamp'] = at(61)), 'b3'],
  ],
  P4: [['a schedule that ends first', (t) => (run(t)['scheduled_end_timestamp'] = at(-1)), 'b1']],
  P5: [['a parent that is no experiment', (t) => (run(t, 'b2')['parent_id'] = 'b1'), 'b2']],
  P6: [
    ['a bioprocess older than its series', (t) => (series(t, 'DO')['last_updated_at'] = at(21)), 'b1'],
    [
      'a bioprocess older than its scalars',
      (t) => (byId(t.v_bioprocess_quantity_data, 'd1')['last_updated_at'] = at(21)),
      'b1',
    ],
    ['a series older than its points', (t) => (points(t, 'DO')[0]!['last_updated_at'] = at(17)), 'b1 DO'],
    ['a change in the future', (t) => (t.v_formulas[0]!['last_updated_at'] = at(29)), 'f1'],
  ],
  P7: [['an archival in the future', (t) => (t.v_archived_records[0]!['archived_at'] = at(29)), 'a1']],
  P8: [['a series that is still there', (t) => (t.v_archived_records[0]!['record_id'] = 'b1 DO'), 'b1 DO']],
  P9: [
    [
      'a series of a scalar quantity',
      (t) => (byId(t.v_quantities, 'q OUR')['is_timeseries'] = false),
      'b1 OUR',
    ],
    [
      'a scalar of a series quantity',
      (t) => (byId(t.v_quantities, 'q Initial volume')['is_timeseries'] = true),
      'd1',
    ],
  ],
  P10: [['two series of one quantity', (t) => (series(t, 'CER')['quantity_id'] = 'q OUR'), 'b1 CER']],
  P11: [
    ['an end after the last point', (t) => (series(t, 'DO')['end_timestamp'] = at(13)), 'b1 DO'],
    [
      'a first point that is lost',
      (t) => t.v_timeseries_data.splice(t.v_timeseries_data.indexOf(points(t, 'DO')[0]!), 1),
      'b1 DO',
    ],
  ],
  P12: [['a point that occurs twice', (t) => t.v_timeseries_data.push({ ...points(t, 'DO')[3]! }), 'b1 DO']],
  P13: [['a point after the record', (t) => (points(t, 'DO')[12]!['timestamp'] = at(14.5)), 'b1 DO']],
  P14: [
    [
      'a mean that does not give the sum',
      (t) => (series(t, 'DO')['statistics'].arithmetic_mean = 71),
      'b1 DO',
    ],
  ],
  P15: [['another deviation', (t) => (series(t, 'DO')['statistics'].standard_deviation *= 1.1), 'b1 DO']],
  P16: [
    ['a mean above the maximum', (t) => (series(t, 'DO')['statistics'].max = 50), 'b1 DO'],
    ['a maximum without values', (t) => Object.assign(series(t, 'DO')['statistics'], { count: 0 }), 'b1 DO'],
  ],
  P17: [
    ['a missing time', (t) => result(t)['timeseries'].times_ms.pop(), 'r1'],
    ['times that fall', (t) => (result(t)['timeseries'].times_ms = [5, 0]), 'r1'],
    ['another count', (t) => (result(t)['timeseries_statistics_count'] = 3), 'r1'],
  ],
  P18: [
    ['both forms', (t) => (result(t)['data'] = { value: 1 }), 'r1'],
    ['neither form', (t) => (byId(t.v_formula_results, 'r2')['data'] = null), 'r2'],
  ],
  P19: [
    ['another sum', (t) => (result(t)['timeseries_statistics_sum'] = 5), 'r1'],
    ['a value that is not its mean', (t) => (byId(t.v_formula_results, 'r2')['data'] = { value: 0.4 }), 'r2'],
  ],
  P20: [['results of a draft', (t) => (t.v_formulas[0]!['state'] = 'draft'), 'r1']],
  P21: [
    ['a volume in kg', (t) => (series(t, 'Culture volume')['unit'] = 'kg'), 'b1 Culture volume'],
    [
      'a concentration in mol without a molar mass',
      (t) => (byId(t.v_quantities, 'q Feed glucose concentration')['default_unit'] = 'mmol/L'),
      'q Feed glucose concentration',
    ],
  ],
  P22: [['a total that falls', (t) => (points(t, 'Feed volume')[6]!['value'] = 10), 'b1 Feed volume']],
  P23: [
    ['more viable cells than cells', (t) => (points(t, 'VCD')[1]!['value'] = 8), 'b1 VCD'],
    ['another viability', (t) => (points(t, 'Viability')[1]!['value'] = 60), 'b1 VCD'],
  ],
  P24: [['a viability of 120 %', (t) => (series(t, 'Viability')['statistics'].max = 120), 'b1 Viability']],
  P25: [
    [
      'an RQ that is not CER per OUR',
      (t) => points(t, 'RQ').forEach((point) => (point['value'] = 0.7)),
      'b1 RQ',
    ],
  ],
  P26: [['product before the induction', (t) => (points(t, 'Titer')[0]!['value'] = 0.5), 'b1']],
  P27: [
    ['an induction after the end', (t) => (run(t)['induction_event'].timestamp = at(13)), 'b1'],
    ['an induction without its event', (t) => (run(t)['induction_event'].timestamp = at(7)), 'b1'],
  ],
  P28: [['an event before the record', (t) => (run(t)['events'][0].timestamp = at(-2)), 'b1']],
  P29: [
    ['a phase that never ends', (t) => run(t)['events'].splice(4, 1), 'b1'],
    ['a phase that ends first', (t) => (run(t)['events'][1].timestamp = at(-0.5)), 'b1'],
  ],
  P30: [
    ['a point of an unknown sample', (t) => (points(t, 'DCW')[1]!['data_item_id'] = 'x'), 'b1 DCW'],
    ['a point at another time', (t) => (points(t, 'DCW')[1]!['timestamp'] = at(6.5)), 'b1 DCW'],
    [
      'a sample without a point',
      (t) => run(t)['events'].push({ ...run(t)['events'].at(-1), id: 'sample 13' }),
      'b1',
    ],
  ],
  P31: [
    ['a permeate that nothing replaced', (t) => permeateOf(t), 'b1'],
    [
      'a volume that no addition explains',
      (t) =>
        points(t, 'Culture volume')
          .slice(10)
          .forEach((point) => (point['value'] *= 1.05)),
      'b1',
    ],
  ],
  P32: [['carbon that is lost', (t) => points(t, 'CER').forEach((point) => (point['value'] = 40)), 'b1']],
  P33: [
    ['a seed that ends later', (t) => (run(t)['run_end_timestamp'] = at(25)), 'b2'],
    ['a circle', (t) => (run(t, 'b2')['lineage'].parents = [{ bioprocess_id: 'b2' }]), 'b2'],
  ],
  P34: [
    ['a failure without its mode', (t) => (run(t)['qc'] = { status: 'Fail', failure_mode: null }), 'b1'],
    ['a mode without a failure', (t) => (run(t)['qc'] = { status: 'Pass', failure_mode: 'DO crash' }), 'b1'],
  ],
  P35: [['a run in progress without new points', (t) => t.v_timeseries_data.splice(-2, 2), 'b2']],
  P36: [['points of a scheduled run', (t) => (series(t, 'DO')['bioprocess_id'] = 'b3'), 'b3']],
  P37: [
    [
      'a schedule outside of the experiment',
      (t) => (t.v_experiments[0]!['scheduled_end_timestamp'] = at(70)),
      'b3',
    ],
    ['a run outside of the experiment', (t) => (run(t)['run_start_timestamp'] = at(-11)), 'b1'],
  ],
  P38: [
    [
      'an OD of 5 per dry weight',
      (t) => points(t, 'OD600').forEach((point) => (point['value'] *= 5 / 3)),
      'b1',
    ],
  ],
}

/** Changes that look odd but are fine or can't be judged: no violation may be reported. */
const fine: [id: string, what: string, change: (tables: Changed) => unknown][] = [
  [
    'P1',
    'a run without zone that seems to start before its record',
    (t) => (run(t)['run_start_timestamp'] = unzoned(at(-13.5))),
  ],
  [
    'P1',
    'a start to the minute after one to the second',
    (t) => {
      run(t)['start_timestamp'] = `${at(0).slice(0, 16)}:30Z`
      run(t)['run_start_timestamp'] = toTheMinute(at(0))
    },
  ],
  ['P2', 'an end without zone', (t) => (run(t)['run_end_timestamp'] = unzoned(at(14)))],
  [
    'P2',
    'a duration that is exact and times to the minute',
    (t) => {
      run(t)['duration_ms'] -= 30_000
      run(t)['run_start_timestamp'] = toTheMinute(run(t)['run_start_timestamp'])
    },
  ],
  ['P4', 'a schedule whose end lacks a zone', (t) => (run(t)['scheduled_end_timestamp'] = unzoned(at(-1)))],
  ['P2', 'another status', (t) => Object.assign(run(t), { status: 'Done', duration_ms: 5 })],
  ['P6', 'a run in progress older than its series', (t) => (run(t, 'b2')['last_updated_at'] = at(25))],
  [
    'P8',
    'an archived record of another table',
    (t) => Object.assign(t.v_archived_records[0]!, { record_id: 'b1', table_name: 'timeseries' }),
  ],
  ['P12', 'points in another order', (t) => (t.v_timeseries_data = t.v_timeseries_data.toReversed())],
  [
    'P15',
    'the deviation of a population',
    (t) => (series(t, 'DO')['statistics'].standard_deviation *= Math.sqrt(12 / 13)),
  ],
  [
    'P21',
    'base units of another kind',
    (t) => (byId(t.v_quantities, 'q Culture volume')['base_units'] = { symbol: 'kg' }),
  ],
  [
    'P21',
    'mol and kg with a molar mass',
    (t) =>
      Object.assign(byId(t.v_quantities, 'q Feed glucose concentration'), {
        default_unit: 'mmol/L',
        molar_mass: 180,
      }),
  ],
  ['P22', 'a missing value', (t) => (points(t, 'Feed volume')[6]!['value'] = null)],
  ['P24', 'a DO above air', (t) => (series(t, 'DO')['statistics'].max = 180)],
  [
    'P25',
    'one wrong RQ of a failed run',
    (t) => [(run(t)['qc'].status = 'Fail'), points(t, 'RQ').forEach((point) => (point['value'] = 0.7))],
  ],
  [
    'P25',
    'rates in an unknown unit',
    (t) => [
      (series(t, 'OUR')['unit'] = 'furlong'),
      points(t, 'RQ').forEach((point) => (point['value'] = 0.7)),
    ],
  ],
  [
    'P26',
    'product without induction',
    (t) => [(run(t)['induction_event'] = null), (points(t, 'Titer')[0]!['value'] = 0.5)],
  ],
  [
    'P29',
    'an open phase of a run in progress',
    (t) => run(t, 'b2')['events'].push({ ...run(t, 'b2')['events'][0], phase: 'other' }),
  ],
  [
    'P30',
    'data_item_id of another kind',
    (t) => t.v_timeseries_data.forEach((point) => (point['data_item_id'] = 'file 7')),
  ],
  [
    'P31',
    'volumes in other units',
    (t) => [
      (series(t, 'Feed volume')['unit'] = 'L'),
      points(t, 'Feed volume').forEach((point) => (point['value'] /= 1000)),
    ],
  ],
  [
    'P31',
    'no base volume',
    (t) => [
      (series(t, 'Base volume')['quantity_id'] = 'q x'),
      points(t, 'Culture volume').forEach((point) => (point['value'] *= 2)),
    ],
  ],
  [
    'P31',
    'a permeate as large as what was fed on top',
    (t) => [
      permeateOf(t),
      points(t, 'Feed volume').forEach((point, hour) => (point['value'] += (5000 * hour) / 12)),
    ],
  ],
  ['P31', 'methanol that the feed total holds', (t) => methanolOf(t, 50)],
  [
    'P31',
    'methanol that is pumped apart from the feed total',
    (t) => [
      methanolOf(t, 50),
      points(t, 'Culture volume').forEach((point, hour) => (point['value'] += (0.05 * hour) / 12)),
    ],
  ],
  [
    'P32',
    'a batch, whose glucose is known from a single sample',
    (t) => [
      (byId(t.v_bioprocess_quantity_data, 'd2')['value'] = 90),
      points(t, 'CER').forEach((point) => (point['value'] = 5)),
    ],
  ],
  [
    'P32',
    'a feed of an unknown concentration',
    (t) => [t.v_bioprocess_quantity_data.pop(), points(t, 'CER').forEach((point) => (point['value'] = 40))],
  ],
  [
    'P32',
    'a release that was not read for hours',
    (t) => points(t, 'CER').forEach((point, hour) => (point['value'] = hour > 3 && hour < 9 ? null : 40)),
  ],
  [
    'P33',
    'a parent that was not read',
    (t) => (run(t, 'b2')['lineage'].parents = [{ bioprocess_id: 'gone' }]),
  ],
  ['P34', 'a status in other words', (t) => (run(t)['qc'] = { status: 'FAILED', failure_mode: 'Foam-out' })],
  ['P38', 'one outlier', (t) => (points(t, 'OD600')[1]!['value'] *= 2)],
]

describe('the plausibility invariants', () => {
  test('are P1 to P38, each with a breach in this file', () => {
    expect(plausible.map(({ id }) => id)).toEqual(Array.from({ length: 38 }, (_, index) => `P${index + 1}`))
    expect(Object.keys(breaches)).toEqual(plausible.map(({ id }) => id))
  })

  test('all judge rows of the plausible plant and hold', () => {
    for (const { id, judged, examples } of findings(plausiblePlant())) {
      expect(
        examples.map(
          ({ row, problems }) => `${id} ${row} ${problems.map((problem) => textOf(problem)).join()}`,
        ),
      ).toEqual([])
      expect(judged, id).toBeGreaterThan(0)
    }
  })

  const each = Object.entries(breaches).flatMap(([id, all]) => all.map((breach) => [id, ...breach] as const))
  test.each(each)('%s reports %s', (id, _, change, row) => {
    const tables = plausiblePlant()
    change(tables)
    const { violations, examples } = finding(id, tables)
    expect(examples.map((example) => example.row)).toContain(row)
    expect(violations).toBeGreaterThan(0)
    for (const { problems } of examples)
      for (const problem of problems) expect(textOf(problem)).toMatch(/^[\w"].*\.$/)
  })

  test.each(fine)('%s accepts %s', (id, _, change) => {
    const tables = plausiblePlant()
    change(tables)
    expect(finding(id, tables).examples).toEqual([])
  })

  test('report no row as too new if the time of reading is unknown', () => {
    const tables = plausiblePlant()
    tables.v_archived_records[0]!['archived_at'] = at(10_000)
    expect(evaluate(plausible, (view) => tables[view]).find(({ id }) => id === 'P7')).toMatchObject({
      judged: 0,
      violations: 0,
    })
  })

  test('P30 waits half a day for the first result of a sample', () => {
    const tables = plausiblePlant()
    const { events } = run(tables) as { events: object[] }
    events.push({ ...events.at(-1), id: 'sample 13' })
    const violations = [{ asOf: microsOf(at(23)) }, { asOf: microsOf(at(25)) }, {}].map(
      (read) => evaluate(plausible, (view) => tables[view], read).find(({ id }) => id === 'P30')!.violations,
    )
    expect(violations).toEqual([0, 1, 1])
  })

  test('find a quantity by an alternative name', () => {
    const tables = plausiblePlant()
    Object.assign(byId(tables.v_quantities, 'q OD600'), { name: 'Trübung', alternative_names: ['OD_600'] })
    points(tables, 'OD600').forEach((point) => (point['value'] *= 2))
    expect(finding('P38', tables).violations).toBe(1)
  })

  test('count all violations and keep the first five as examples', () => {
    const tables = plausiblePlant()
    for (const row of tables.v_timeseries) row['duration_ms'] = -1
    expect(finding('P2', tables)).toMatchObject({
      violations: tables.v_timeseries.length,
      examples: { length: 5 },
    })
  })
})
