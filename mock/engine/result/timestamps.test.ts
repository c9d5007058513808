import { expect, test } from 'vitest'
import type { Settings } from '../../../schemas/open-points.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { rowFormat } from './row-format.ts'
import { timestampJson } from './values.ts'

const zoned = '2025-01-02 23:04:05.12+00'

const written = (
  text: string,
  format: Settings['timestamps.format'],
  precision: Settings['delta.precision'] = 'full',
) =>
  timestampJson(
    text,
    rowFormat({ ...defaultSettings, 'timestamps.format': format, 'delta.precision': precision }),
  )

test.each<[Settings['timestamps.format'], string]>([
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
])('writes a timestamp in the format %s', (format, json) => {
  expect(written(zoned, format)).toBe(json)
})

test('writes a timestamp without time zone without a zone', () => {
  expect(written('2025-01-02 03:04:00', 'trimmed')).toBe('"2025-01-02T03:04:00"')
  expect(written('2025-01-02 03:04:05', 'micros-z')).toBe('"2025-01-02T03:04:05.000000"')
  expect(written('2025-01-02 03:04:05', 'local-offset')).toBe('"2025-01-02T03:04:05.000000"')
})

test('writes an infinite timestamp as null in every format', () => {
  expect(written('infinity', 'epoch-millis')).toBe('null')
})

test.each([
  ['2025-01-02 18:04:05.12-05', '"2025-01-02T23:04:05.120000+00:00"'],
  ['2025-07-02 20:04:05.000001-04', '"2025-07-03T00:04:05.000001+00:00"'],
  ['2025-01-03 04:34:05+05:30', '"2025-01-02T23:04:05.000000+00:00"'],
])('writes %s of another session time zone in UTC', (text, json) => {
  expect(written(text, 'micros-offset')).toBe(json)
})

test.each<[Settings['timestamps.format'], string]>([
  ['micros-offset', '"2025-01-02T23:04:05.120+00:00"'],
  ['nanos-z', '"2025-01-02T23:04:05.120Z"'],
  ['trimmed', '"2025-01-02T23:04:05.12+00:00"'],
  ['seconds-z', '"2025-01-02T23:04:05Z"'],
])('cuts a timestamp in the format %s after the milliseconds', (format, json) => {
  expect(written(zoned, format, 'printed-millis')).toBe(json)
})
