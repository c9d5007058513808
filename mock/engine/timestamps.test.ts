import { expect, test } from 'vitest'
import type { RowFormat } from './engine.ts'
import { timestampJson } from './timestamps.ts'

const zoned = '2025-01-02 23:04:05.12+00'

test.each<[RowFormat['timestamps'], string]>([
  ['micros-offset', '"2025-01-02T23:04:05.120000+00:00"'],
  ['micros-z', '"2025-01-02T23:04:05.120000Z"'],
  ['millis-z', '"2025-01-02T23:04:05.120Z"'],
  ['seconds-z', '"2025-01-02T23:04:05Z"'],
  ['nanos-z', '"2025-01-02T23:04:05.120000000Z"'],
  ['trimmed', '"2025-01-02T23:04:05.12+00:00"'],
  ['hour-offset', '"2025-01-02T23:04:05.120000+00"'],
  ['local-offset', '"2025-01-03T01:04:05.120000+02:00"'],
  ['no-zone', '"2025-01-02T23:04:05.120000"'],
  ['space-separator', '"2025-01-02 23:04:05.120000+00:00"'],
  ['epoch-millis', '1735859045120'],
])('writes %s', (format, json) => {
  expect(timestampJson(zoned, format)).toBe(json)
})

test('leaves the zone out where there is none', () => {
  expect(timestampJson('2025-01-02 03:04:00', 'trimmed')).toBe('"2025-01-02T03:04:00"')
  expect(timestampJson('2025-01-02 03:04:05', 'micros-z')).toBe('"2025-01-02T03:04:05.000000"')
  expect(timestampJson('2025-01-02 03:04:05', 'local-offset')).toBe('"2025-01-02T03:04:05.000000"')
})

test('writes infinities as null in every format', () => {
  expect(timestampJson('infinity', 'epoch-millis')).toBe('null')
})

test.each([
  ['2025-01-02 18:04:05.12-05', '"2025-01-02T23:04:05.120000+00:00"'],
  ['2025-07-02 20:04:05.000001-04', '"2025-07-03T00:04:05.000001+00:00"'],
  ['2025-01-03 04:34:05+05:30', '"2025-01-02T23:04:05.000000+00:00"'],
])('writes %s of another session time zone in UTC', (text, json) => {
  expect(timestampJson(text, 'micros-offset')).toBe(json)
})

test.each<[RowFormat['timestamps'], string]>([
  ['micros-offset', '"2025-01-02T23:04:05.120+00:00"'],
  ['nanos-z', '"2025-01-02T23:04:05.120Z"'],
  ['trimmed', '"2025-01-02T23:04:05.12+00:00"'],
  ['seconds-z', '"2025-01-02T23:04:05Z"'],
])('cuts %s off behind the milliseconds', (format, json) => {
  expect(timestampJson(zoned, format, 'printed-millis')).toBe(json)
})
