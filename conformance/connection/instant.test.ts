import { expect, test } from 'vitest'
import { instantOf, isZoned } from './instant.ts'

const noon = BigInt(Date.UTC(2025, 2, 1, 12)) * 1_000_000n

test.each([
  ['2025-03-01T12:00:00Z', noon],
  ['2025-03-01T12:00:00.000001+00:00', noon + 1000n],
  ['2025-03-01T12:00:00,5Z', noon + 500_000_000n],
  ['2025-03-01T14:00:00+02', noon],
  ['2025-03-01T17:30:00+0530', noon],
  ['2025-03-01 12:00:00.000000 +00:00', noon],
  ['2025-03-01T12:00', noon],
  ['2025-03-01', noon - 43_200_000_000_000n],
  ['yesterday', undefined],
  ['1740830400', undefined],
])('%s', (text, expected) => {
  expect(instantOf(text)).toBe(expected)
})

test('a zone is told from the hyphens of the date', () => {
  const texts = ['2025-03-01T12:00:00Z', '2025-03-01T12:00:00-05:00', '2025-03-01T12:00:00', '2025-03-01']
  expect(texts.map(isZoned)).toEqual([true, true, false, false])
})
