import { describe, expect, test } from 'vitest'
import { view } from '../../schemas/index.ts'
import { evaluate, textOf, type Row, type Tables } from '../index.ts'
import { wholeTables, type Changed } from '../tables.test-helper.ts'
import { documented } from './list.ts'

const judged = (tables: Tables) => evaluate(documented, (view) => tables[view])
const checked = (id: string, tables: Tables) =>
  judged(tables)
    .find((finding) => finding.id === id)!
    .examples.map(({ row, problems }) => ({ row, messages: problems.map((problem) => textOf(problem)) }))
const broken = (tables: Tables) => judged(tables).flatMap(({ examples }) => examples)

const experimentOf = (row: Row): Row =>
  Object.fromEntries(view('v_experiments').columns.map(({ name }) => [name, row[name]]))

/** For each invariant, a change that breaks it in correct tables, and the row that has to be reported. */
const corruptions: Record<string, [change: (tables: Changed) => unknown, row: string]> = {
  D1: [(t) => delete t.v_experiments[0]!['external_id'], 'e1'],
  D2: [(t) => t.v_formulas.push({ ...t.v_formulas[0]! }), 'f1'],
  D3: [(t) => (t.v_bioprocesses[0]!['data'] = [1]), 'b1'],
  D4: [(t) => (t.v_bioprocesses[0]!['status'] = 'completed'), 'b1'],
  D5: [(t) => (t.v_bioprocesses[0]!['qc'] = { status: null }), 'b1'],
  D6: [(t) => (t.v_quantities[0]!['name'] = null), 'q1'],
  D7: [(t) => (t.v_archived_records[0]!['archived_at'] = '2025-03-01 08:12:00'), 'a1'],
  D8: [(t) => (t.v_timeseries[0]!['start_timestamp'] = '2025-03-01T08:12:00'), 't1'],
  D9: [(t) => (t.v_bioprocess_quantity_data[0]!['bioprocess_id'] = 'e1'), 'd1'],
  D10: [(t) => (t.v_timeseries[0]!['bioprocess_id'] = 'b2'), 't1'],
  D11: [(t) => (t.v_timeseries_data[0]!['id'] = 't2'), 't2'],
  D12: [(t) => (t.v_bioprocess_quantity_data[0]!['quantity_id'] = 'q2'), 'd1'],
  D13: [(t) => (t.v_timeseries[0]!['quantity_id'] = 'q2'), 't1'],
  D14: [(t) => (t.v_formula_results[0]!['formula_id'] = 'f2'), 'r1'],
  D15: [(t) => (t.v_formula_results[0]!['bioprocess_id'] = 'b2'), 'r1'],
  D16: [(t) => delete t.v_timeseries[0]!['statistics'].sum, 't1'],
  D17: [(t) => (t.v_timeseries[0]!['statistics'].min = 0), 't1'],
  D18: [(t) => (t.v_timeseries[0]!['statistics'].max = 5), 't1'],
  D19: [(t) => (t.v_timeseries[0]!['statistics'].sum = 6), 't1'],
  D20: [(t) => (t.v_timeseries[0]!['statistics'].first = 3), 't1'],
  D21: [(t) => (t.v_timeseries[0]!['statistics'].last = 1), 't1'],
  D22: [(t) => (t.v_timeseries[0]!['statistics'].arithmetic_mean = 1.333), 't1'],
  D23: [(t) => (t.v_timeseries[0]!['statistics'].count = 3), 't1'],
  D24: [(t) => t.v_bioprocess_quantity_data.push({ ...t.v_bioprocess_quantity_data[0]!, id: 'd2' }), 'd2'],
  D25: [(t) => (t.v_bioprocess_quantity_data[0]!['unit'] = null), 'd1'],
  D26: [(t) => delete t.v_bioprocesses[0]!['events'][0].reagent_name, 'b1'],
  D27: [(t) => (t.v_bioprocesses[0]!['events'][0].volume = '5 mL'), 'b1'],
  D28: [(t) => (t.v_formula_results[0]!['timeseries'].data = ['1', '3']), 'r1'],
  D31: [(t) => delete t.v_quantities[0]!['last_updated_at'], 'q1'],
  D32: [(t) => t.v_experiments.push(experimentOf(t.v_bioprocesses[0]!)), 'b1'],
  D34: [(t) => (t.v_bioprocesses[0]!['events'] = [{ removal_type: 'Sample' }]), 'b1'],
  D35: [(t) => (t.v_timeseries[0]!['statistics'].sum = 5), 't1'],
  D36: [(t) => t.v_formula_results[0]!['timeseries'].times_ms.pop(), 'r1'],
  D37: [(t) => (t.v_formula_results[0]!['timeseries_statistics_max'] = 4), 'r1'],
  D38: [(t) => (t.v_formula_results[0]!['data'] = { value: 1 }), 'r1'],
}

describe('the documented invariants', () => {
  test('are numbered in order, each with a violation in this file', () => {
    const numbers = documented.map(({ id }) => Number(id.slice(1)))
    expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
    expect(Object.keys(corruptions)).toEqual(documented.map(({ id }) => id))
  })

  test('hold for correct tables', () => {
    expect(broken(wholeTables())).toEqual([])
  })

  test.each(Object.entries(corruptions))('report a violation of %s and name the row', (id, [change, row]) => {
    const tables = wholeTables()
    change(tables as unknown as Changed)
    const [violation, ...others] = checked(id, tables)
    expect(violation).toEqual({ row, messages: [expect.stringMatching(/\w.*\.$/)] })
    expect(others).toEqual([])
  })

  test('require the statistics of a formula series, but not those of a single value', () => {
    const tables = wholeTables()
    const [row] = (tables as unknown as Changed).v_formula_results
    row!['timeseries_statistics_min'] = null
    expect(checked('D6', tables).flatMap(({ messages }) => messages)).toEqual([
      'timeseries_statistics_min is null instead of number, or null where timeseries is null.',
    ])
    row!['timeseries'] = null
    expect(checked('D6', tables)).toEqual([])
  })

  test('take points in time order, not in the order of the view', () => {
    const tables = wholeTables()
    ;(tables as unknown as Changed).v_timeseries_data.reverse()
    expect(broken(tables)).toEqual([])
  })

  test('recognise an event by a value that names its kind, under any key', () => {
    const tables = wholeTables()
    const events = [{ kind: 'DbObservationEvent' }, { type: 'PumpEvent' }, { addition_type: 'Induction' }]
    ;(tables as unknown as Changed).v_bioprocesses[0]!['events'] = events
    expect(checked('D26', tables).flatMap(({ messages }) => messages)).toEqual([
      expect.stringContaining('DbObservationEvent'),
    ])
  })
})
