import { describe, expect, test } from 'vitest'
import { checkOptions, checkServiceOptions } from './check-options.ts'

const types = {
  port: 'number',
  token: 'string | function',
  names: 'array',
  paging: '"keyset" | "time"',
  signal: 'AbortSignal',
  map: 'object',
}
const all = Object.keys(types).join(', ')
const check = (given: unknown) => () => checkOptions(given, types, RangeError)

describe('options', () => {
  test.each([
    ['that are none', {}],
    [
      'of their types',
      { port: 1, token: 'x', names: [], signal: AbortSignal.abort(), map: Object.create(null) },
    ],
    ['that are one of the texts', { paging: 'time' }],
    ['that are undefined, known or not', { token: () => 'x', port: undefined, other: undefined }],
  ])('%s pass', (_, given) => {
    expect(check(given)).not.toThrow()
  })

  test.each([
    [{ prot: 1, nmaes: [] }, `There is no option "prot", "nmaes". The options are: ${all}.`],
    [{ toString: 'x' }, `There is no option "toString". The options are: ${all}.`],
    [{ port: '1' }, 'The option port is of the type string. Give: number.'],
    [{ token: null }, 'The option token is of the type null. Give: string | function.'],
    [{ names: {} }, 'The option names is of the type object. Give: array.'],
    [{ paging: 'z' }, 'The option paging is "z". Give: "keyset" | "time".'],
    [{ paging: 5 }, 'The option paging is of the type number. Give: "keyset" | "time".'],
    [{ signal: {} }, 'The option signal is of the type object. Give: AbortSignal.'],
    [{ map: new Map() }, 'The option map is of the type Map. Give: object.'],
    [new Date(), `The options are of the type Date. Give an object with: ${all}.`],
    [null, `The options are of the type null. Give an object with: ${all}.`],
    ['http://localhost', `The options are of the type string. Give an object with: ${all}.`],
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
