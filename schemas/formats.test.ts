import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIso8601, isIso8601Zoned } from './formats.ts'

const conforming = [
  '2025-03-01',
  '2025-03-01T08:12:00',
  '2025-03-01T08:12:00.5',
  '2025-03-01T08:12:00,123456',
  '2025-03-01T08:12',
  '2025-03-01T08',
  '2024-02-29',
  '2000-02-29',
  '2025-12-31T24:00:00',
  '2016-12-31T23:59:60Z',
  '20250301',
  '20250301T081200',
]
const zoned = [
  '2025-03-01T08:12:00Z',
  '2025-03-01T08:12:00.123456+00:00',
  '2025-03-01T08:12:00+05:30',
  '2025-03-01T08:12:00-0800',
  '2025-03-01T08:12:00+01',
  '20250301T081200Z',
]
const departing = [
  '',
  'now',
  '2025-03-01 08:12:00',
  '2025-03-01 08:12:00+00:00',
  '2025-03-01T',
  '2025-03-01T08:12:00.',
  '2025-03-01T08:12:00 Z',
  '2025-03-01Z',
  '2025-03-01t08:12:00z',
  '2025-3-1',
  '2025-03',
  '2025-00-10',
  '2025-13-01',
  '2025-03-00',
  '2025-02-29',
  '1900-02-29',
  '2025-04-31',
  '2025-03-01T24:00:01',
  '2025-03-01T24:00:00.5',
  '2025-03-01T25:00:00',
  '2025-03-01T08:60:00',
  '2025-03-01T08:12:61',
  '2025-03-01T08:12:00+24:00',
  '2025-03-01T08:12:00+01:60',
  '2025-03-01T081200',
  '20250301T08:12:00',
  '202503-01',
  '1740816720000',
  '03/01/2025',
  '2025-03-01\n',
]

describe('isIso8601', () => {
  test.each([...conforming, ...zoned])('accepts %s', (text) => expect(isIso8601(text)).toBe(true))
  test.each(departing)('refuses %j', (text) => expect(isIso8601(text)).toBe(false))
})

describe('isIso8601Zoned', () => {
  test.each(zoned)('accepts %s', (text) => expect(isIso8601Zoned(text)).toBe(true))
  test.each([...conforming.filter((text) => !text.endsWith('Z')), ...departing])('refuses %j', (text) =>
    expect(isIso8601Zoned(text)).toBe(false),
  )
})

const year = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
const instant = fc.date({ ...year, noInvalidDate: true })

describe('any instant', () => {
  test('conforms as JavaScript prints it, and without its zone no longer carries one', () => {
    fc.assert(
      fc.property(instant, (date) => {
        const text = date.toISOString()
        expect(isIso8601Zoned(text)).toBe(true)
        expect(isIso8601(text.slice(0, -1))).toBe(true)
        expect(isIso8601Zoned(text.slice(0, -1))).toBe(false)
        expect(isIso8601(text.replace('T', ' '))).toBe(false)
      }),
    )
  })

  test('conforms with every fraction and zone', () => {
    const fraction = fc.stringMatching(/^([.,]\d{1,12})?$/)
    const zone = fc.constantFrom('Z', '+00', '-11', '+0530', '-03:30', '+14:00')
    fc.assert(
      fc.property(instant, fraction, zone, (date, fraction, zone) => {
        expect(isIso8601Zoned(date.toISOString().slice(0, 19) + fraction + zone)).toBe(true)
      }),
    )
  })

  test('exists exactly where the calendar has the day', () => {
    const number = fc.integer({ min: 0, max: 99 })
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9999 }), number, number, (year, month, day) => {
        const date = new Date(Date.UTC(year, month - 1, day))
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        expect(isIso8601(`${year}-${pad(month)}-${pad(day)}`)).toBe(exists)
        expect(isIso8601(`${year}${pad(month)}${pad(day)}`)).toBe(exists)
      }),
    )
  })
})

function pad(value: number): string {
  return String(value).padStart(2, '0')
}
