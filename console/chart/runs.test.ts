import { expect, test } from 'vitest'
import { anchorOf, runOf, shortName } from './runs.ts'

const at = (hour: number) => `2026-01-01T0${hour}:00:00.000000+00:00`
const time = (hour: number) => Date.parse(at(hour))
const events = [
  { phase: 'growth', time_point: 'start', timestamp: at(1) },
  { addition_type: 'Inoculation', timestamp: at(1) },
  { removal_type: 'Sample', timestamp: at(2) },
  { addition_type: 'Feed Start', timestamp: at(3) },
  { phase: 'growth', time_point: 'end', timestamp: at(4) },
  { phase: 'production', time_point: 'start', timestamp: at(4) },
  { addition_type: 'Induction', timestamp: at(4) },
  { note: 'DO low', timestamp: at(5) },
  { addition_type: 'Induction', timestamp: null },
]
const row = (given: unknown) => ['r', 'BR-1', 'EC-1 E. coli', 'Completed', at(1), at(6), at(7), given]

test('a run has phases, marks and anchors from its events', () => {
  const run = runOf(row(events))!
  expect(shortName(run)).toBe('EC-1')
  expect(run.phases).toEqual([
    { name: 'growth', from: time(1), to: time(4) },
    { name: 'production', from: time(4), to: time(6) },
  ])
  expect(run.marks.map(({ label }) => label)).toEqual(['Inoculation', 'Feed Start', 'Induction'])
  expect(run.ticks).toEqual([time(2)])
  expect(
    ['start', 'feed', 'induction', 'clock'].map((alignment) => anchorOf(run, alignment as 'start')),
  ).toEqual([time(1), time(3), time(4), 0])
})

test('a run without usable events is still drawn, and one that has not started is not', () => {
  const run = runOf(row(null))!
  expect(run).toMatchObject({ phases: [], marks: [], induction: undefined, start: time(1) })
  expect(runOf(['r', 'BR-1', 'EC-1', 'Draft', null, null, at(7), []])).toBeUndefined()
})
