import { expect, test } from 'vitest'
import type { JsonObject } from '../connection/values/json.ts'
import { changeInWords, vanishedUnseen } from './row-changes.ts'

const row = (id: string, day = 1): JsonObject => ({ id, last_updated_at: `2025-01-0${day}T00:00:00Z` })
const rows = [row('a'), row('b', 2), row('c', 3)]

test('vanishedUnseen counts rows that vanished without a newer update', () => {
  expect(vanishedUnseen('v_quantities', { rows }, { rows: [row('c', 3)] })).toBe(2)
  expect(vanishedUnseen('v_quantities', { rows }, { rows: [] })).toBe(3)
})

test.each([
  ['no row vanished', rows, [...rows, row('d')]],
  ['there is a newer row', rows, [row('d', 4)]],
  ['the updates were not read', [{ id: 'a' }, { id: 'b' }], [{ id: 'a' }]],
])('vanishedUnseen counts no row if %s', (_, before, after) => {
  expect(vanishedUnseen('v_quantities', { rows: before }, { rows: after })).toBe(0)
})

test.each([
  ['a row has another update', [row('a'), row('b', 3)]],
  ['a row is gone', [row('a')]],
  ['a new row is newer than all others', [row('a'), row('b', 2), row('c', 3)]],
])('changeInWords says that rows changed if %s', (_, after) => {
  expect(changeInWords('v_quantities', { rows: rows.slice(0, 2) }, { rows: after }, 'read')).toBe(
    'rows of v_quantities changed while they were read',
  )
})

test('changeInWords says that answers differ if a second reading has more old rows', () => {
  expect(changeInWords('v_quantities', { rows: rows.slice(1) }, { rows }, 'read')).toBe(
    'a statement over v_quantities got two different answers, although no id and no last_updated_at changed',
  )
})
