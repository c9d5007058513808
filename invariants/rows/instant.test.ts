import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isIso8601 } from '../../schemas/formats.ts'
import { isoOf, isSameInstant, isUsualForm, microsOf } from './instant.ts'

const dates = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true })
const zones = fc.constantFrom('Z', '+00:00', '+05:30', '-08', '+02')
const fractions = fc.stringMatching(/^\d{1,9}$/)

test('the usual form is read as Date reads it, and to the microsecond', () => {
  fc.assert(
    fc.property(dates, zones, fractions, (date, zone, fraction) => {
      const local = date.toISOString().slice(0, 19)
      const text = `${local}.${fraction}${zone}`
      const whole = Date.parse(local + (zone.length === 3 ? `${zone}:00` : zone))
      expect(microsOf(text)).toBe(whole * 1000 + Number(fraction.padEnd(6, '0').slice(0, 6)))
      expect(isUsualForm(text) && isIso8601(text)).toBe(true)
    }),
  )
})

test('what is read as the usual form is ISO 8601', () => {
  const digits = fc.stringMatching(
    /^\d{4}-[01]\d-[0-3]\dT[0-3]\d:[0-7]\d:[0-7]\d(\.\d{0,3})?(Z|\+\d\d(:\d\d)?|)$/,
  )
  fc.assert(
    fc.property(digits, (text) => !isUsualForm(text) || isIso8601(text)),
    { numRuns: 2000 },
  )
})

test.each([
  ['2025-03-01', '2025-03-01T00:00:00.000000Z'],
  ['20250301T0812', '2025-03-01T08:12:00.000000Z'],
  ['2022-04-01 08:12:00.000001 +00:00', '2022-04-01T08:12:00.000001Z'],
  ['2025-03-01T08:12:00,5-01:30', '2025-03-01T09:42:00.500000Z'],
  ['2025-03-01T24:00:00Z', '2025-03-02T00:00:00.000000Z'],
])('%s is %s', (text, expected) => {
  expect(isoOf(microsOf(text))).toBe(expected)
})

test.each(['', 'today', '2025-13-01T00:00:00Z!', 'BR-0001', null, 7])('%s is no time', (value) => {
  expect(microsOf(value)).toBeNaN()
})

test('microseconds that somebody cut off make no difference', () => {
  const time = microsOf('2025-03-01T08:12:00.123456Z')
  expect(isSameInstant(time, microsOf('2025-03-01T08:12:00.123Z'))).toBe(true)
  expect(isSameInstant(time, microsOf('2025-03-01T08:12:00.122Z'))).toBe(false)
})
