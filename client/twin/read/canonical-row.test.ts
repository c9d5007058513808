import { expect, test } from 'vitest'
import { view } from '../../../schemas/index.ts'
import { canonicalRow } from './canonical-row.ts'

const { columns } = view('v_timeseries_data')
const point = {
  id: 'a',
  timestamp: '2025-03-01T08:00:00Z',
  value: 1.5,
  data_item_id: null,
  last_updated_at: '2025-03-01T08:00:00.5Z',
}

test.each([
  ['as documented', point],
  [
    'in upper case',
    Object.fromEntries(Object.entries(point).map(([key, value]) => [key.toUpperCase(), value])),
  ],
  ['in camel case', { ...point, dataItemId: null, lastUpdatedAt: point.last_updated_at }],
  ['with a prefix', Object.fromEntries(Object.entries(point).map(([key, value]) => [`t.${key}`, value]))],
  ['with numbers as text', { ...point, value: '1.5' }],
  ['without nulls', { ...point, data_item_id: undefined }],
  ['with a space in timestamps', { ...point, timestamp: '2025-03-01 08:00:00Z' }],
  ['without zones', { ...point, timestamp: '2025-03-01T08:00:00' }],
  ['with another column', { ...point, site: 'Plant 1' }],
])('a row %s is read', (_, row) => {
  expect(canonicalRow(row, columns)).toEqual(point)
})

test('a row with times in milliseconds is read', () => {
  const row = { ...point, timestamp: Date.parse(point.timestamp) }
  expect(canonicalRow(row, columns)['timestamp']).toBe('2025-03-01T08:00:00.000Z')
})

test('NaN becomes null, and values of a wrong type stay for the check of the row', () => {
  expect(canonicalRow({ ...point, value: 'NaN' }, columns)['value']).toBeNull()
  expect(canonicalRow({ ...point, value: 'high', id: ['a'] }, columns)).toMatchObject({
    value: 'high',
    id: ['a'],
  })
  expect(canonicalRow({ id: 'a' }, columns)).toEqual({ id: 'a', value: null, data_item_id: null })
})

test('JSON as text is read where the column holds objects', () => {
  const { columns } = view('v_timeseries')
  expect(canonicalRow({ statistics: '{"count":1}' }, columns)['statistics']).toEqual({ count: 1 })
  const values = view('v_bioprocess_quantity_data').columns
  expect(canonicalRow({ value: '{"count":1}' }, values)['value']).toBe('{"count":1}')
})
