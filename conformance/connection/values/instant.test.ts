import { expect, test } from 'vitest'
import { dateOf, instantOf, midnightOf } from './instant.ts'

const noon = BigInt(Date.UTC(2025, 2, 1, 12)) * 1_000_000n

test.each([
  ['2025-03-01T12:00:00.000001+00:00', noon + 1000n],
  ['2025-03-01 12:00:00.000000 +00:00', noon],
  ['2025-03-01T12:00', noon],
  ['2025-03-01', noon - 43_200_000_000_000n],
  ['20250301T120000.000001Z', noon + 1000n],
  ['20250301', undefined],
  ['20250301 120000', undefined],
  ['yesterday', undefined],
])('instantOf reads %s as %s', (text, expected) => {
  expect(instantOf(text)).toBe(expected)
})

test.each([
  ['0001-01-01T00:00:00Z', '0001-01-01'],
  ['0000-12-31T23:59:59.999999999Z', undefined],
  ['1969-12-31T23:59:59.999999999Z', '1969-12-31'],
  ['9999-12-31T23:59:59.9999999Z', '9999-12-31'],
  ['+010000-01-01T00:00:00Z', undefined],
  ['+294276-12-31T23:59:59.999999Z', undefined],
])('the date of %s is %s', (text, date) => {
  expect(dateOf(instantOf(text)!)).toBe(date)
  if (date !== undefined) expect(midnightOf(date)).toBe(instantOf(date))
})
