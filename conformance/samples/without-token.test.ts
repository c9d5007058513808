import { expect, test } from 'vitest'
import { invalidAuthorizations } from './without-token.ts'

const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl'
const authorization = (token: string, name: string) => new Map(invalidAuthorizations(token)).get(name)
const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()) as object
const names = (token: string) => invalidAuthorizations(token).map(([name]) => name)

test.each([['a-Token-0123456789'], ['UPPER-CASE-TOKEN'], ['x'], ['cGFkZGVk=='], [JWT]])(
  'the invalid tokens made from %s are distinct, invalid and at most twelve with an expired one',
  (token) => {
    const headers = invalidAuthorizations(token).map(([, header]) => header)
    expect(headers).not.toContain(`Bearer ${token}`)
    // a token of one character has only one to change
    expect(new Set(headers).size).toBe(headers.length - (token.length === 1 ? 1 : 0))
    expect(headers.length + 1).toBeLessThanOrEqual(12)
  },
)

test.each(['aaXaa', '0d9e2c64-8f0b-4d15-9a55-1f5b6a0f7c3e', 'ABCDEF', 'zzzzz', '~~~'])(
  'no invalid token made from %s is the valid one in another letter case',
  (token) => {
    for (const [, header] of invalidAuthorizations(token))
      expect(header?.toLowerCase()).not.toBe(`bearer ${token.toLowerCase()}`)
  },
)

test.each([1, 2, 3, 16, 31, 32, 33, 64])(
  'a changed or added character changes the bytes of a token that encodes %i bytes',
  (length) => {
    const bytes = Buffer.alloc(length, 0b1010_1010)
    for (const encoding of ['base64', 'base64url'] as const)
      for (const [, header] of invalidAuthorizations(bytes.toString(encoding)))
        if (header?.startsWith('Bearer ')) expect(Buffer.from(header.slice(7), encoding)).not.toEqual(bytes)
  },
)

test('a JWT is also sent with another payload and with alg none, each with its claims', () => {
  const parts = (name: string) => authorization(JWT, name)!.slice('Bearer '.length).split('.')
  const [head, payload, signature] = parts('a JWT with another payload under the same signature')
  expect([head, signature]).toEqual([JWT.split('.')[0], JWT.split('.')[2]])
  expect(read(payload!)).toMatchObject({ sub: 'a' })
  const [none, claims, nothing] = parts('a JWT with alg none')
  expect(read(none!)).toEqual({ alg: 'none' })
  expect([claims, nothing]).toEqual([JWT.split('.')[1], ''])
})

test.each(['a.b.c', 'aaaa.bbbb.cccc', `${JWT}.more`, 'bnVsbA.bnVsbA.c2ln', 'opaque'])(
  'the token %s is not taken for a JWT',
  (token) => expect(names(token).join()).not.toContain('JWT'),
)

test('invalidAuthorizations omits headers without a token', () => {
  expect(names('t')).not.toContain('a token cut short')
})
