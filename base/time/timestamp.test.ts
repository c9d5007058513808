import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIso8601, isIso8601Zoned, microsecondsOf, nanosecondsOf, readTimestamp } from './timestamp.ts'

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
  '20250301',
  '20250301T081200',
  '2025-060',
  '2025W096T08',
  '+002025-03-01T08:12:00',
]
const zoned = [
  '2025-060T08:12:00Z',
  '2025060T081200,5Z',
  '2025-W09-6T08:12Z',
  '2020-W53-7T08Z',
  '+0020250301T08Z',
  '+012025-03-01T08:12:00Z',
  '-000044-03-15T12:00:00Z',
  '2025-03-01T08:12:00Z',
  '2025-03-01T08:12:00.123456+00:00',
  '2025-03-01T08:12:00+05:30',
  '2025-03-01T08:12:00-0800',
  '2025-03-01T08:12:00+01',
  '20250301T081200Z',
  '2016-12-31T23:59:60Z',
]
/** Readable, but not ISO 8601. */
const departing = [
  '2025-03-01 08:12:00',
  '2025-03-01 08:12:00+00:00',
  '2025-03-01T08:12:00 Z',
  '2025-03-01Z',
  '2025-03-01T081200',
  '20250301T08:12:00',
  '202503-01',
]
const unreadable = [
  '',
  'now',
  'BR-0001',
  '2025-03-01T',
  '2025-03-01T08:12:00.',
  '2025-03-01t08:12:00z',
  '2025-03-01T08:12:00Z!',
  '2025-3-1',
  '2025-03',
  '2025-000',
  '2025-366',
  '2025-W00-1',
  '2025-W53-1',
  '2025-W09-8',
  '2025-W096T08Z',
  '-000000-03-01',
  '+2025-03-01',
  '+002025-02-29',
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
  '1740816720000',
  '1740816720',
  '03/01/2025',
  '2025-03-01\n',
]

describe('isIso8601', () => {
  test.each([...conforming, ...zoned])('accepts %s', (text) => expect(isIso8601(text)).toBe(true))
  test.each([...departing, ...unreadable])('rejects %j', (text) => expect(isIso8601(text)).toBe(false))
})

describe('isIso8601Zoned', () => {
  test.each(zoned)('accepts the zone of %s', (text) => expect(isIso8601Zoned(text)).toBe(true))
  test.each([...conforming, ...departing, ...unreadable])(
    'rejects %j because it has no zone or is not ISO 8601',
    (text) => expect(isIso8601Zoned(text)).toBe(false),
  )
})

describe('readTimestamp', () => {
  test.each([...conforming, ...zoned, ...departing])('reads %s', (text) =>
    expect(readTimestamp(text)).toBeDefined(),
  )
  test.each(unreadable)('does not read %j', (text) => expect(readTimestamp(text)).toBeUndefined())

  test.each([
    ['2025-03-01', '2025-03-01T00:00:00Z', 86_400e9],
    ['20250301T0812', '2025-03-01T08:12:00Z', 60e9],
    ['2025-12-01T08:30+01:00', '2025-12-01T07:30:00Z', 60e9],
    ['2022-04-01 08:12:00.001 +00:00', '2022-04-01T08:12:00.001Z', 1e6],
    ['2025-03-01T08:12:00,5-01:30', '2025-03-01T09:42:00.5Z', 1e8],
    ['2025-03-01T17:30:00+0530', '2025-03-01T12:00:00Z', 1e9],
    ['2025-03-01T24:00:00Z', '2025-03-02T00:00:00Z', 1e9],
    ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z', 1e9],
    ['2025-03-01T08.5Z', '2025-03-01T08:30:00Z', 360e9],
    ['2025-03-01T08:12.25', '2025-03-01T08:12:15Z', 0.6e9],
    ['2025-060T08:12Z', '2025-03-01T08:12:00Z', 60e9],
    ['2024-366T24:00Z', '2025-01-01T00:00:00Z', 60e9],
    ['2025W096', '2025-03-01T00:00:00Z', 86_400e9],
    ['2025-W01-1T00Z', '2024-12-30T00:00:00Z', 3600e9],
    ['2020-W53-7T00Z', '2021-01-03T00:00:00Z', 3600e9],
    ['+0120250301T08Z', '+012025-03-01T08:00:00Z', 3600e9],
    ['0001-01-01', '0001-01-01T00:00:00Z', 86_400e9],
    ['-271821-04-20T00:00:00Z', '-271821-04-20T00:00:00Z', 1e9],
    ['+275760-09-13T00:00:00Z', '+275760-09-13T00:00:00Z', 1e9],
  ])('reads %s as %s, exact to %d ns', (text, instant, unit) => {
    const timestamp = readTimestamp(text)!
    expect(microsecondsOf(timestamp)).toBe(Date.parse(instant) * 1000)
    expect(timestamp.unit).toBe(unit)
  })

  test('reads microseconds and nanoseconds before 1970', () => {
    const timestamp = readTimestamp('1969-12-31T23:59:59.9999990019Z')!
    expect(timestamp).toMatchObject({ seconds: -1, nanos: 999_999_001, unit: 1 })
    expect(microsecondsOf(timestamp)).toBe(-1)
    expect(nanosecondsOf(timestamp)).toBe(-999n)
  })

  test('reads instants beyond those of Date', () => {
    const last = readTimestamp('+294276-12-31T23:59:59.999999Z')!
    expect(nanosecondsOf(last)).toBe(9_224_318_015_999_999_999_000n)
    expect(readTimestamp('-999999-02-29')).toBeUndefined()
  })

  test('distinguishes the extended format from the basic one and from a mixture', () => {
    expect(['2025-03-01', '2025-03-01 08:12 Z', '2025-03-01T08:12+0530'].map(extended)).not.toContain(false)
    expect(['20250301', '20250301T08:12', '2025-03-01T0812', '2025-0301'].map(extended)).not.toContain(true)
  })

  test('returns the zone as it is printed', () => {
    const zones = ['2025-03-01T08Z', '2025-03-01T08-0530', '2025-03-01 08:12 +01', '2025-03-01T08:12']
    expect(zones.map((text) => readTimestamp(text)!.zone)).toEqual(['Z', '-0530', '+01', undefined])
  })
})

const range = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z') }
const instants = fc.date({ ...range, noInvalidDate: true })

const extended = (text: string): boolean => readTimestamp(text)!.extended

describe('any instant', () => {
  test('conforms as Date.toISOString prints it, and has no zone without the Z', () => {
    fc.assert(
      fc.property(instants, (date) => {
        const text = date.toISOString()
        expect(isIso8601Zoned(text)).toBe(true)
        expect(isIso8601(text.slice(0, -1))).toBe(true)
        expect(isIso8601Zoned(text.slice(0, -1))).toBe(false)
        expect(isIso8601(text.replace('T', ' '))).toBe(false)
      }),
    )
  })

  test('conforms with every fraction and zone, and is read like Date but to the nanosecond', () => {
    const fractions = fc.stringMatching(/^([.,]\d{1,12})?$/)
    const zones = fc.constantFrom('Z', '+00', '-11', '+0530', '-03:30', '+14:00')
    fc.assert(
      fc.property(instants, fractions, zones, (date, fraction, zone) => {
        const local = date.toISOString().slice(0, 19)
        const text = local + fraction + zone
        expect(isIso8601Zoned(text)).toBe(true)
        const offset = zone === 'Z' ? zone : `${zone.replace(':', '')}00`.replace(/^(...)(..).*$/, '$1:$2')
        const nanos = BigInt(fraction.slice(1, 10).padEnd(9, '0'))
        expect(nanosecondsOf(readTimestamp(text)!)).toBe(
          BigInt(Date.parse(local + offset)) * 1_000_000n + nanos,
        )
      }),
    )
  })

  test('conforms only if the calendar has its day', () => {
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
