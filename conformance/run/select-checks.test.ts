import { expect, test } from 'vitest'
import type { Check } from '../checks/check.ts'
import { selectChecks } from './select-checks.ts'
import { UsageError } from '../connection/usage-error.ts'

const make = (id: string, requirement: string): Check => ({
  id,
  requirement,
  title: 'MUST',
  killedBy: [],
  run: async () => ({ outcome: 'pass', message: '' }),
})
const checks = [
  make('delta.strictly-after', 'REQ-DELTA-2'),
  make('delta.by-literal', 'REQ-DELTA-6'),
  make('views.types:v_formulas', 'REQ-VIEW-TYPES:v_formulas'),
  make('views.types:v_quantities', 'REQ-VIEW-TYPES:v_quantities'),
  make('formula-results.series', 'REQ-VIEW-FR-SHAPE'),
  make('formula-results.length', 'REQ-VIEW-FR-SHAPE:should'),
]
const ids = (only: string[], skip: string[] = []) =>
  selectChecks(checks, only, skip).selected.map(({ id }) => id)

test('checks are selected by id, requirement, family and prefix', () => {
  expect(ids([])).toHaveLength(6)
  expect(ids(['delta.by-literal'])).toEqual(['delta.by-literal'])
  expect(ids(['REQ-DELTA-2'])).toEqual(['delta.strictly-after'])
  expect(ids(['REQ-VIEW-TYPES'])).toEqual(['views.types:v_formulas', 'views.types:v_quantities'])
  expect(ids(['delta.*'])).toHaveLength(2)
  expect(ids(['REQ-DELTA*'], ['delta.by-literal'])).toEqual(['delta.strictly-after'])
})

test('the id of a MUST requirement does not select its SHOULD requirement', () => {
  expect(ids(['REQ-VIEW-FR-SHAPE'])).toEqual(['formula-results.series'])
})

test('selectChecks returns the requirements of excluded checks', () => {
  expect([...selectChecks(checks, ['delta.*'], []).leftOut]).toContain('REQ-VIEW-FR-SHAPE')
})

test.each([
  [['nonsense'], []],
  [[], ['nonsense*']],
  [['delta.*'], ['delta.*']],
])('selectChecks rejects --only %j with --skip %j', (only, skip) => {
  expect(() => selectChecks(checks, only, skip)).toThrow(UsageError)
})
