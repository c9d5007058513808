import { expect, test } from 'vitest'
import { judgeRows } from './judging.ts'
import { rowRules } from './row-rules.ts'

const event = { type: 'DbAdditionEvent', addition_type: 'Induction', volume: { unit: 'mL', value: 1 } }
const empty = { sum: 0, count: 0 }

test.each([
  ['qc without failure_mode', rowRules.qcFailureMode, 'v_bioprocesses', { qc: { status: 'Pass' } }],
  ['an addition without a lot', rowRules.namedEvents, 'v_bioprocesses', { events: [event] }],
  ['statistics of no values', rowRules.statistics, 'v_timeseries', { statistics: empty }],
  [
    'consistent statistics of no values',
    rowRules.consistentStatistics,
    'v_timeseries',
    { statistics: empty },
  ],
] as const)('a server may leave out nulls inside objects: %s', (_, rule, view, row) => {
  expect(judgeRows(rule, view, [row])).toEqual({ judged: 1, violations: [] })
})

test.each([
  ['qc', rowRules.qcFailureMode, 'v_bioprocesses', { qc: { status: null } }],
  [
    'an event',
    rowRules.namedEvents,
    'v_bioprocesses',
    { events: [{ ...event, lot_number: null, reagent_name: null }, event] },
  ],
  ['statistics', rowRules.statistics, 'v_timeseries', { statistics: { ...empty, min: null } }],
] as const)('a member is missing if %s has nulls elsewhere', (_, rule, view, row) => {
  expect(judgeRows(rule, view, [row]).violations).toHaveLength(1)
})

test('a member that may not be null is never left out', () => {
  expect(
    judgeRows(rowRules.statistics, 'v_timeseries', [{ statistics: { count: 0 } }]).violations,
  ).toHaveLength(1)
})
