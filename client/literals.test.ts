import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isIso8601 } from '../schemas/index.ts'
import { ClientUsageError } from './errors.ts'
import { earlier, instantOf, utcText } from './rows/instant.ts'
import { dateLiteral, quote } from './literals.ts'

/** Parses a quoted literal like a database: the text and the rest after it. */
function readLiteral(sql: string): { text: string; rest: string } {
  const [all, inner] = /^'((?:[^']|'')*)'/.exec(sql)!
  return { text: inner!.replaceAll("''", "'"), rest: sql.slice(all.length) }
}

test('a quoted text is read back unchanged and cannot escape its literal', () => {
  const hostile = fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[' \\;-]{0,20}$/))
  fc.assert(
    fc.property(hostile, hostile, (text, rest) => {
      fc.pre(!text.includes('\0') && !rest.startsWith("'"))
      expect(readLiteral(quote(text) + rest)).toEqual({ text, rest })
    }),
  )
  expect(() => quote('a\0b')).toThrow(ClientUsageError)
})

const zones = fc.constantFrom('', 'Z', '+00:00', '+02:00', '-0530', '+00', '-11')
const timestamps = fc
  .record({
    date: fc.date({ min: new Date('0002-01-01'), max: new Date('9998-12-31'), noInvalidDate: true }),
    fraction: fc.stringMatching(/^\d{0,9}$/),
    zone: zones,
  })
  .map(({ date, fraction, zone }) => {
    const seconds = date.toISOString().slice(0, 19)
    return `${seconds}${fraction && `.${fraction}`}${zone}`
  })

describe('an instant', () => {
  test.each([
    ['2025-12-01', '2025-12-01T00:00:00.000000000', 86_400_000_000_000n],
    ['2025-12-01T08:30+01:00', '2025-12-01T07:30:00.000000000', 60_000_000_000n],
    ['2025-12-01T24:00:00Z', '2025-12-02T00:00:00.000000000', 1_000_000_000n],
    ['1969-12-31T23:59:59,999999Z', '1969-12-31T23:59:59.999999000', 1000n],
  ])('of %s is printed in UTC', (text, utc, unit) => {
    const instant = instantOf(text)!
    expect([utcText(instant), instant.unit]).toEqual([utc, unit])
  })

  test.each(['', '2025-02-30', '2025-12-01 08:00:00Z', '20251201T0800', '1764576000'])(
    'is undefined for %j, which is not extended ISO 8601',
    (text) => expect(instantOf(text)).toBeUndefined(),
  )
})

/** A timestamp with each digit before its zone replaced by 0. */
const form = (timestamp: string) => timestamp.replaceAll(/\d(?=.*T)|\d(?=[\d:.]*(Z|[+-]|$))/g, '0')

describe('an earlier timestamp', () => {
  test('is earlier by the given time in the same format', () => {
    fc.assert(
      fc.property(timestamps, fc.integer({ min: 1, max: 10_000_000 }), (text, ms) => {
        const shifted = earlier(text, ms)
        expect(isIso8601(shifted)).toBe(true)
        const difference = instantOf(text)!.nanos - instantOf(shifted)!.nanos
        const exact = BigInt(ms) * 1_000_000n
        expect(difference >= exact && difference < exact + instantOf(text)!.unit).toBe(true)
        const zoned = /(Z|[+-]\d\d(:?\d\d)?)$/.test(text.slice(10)) ? text : `${text}Z`
        expect(form(shifted)).toBe(form(zoned))
      }),
    )
  })

  test.each([
    ['2025-12-01', 60_000, '2025-11-30T23:59:00Z'],
    ['2025-12-01T00:00:00.123456+02:00', 1, '2025-12-01T00:00:00.122456+02:00'],
    ['2025-12-01T00:00:00+00', 1500, '2025-11-30T23:59:58+00'],
    ['0001-01-01T00:00:00Z', 1000, '0001-01-01T00:00:00Z'],
    ['2025-12-01T08:00:00.000+02:00', 1e14, '0001-01-01T00:00:00.000+02:00'],
    ['2025-12-01T08:00:00Z', 1e20, '0001-01-01T00:00:00Z'],
  ])('of %s by %d ms has the expected text', (text, ms, expected) => expect(earlier(text, ms)).toBe(expected))
})

test('a date literal in another form is never later than its timestamp', () => {
  fc.assert(
    fc.property(timestamps, (text) => {
      expect(dateLiteral(text, 'as-given')).toBe(`'${text}'`)
      for (const spelling of ['quoted-date', 'iso-date-time', 'space-date-time', 'date-keyword'] as const) {
        const written = dateLiteral(text, spelling).replace('DATE ', '').slice(1, -1).replace(' ', 'T')
        const rest = instantOf(text)!.nanos - instantOf(written)!.nanos
        expect(rest >= 0n && rest < instantOf(written)!.unit).toBe(true)
      }
    }),
  )
})
