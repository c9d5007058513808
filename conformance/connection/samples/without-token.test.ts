import { expect, test } from 'vitest'
import { invalidAuthorizations } from './without-token.ts'

const names = (token: string) => invalidAuthorizations(token).map(([name]) => name)

test.each([
  ['a-Token-0123456789'],
  ['UPPER-CASE-TOKEN'],
  ['x'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
])('the invalid tokens made from %s are distinct, invalid and fewer than twelve', (token) => {
  const headers = invalidAuthorizations(token).map(([, authorization]) => authorization)
  expect(headers).not.toContain(`Bearer ${token}`)
  expect(new Set(headers).size).toBe(headers.length)
  // plus one in the query
  expect(headers.length + 1).toBeLessThanOrEqual(12)
})

test('the changed token differs from the valid one in more than letter case', () => {
  const changed = new Map(invalidAuthorizations('aaXaa')).get('a token with one character changed')
  expect(changed?.toLowerCase()).not.toBe('bearer aaxaa')
  expect(changed).toHaveLength('Bearer aaXaa'.length)
})

test('invalidAuthorizations omits headers equal to the valid one and headers without a token', () => {
  expect(names('T0KEN')).not.toContain('a token in upper case')
  expect(names('t')).not.toContain('a token cut short')
})
