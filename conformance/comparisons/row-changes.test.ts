import { expect, test } from 'vitest'
import type { JsonObject } from '../connection/json.ts'
import { vanishedUnseen } from './row-changes.ts'

const sql = 'SELECT id, last_updated_at FROM v_quantities LIMIT 500'
const row = (id: string, day = 1): JsonObject => ({ id, last_updated_at: `2025-01-0${day}T00:00:00Z` })
const rows = [row('a'), row('b', 2), row('c', 3)]

test('vanishedUnseen counts rows that vanished without a newer update', () => {
  expect(vanishedUnseen('v_quantities', { sql, rows }, { rows: [row('c', 3)] })).toBe(2)
  expect(vanishedUnseen('v_quantities', { sql, rows }, { rows: [] })).toBe(3)
})

test.each([
  ['no row vanished', sql, rows, [...rows, row('d')]],
  ['there is a newer row', sql, rows, [row('d', 4)]],
  [
    'LIMIT may have truncated the first reading',
    'SELECT id, last_updated_at FROM v_quantities LIMIT 3',
    rows,
    [],
  ],
  [
    'the updates were not read',
    'SELECT id FROM v_quantities LIMIT 500',
    [{ id: 'a' }, { id: 'b' }],
    [{ id: 'a' }],
  ],
])('vanishedUnseen counts no row if %s', (_, sql, before, after) => {
  expect(vanishedUnseen('v_quantities', { sql, rows: before }, { rows: after })).toBe(0)
})
