import { expect, expectTypeOf, test } from 'vitest'
import { sampleRows } from '../invariants/tables.test-helper.ts'
import type { Experiment } from './generated/types.ts'
import { rowSchemas } from './row-schemas.ts'
import { views } from './views.ts'

const experiment = sampleRows.v_experiments

test('every view has a Standard Schema of version 1', () => {
  expect(Object.keys(rowSchemas)).toEqual(views.map(({ name }) => name))
  for (const schema of Object.values(rowSchemas))
    expect(schema['~standard']).toEqual({
      version: 1,
      vendor: 'bioprocess-sql-contract',
      validate: expect.any(Function),
    })
})

test('a valid row is returned unchanged', () => {
  expect(rowSchemas.v_experiments['~standard'].validate(experiment)).toEqual({ value: experiment })
})

test('an invalid row has an issue for each departure, with its path', () => {
  const { id: _, ...row } = { ...experiment, external_id: 7 }
  expect(rowSchemas.v_experiments['~standard'].validate(row)).toEqual({
    issues: [
      { message: "must have required property 'id'", path: [] },
      { message: 'must be string', path: ['external_id'] },
    ],
  })
  expect(rowSchemas.v_experiments['~standard'].validate('row')).toMatchObject({ issues: [{ path: [] }] })
})

test('a path leads into arrays and objects', () => {
  const quantity = { alternative_names: ['a', 7] }
  const result = rowSchemas.v_quantities['~standard'].validate(quantity)
  expect(result.issues?.map(({ path }) => path)).toContainEqual(['alternative_names', 1])
})

test('issues tell the two results of a schema apart, also for the compiler', () => {
  const result = rowSchemas.v_experiments['~standard'].validate(experiment)
  if (result.issues) throw new Error(result.issues[0]!.message)
  expectTypeOf(result.value).toEqualTypeOf<Experiment>()
  expect(result.value).toBe(experiment)
})
