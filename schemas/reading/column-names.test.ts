import { expect, test } from 'vitest'
import { formOf, inSnakeCase } from './column-names.ts'

test.each([
  'last_updated_at',
  'LAST_UPDATED_AT',
  'lastUpdatedAt',
  'LastUpdatedAt',
  'last-updated-at',
  't.last_updated_at',
  'v_timeseries.lastUpdatedAt',
])('%s is the column last_updated_at', (key) => {
  expect(formOf(key)).toBe('lastupdatedat')
  expect(inSnakeCase(key)).toBe('last_updated_at')
})
