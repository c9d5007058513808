import { expect, test } from 'vitest'
import { authenticate } from './static-tokens.ts'

const header = (authorization: string) => new Headers({ authorization })

test.each(['Bearer right', 'bearer right', 'BEARER   right'])('accepts the header %j', (value) => {
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
])('refuses the header %j as an invalid token', (value) => {
  expect(() => authenticate(header(value), ['right'])).toThrow(
    expect.objectContaining({ status: 401, headers: { 'www-authenticate': 'Bearer error="invalid_token"' } }),
  )
})

test('refuses a request without the header, without an error code', () => {
  expect(() => authenticate(new Headers(), ['right'])).toThrow(
    expect.objectContaining({ status: 401, headers: { 'www-authenticate': 'Bearer' } }),
  )
})

test('refuses every token if the list is empty', () => {
  expect(() => authenticate(header('Bearer undefined'), [])).toThrow('not valid')
})

test('never repeats the token in the refusal', () => {
  expect(() => authenticate(header('Bearer s3cret'), ['right'])).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('s3cret') as unknown }),
  )
})
