import { expect, test } from 'vitest'
import { sampleRows } from '../../invariants/tables.test-helper.ts'
import { validators } from '../../schemas/generated/validators.ts'
import { rowProblem } from './row-problems.ts'

const isRow = validators['views/v_experiments']
const row = sampleRows.v_experiments

test('a row of a mock is refused for what the database cannot store, too', () => {
  expect(rowProblem(isRow, 'v_experiments', 0, row)).toBeUndefined()
  for (const id of ['\ud800', 'a\0'])
    expect(rowProblem(isRow, 'v_experiments', 2, { ...row, id })).toMatch(
      /^v_experiments\[2\]\.id contains a char/,
    )
  expect(rowProblem(isRow, 'v_experiments', 2, { ...row, id: 7 })).toBe('v_experiments[2] id must be string.')
})
