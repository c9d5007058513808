import { expect, test } from 'vitest'
import { parseJson } from '../connection/json.ts'
import { sameStored } from './same-stored.ts'

const same = (one: string, other: string) => sameStored(parseJson(one), parseJson(other))

test.each([
  ['0.1', '0.10000000000000001'],
  ['1', '1.0'],
  ['"2025-01-02T03:04:05.940Z"', '"2025-01-02T03:04:05.940361+00:00"'],
  ['"2025-01-02T03:04:05.941Z"', '"2025-01-02T04:04:05.940561+01:00"'],
  ['{"a":1}', '{"a":1,"b":null}'],
  ['[{"at":"2025-01-02T03:04:05Z"}]', '[{"at":"2025-01-02T03:04:05+00:00"}]'],
])('sameStored accepts %s and %s as spellings of one value', (one, other) => {
  expect(same(one, other)).toBe(true)
})

test.each([
  ['1', '2'],
  ['1', '"1"'],
  ['null', '""'],
  ['"a"', '"A"'],
  ['"2025-01-02T03:04:05.940Z"', '"2025-01-02T03:04:05.942361Z"'],
  ['[1]', '[1,2]'],
  ['true', 'false'],
])('sameStored tells %s from %s', (one, other) => {
  expect(same(one, other)).toBe(false)
})
