import { expect, test } from 'vitest'
import { isoOf, isSameInstant, microsOf, isLater } from './instant.ts'

test.each([
  ['2025-03-01', '2025-03-01T00:00:00.000000Z'],
  ['20250301T0812', '2025-03-01T08:12:00.000000Z'],
  ['2022-04-01 08:12:00.000001 +00:00', '2022-04-01T08:12:00.000001Z'],
  ['1969-12-31T23:59:59.999999', '1969-12-31T23:59:59.999999Z'],
  ['+010000-01-01', '+010000-01-01T00:00:00.000000Z'],
  ['+275760-09-13T00:00:00Z', '+275760-09-13T00:00:00.000000Z'],
  ['+294276-12-31T00:00:00Z', '9224317929600 seconds since 1970'],
])('an invariant reads %s as %s', (text, expected) => {
  expect(isoOf(microsOf(text))).toBe(expected)
})

test.each(['', 'BR-0001', '2025-02-30', null, 7])('an invariant finds no time in %j', (value) => {
  expect(microsOf(value)).toBeNaN()
})

test.each([
  ['2025-03-01T08:12:30Z', '2025-03-01T08:12Z', false],
  ['2025-03-01T08:13:00Z', '2025-03-01T08:12Z', true],
  ['2025-03-01T08:12:00.9Z', '2025-03-01T08:12:00Z', false],
  ['2025-03-01T08:12:00.000001Z', '2025-03-01T08:12:00.000000Z', true],
  ['2025-03-01T22:12:00', '2025-03-01T08:12:00Z', false],
  ['2025-03-01T22:12:02', '2025-03-01T08:12:00Z', true],
  ['2025-03-01T08:12:01', '2025-03-01T08:12:00', true],
  ['2025-03-01T08:12:00Z', '2025-03-01T08:13:00Z', false],
  [null, '2025-03-01T08:12:00Z', false],
])('%s is later than %s: %s', (one, other, expected) => {
  expect(isLater(one, other)).toBe(expected)
})

test('instants are the same when microseconds are cut off', () => {
  const time = microsOf('2025-03-01T08:12:00.123456Z')
  expect(isSameInstant(time, microsOf('2025-03-01T08:12:00.123Z'))).toBe(true)
  expect(isSameInstant(time, microsOf('2025-03-01T08:12:00.122Z'))).toBe(false)
})
