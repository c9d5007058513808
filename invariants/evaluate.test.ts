import fc from 'fast-check'
import { expect, test } from 'vitest'
import { views, type ViewName } from '../schemas/index.ts'
import { Inspection, evaluate, shown, textOf } from './index.ts'
import { invariants } from './list.ts'
import { say, words } from './message.ts'
import { plausiblePlant } from './plant.test-helper.ts'

const names = views.map(({ name }) => name)

/** A row of a view with wrong values in some columns. */
const strangeRow = (view: ViewName) => {
  const columns = views.find(({ name }) => name === view)!.columns.map(({ name }) => name)
  const strange = fc.oneof(
    fc.jsonValue(),
    fc.constantFrom('2025-03-01T08:00:00Z', 'b1', -0, 1e308),
    // JSON that a template can't print
    fc.constantFrom({ toString: 1, valueOf: null }, [{ toString: '', id: { toString: 1 } }]),
  )
  return fc.record(Object.fromEntries(columns.map((column) => [column, strange])), { requiredKeys: [] })
}
const strangeRows = fc.oneof(...names.map((view) => fc.tuple(fc.constant(view), strangeRow(view))))

test('evaluates rows with any values under any column', () => {
  fc.assert(
    fc.property(fc.array(strangeRows, { maxLength: 8 }), (strange) => {
      const tables = plausiblePlant()
      for (const [view, row] of strange) tables[view].push({ ...tables[view][0], ...row })
      for (const { judged, violations, examples } of evaluate(invariants, (view) => tables[view])) {
        expect(violations).toBeLessThanOrEqual(judged)
        expect(examples).toHaveLength(Math.min(5, violations))
        for (const { problems } of examples)
          for (const problem of problems) expect(textOf(problem)).toMatch(/\.$/)
      }
    }),
    { numRuns: 300 },
  )
})

test('gives the same findings for any order of the views', () => {
  const tables = plausiblePlant()
  tables.v_timeseries[0]!['statistics'].max = 7
  const read = (order: readonly ViewName[]) => {
    const inspection = new Inspection(invariants)
    for (const view of order) for (const row of tables[view]) inspection.take(view, row)
    return inspection.findings()
  }
  expect(read(names.toReversed())).toEqual(read(names))
})

test('prints the values of a message with a function and its words unchanged', () => {
  const message = say`${words('unit')} is ${'mL'}, not ${null}.`
  expect(textOf(message)).toBe('unit is "mL", not null.')
  expect(textOf(message, () => '#')).toBe('unit is #, not #.')
  expect(shown('x'.repeat(300))).toHaveLength(201)
})
