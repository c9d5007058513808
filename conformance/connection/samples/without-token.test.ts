import { expect, test } from 'vitest'
import { invalidAuthorizations } from './without-token.ts'

const names = (token: string) => invalidAuthorizations(token).map(([name]) => name)

test.each([
  ['a-Token-0123456789'],
  ['UPPER-CASE-TOKEN'],
  ['x'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'],
])('nothing made of %s is valid, and no account gets locked', (token) => {
  const headers = invalidAuthorizations(token).map(([, authorization]) => authorization)
  expect(headers).not.toContain(`Bearer ${token}`)
  expect(new Set(headers).size).toBe(headers.length)
  // One more comes in the query.
  expect(headers.length + 1).toBeLessThanOrEqual(12)
})

test('a changed token differs from the valid one in more than case', () => {
  const changed = new Map(invalidAuthorizations('aaXaa')).get('a token with one character changed')
  expect(changed?.toLowerCase()).not.toBe('bearer aaxaa')
  expect(changed).toHaveLength('Bearer aaXaa'.length)
})

test('what would send the valid token, or none, is left out', () => {
  expect(names('T0KEN')).not.toContain('a token in upper case')
  expect(names('t')).not.toContain('a token cut short')
})
