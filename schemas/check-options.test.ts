import { describe, expect, test } from 'vitest'
import { checkOptions, checkServiceOptions } from './check-options.ts'

const types = { port: 'number', token: 'string | function', names: 'array' }
const check = (given: unknown) => () => checkOptions(given, types, RangeError)

describe('options', () => {
  test.each([
    ['that are none', {}],
    ['of their types', { port: 1, token: 'x', names: [] }],
    ['that are undefined, known or not', { token: () => 'x', port: undefined, other: undefined }],
  ])('%s pass', (_, given) => {
    expect(check(given)).not.toThrow()
  })

  test.each([
    [{ prot: 1, nmaes: [] }, 'There is no option "prot", "nmaes". The options are: port, token, names.'],
    [{ toString: 'x' }, 'There is no option "toString". The options are: port, token, names.'],
    [{ port: '1' }, 'The option port is of the type string. Give: number.'],
    [{ token: null }, 'The option token is of the type null. Give: string | function.'],
    [{ names: {} }, 'The option names is of the type object. Give: array.'],
    [null, 'The options are of the type null. Give an object with: port, token, names.'],
    ['http://localhost', 'The options are of the type string. Give an object with: port, token, names.'],
  ])('are refused with the remedy: %j', (given, sentence) => {
    expect(check(given)).toThrow(new RangeError(sentence))
  })
})

test.each([
  ['a list', { only: ['x'] }],
  ['an empty list', { only: [] }],
  ['an object', { only: {} }],
  ['a function', { only: () => {} }],
  ['a text', { only: 'x' }],
])('a function that uses a service refuses an option that does not exist, with %s', (_, given) => {
  expect(() => checkServiceOptions(given, types, RangeError)).toThrow('There is no option "only"')
})

test('a function that uses a service takes a server whole', () => {
  const server = { token: 'x', faults: {}, session: () => {}, replaceData: () => {}, close: () => {} }
  expect(() => checkServiceOptions(server, types, RangeError)).not.toThrow()
})
