import { test } from 'vitest'
import { runHabits } from './run.ts'
import type { RunTests } from './types.ts'

// Nothing here runs: the compiler is the test.

declare const run: RunTests
declare const text: string

test('a misspelt variant or fault of every run does not compile', () => {
  // @ts-expect-error no such setting
  void runHabits(run, { variants: { 'rows.shap': 'array' } })
  // @ts-expect-error no such variant
  void runHabits(run, { variants: { 'rows.shape': 'arrays' } })
  // @ts-expect-error no such fault
  void runHabits(run, { faults: ['timeot'] })
})

test('habits are selected by ids, by prefixes and by texts from outside', () => {
  const only = text.split(',')
  void runHabits(run, { only, skip: ['rows.shape=array', 'rows.shape', 'rows.*', 'fault.504', 'NS-12'] })
  void runHabits(run, { variants: { 'rows.shape': 'array' }, faults: ['reset,times=1'] })
})
