import { expect, test } from 'vitest'
import { habitId, selectHabits } from './select-habits.ts'

const idsOf = (...only: string[]) => selectHabits(only).map(({ id }) => id)

test('a pattern is an id, an open point or the start of an id', () => {
  expect(idsOf('rows.shape=array', 'fault.504')).toEqual(['rows.shape=array', 'fault.504'])
  expect(idsOf('rows.shape').every((id) => id.startsWith('rows.shape='))).toBe(true)
  expect(idsOf('rows.*')).toEqual(expect.arrayContaining(idsOf('rows.shape')))
  expect(() => idsOf('rows.shap')).toThrow('No habit matches "rows.shap".')
})

test('a pattern and a waiver may have the number or the former id of an open point', () => {
  expect(idsOf('NS-12')).toEqual(idsOf('rows.shape'))
  expect(idsOf('ts.format=micros-z')).toEqual(['timestamps.format=micros-z'])
  expect(['NS-12=array', 'REQ-HTTP-2', 'fault.504'].map(habitId)).toEqual([
    'rows.shape=array',
    'REQ-HTTP-2',
    'fault.504',
  ])
})
