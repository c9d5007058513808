import { expect, test } from 'vitest'
import { validators } from '../../../schemas/generated/validators.ts'
import { rowProblem } from './row-problems.ts'

const isRow = validators['views/v_experiments']
const row = {
  id: 'e-1',
  external_id: 'EXP-1',
  scheduled_start_timestamp: null,
  scheduled_end_timestamp: null,
  last_updated_at: '2026-01-01T00:00:00Z',
}

test('a row of a mock is refused for what the database cannot store, too', () => {
  expect(rowProblem(isRow, 'v_experiments', 0, row)).toBeUndefined()
  for (const id of ['\ud800', 'a\0'])
    expect(rowProblem(isRow, 'v_experiments', 2, { ...row, id })).toMatch(
      /^v_experiments\[2\]\.id contains a char/,
    )
  expect(rowProblem(isRow, 'v_experiments', 2, { ...row, id: 7 })).toBe('v_experiments[2] id must be string.')
})
