import { expect, test } from 'vitest'
import { readRequestFilter } from './request-filter.ts'

const entry = { at: '2025-03-01T08:12:00.000Z' } as Parameters<ReturnType<typeof readRequestFilter>>[0]
const passes = (after: string) => readRequestFilter(new URLSearchParams({ after }))(entry)

test.each([
  ['2025-03-01T08:11:59.999Z', true],
  ['20250301T081159Z', true],
  ['2025-03-01T10:12:00+02:00', false],
])('a request is after %s: %j', (after, isAfter) => expect(passes(after)).toBe(isAfter))

test.each(['2025-02-30T00:00:00Z', '2025-13-01', 'yesterday'])('there is nothing after %s', (after) => {
  expect(() => passes(after)).toThrow('Give the id of a request, or a time in ISO 8601.')
})
