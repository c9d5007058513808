import { expect, test } from 'vitest'
import { parseJson } from '../connection/values/parse-json.ts'
import { isSameValue } from './same-value.ts'

const isSame = (one: string, other: string) => isSameValue(parseJson(one), parseJson(other))

test.each([
  ['0.1', '0.10000000000000001'],
  ['1e3', '1000'],
  ['"2025-03-01T08:12:00.940Z"', '"2025-03-01T08:12:00.940361+00:00"'],
  ['"2025-03-01T08:12:01Z"', '"2025-03-01T10:12:00.6+02:00"'],
  ['{"at":"2025-03-01T08:12:00Z","mean":0.1}', '{"mean":0.10000000000000001,"at":"2025-03-01 08:12:00+00"}'],
  ['{"a":null,"b":[1]}', '{"b":[1.0]}'],
])('isSameValue accepts another spelling: %s and %s', (one, other) => {
  expect(isSame(one, other)).toBe(true)
})

test.each([
  ['0.1', '0.2'],
  ['1', '"1"'],
  ['null', '""'],
  ['"2025-03-01T08:12:00.940Z"', '"2025-03-01T08:12:00.942361+00:00"'],
  ['"2025-03-01T08:12:00Z"', '"2025-03-01T08:12:00+01:00"'],
  ['[1,2]', '[1]'],
  ['{"a":1}', '{"b":1}'],
  ['[]', '{}'],
])('isSameValue rejects another value: %s and %s', (one, other) => {
  expect(isSame(one, other)).toBe(false)
})

test.each([
  ['2025-06-01T12:00:00Z', '2025-06-01T17:30:00', true],
  ['2025-06-01T12:00:00.25Z', '2025-06-01T12:00:00.250', true],
  ['2025-06-01T12:00:00Z', '2025-06-01T17:37:00', false],
  ['2025-06-01T12:00:00Z', '2025-06-02T12:00:00', false],
  ['2025-06-01T12:00:00Z', '2025-06-01T17:30:00Z', false],
])('%s and %s may be one instant if only one names its zone: %s', (one, other, same) => {
  expect(isSameValue(one, other)).toBe(same)
})
