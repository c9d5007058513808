import { expectTypeOf, test } from 'vitest'
import type { CheckId } from '../generated/check-ids.ts'
import type { ConformanceOptions } from './options.ts'

// Nothing here runs: the compiler is the test.

declare const text: string

test('the ids of checks, also those of a seeded run, are known for completion', () => {
  expectTypeOf<'http.endpoint' | 'views.exists:v_formulas' | 'seeded.loaded'>().toExtend<CheckId>()
  expectTypeOf<'http.endpont'>().not.toExtend<CheckId>()
})

test('checks are selected by ids, requirements, prefixes and texts from outside', () => {
  const only: ConformanceOptions['only'] = ['http.endpoint', 'REQ-HTTP-1', 'sql.*', text, ...text.split(',')]
  expectTypeOf(only).toExtend<string[]>()
})
