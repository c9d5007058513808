import { expect, test } from 'vitest'
import type { JsonObject } from '../../connection/values/json.ts'
import { parseJson } from '../../connection/values/parse-json.ts'
import { difference } from './compare.ts'

const row = (time: string | null): JsonObject => parseJson(JSON.stringify({ time })) as JsonObject

const compare = (expected: (string | null)[], actual: (string | null)[]) =>
  difference({
    columns: ['time'],
    expected: expected.map(row),
    actual: actual.map(row),
  })

const micros = ['2025-03-01T08:12:00.123656+00:00', '2025-03-01T08:12:59.999999+00:00', null]

test.each([
  ['truncated to milliseconds', ['2025-03-01T08:12:00.123Z', '2025-03-01T08:12:59.999Z', null]],
  ['rounded to milliseconds', ['2025-03-01T08:12:00.124Z', '2025-03-01T08:13:00.000Z', null]],
  ['truncated to seconds', ['2025-03-01T08:12:00Z', '2025-03-01T08:12:59Z', null]],
  ['rounded to seconds, in another zone', ['2025-03-01T10:12:00+02:00', '2025-03-01T10:13:00+02:00', null]],
])('difference accepts timestamps %s', (_, printed) => {
  expect(compare(micros, printed)).toBeUndefined()
})

test.each([
  ['with another millisecond', ['2025-03-01T08:12:00.125Z', '2025-03-01T08:12:59.999Z', null]],
  ['with another hour', ['2025-03-01T09:12:00Z', '2025-03-01T08:12:59Z', null]],
  [
    'truncated in one row and rounded in another',
    ['2025-03-01T08:12:00.124Z', '2025-03-01T08:12:59.999Z', null],
  ],
  ['instead of null', ['2025-03-01T08:12:00.123Z', '2025-03-01T08:12:59.999Z', '2025-03-01T08:12:00.123Z']],
  ['without a time', ['2025-03-01', '2025-03-01', null]],
])('difference rejects timestamps %s', (_, printed) => {
  expect(compare(micros, printed)).toBeDefined()
})

test('difference requires microseconds in every row if one row has them', () => {
  expect(compare(micros, ['2025-03-01T08:12:00.123Z', micros[1]!, null])).toEqual({
    message: '1 of 3 rows differ',
    expected: `{"time":"${micros[0]}"}`,
    actual: '{"time":"2025-03-01T08:12:00.123Z"}',
    cause: 'other values of time',
  })
})
