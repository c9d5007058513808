import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const now = Date.parse('2025-03-01T12:00:00Z')
const msOf = (value: string) => retryAfterMs(new Headers({ 'retry-after': value }), now)

test.each([
  ['0', 0],
  ['7', 7000],
  ['3600', 3_600_000],
  ['Sat, 01 Mar 2025 12:01:00 GMT', 60_000],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
  ['soon', undefined],
  ['1.5', undefined],
  ['-1', undefined],
  ['1, 2', undefined],
  ['', undefined],
])('a Retry-After of %j asks for %s ms', (value, expected) => {
  expect(msOf(value)).toBe(expected)
})

test('an answer without Retry-After asks for no pause', () => {
  expect(retryAfterMs(new Headers())).toBeUndefined()
})
