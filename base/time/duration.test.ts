import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkTimer, durationIn, durationText } from './duration.ts'

test.each([
  ['500ms', 500],
  ['1.5s', 1500],
  ['2m', 120_000],
  ['2min', 120_000],
  ['4h', 14_400_000],
  ['1d', 86_400_000],
  ['0s', 0],
])('%s is a duration of %d ms', (text, ms) => {
  expect(durationIn(text)).toBe(ms)
})

test.each(['', '5', '-1s', '1w', 's', '1e3s', '1 s s', '1S'])('%j is no duration', (text) => {
  expect(durationIn(text)).toBeUndefined()
})

test('a duration as text is read as the same time', () => {
  fc.assert(fc.property(fc.integer({ min: 1 }), (ms) => durationIn(durationText(ms)) === ms))
})

test.each([0, -1, Number.NaN, 2 ** 31, Infinity])('no timer waits for %d ms', (ms) => {
  expect(() => checkTimer('timeLimitMs', ms, 1)).toThrow(
    `timeLimitMs is ${ms}. Give milliseconds from 1 to 2147483647, which are 24 days.`,
  )
  expect(() => checkTimer('timeLimitMs', 2 ** 31 - 1, 1)).not.toThrow()
})
