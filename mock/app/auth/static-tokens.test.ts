import { expect, test } from 'vitest'
import { authenticate } from './static-tokens.ts'

const header = (authorization: string) => new Headers({ authorization })

test.each(['Bearer right', 'bearer right', 'BEARER   right'])('%j passes', (value) => {
  expect(authenticate(header(value), ['other', 'right'])).toBe('right')
})

test.each([
  'Bearer wrong',
  'Bearer righ',
  'Bearer rightright',
  'Basic right',
  'Bearer',
  'right',
  'Bearer right right',
])('%j is refused as an invalid token', (value) => {
  expect(() => authenticate(header(value), ['right'])).toThrow(
    expect.objectContaining({ status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
  )
})

test('a request without the header is refused without an error code', () => {
  expect(() => authenticate(new Headers(), ['right'])).toThrow(
    expect.objectContaining({ status: 401, headers: { 'www-authenticate': 'Bearer' } }),
  )
})

test('with an empty list nobody passes', () => {
  expect(() => authenticate(header('Bearer undefined'), [])).toThrow('not valid')
})

test('the refusal never repeats the token', () => {
  expect(() => authenticate(header('Bearer s3cret'), ['right'])).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('s3cret') as unknown }),
  )
})
