import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultRowFormat, type RowFormat, SqlError } from './engine.ts'
import { withNumbers } from './numbers.ts'
import { valueJson } from './values.ts'

const [int8, float8, numeric, json, text, floats] = [20, 701, 1700, 3802, 25, 1022]
const written = (value: string, oid: number, format: Partial<RowFormat>) =>
  valueJson(value, oid, { ...defaultRowFormat, ...format })

test.each([
  ['number', '12', '12', '-0.5', '1e+20'],
  ['big-integer', '12', '12', '-0.5', '1e+20'],
  ['string', '"12"', '"12"', '"-0.5"', '"1e+20"'],
  ['decimal-point', '12.0', '12.0', '-0.5', '1e+20'],
  ['exponent', '12e0', '12e0', '-0.5e0', '1e+20'],
] as const)('numbers written as %s', (numbers, whole, decimal, fraction, large) => {
  expect(written('12', int8, { numbers })).toBe(whole)
  expect(written('12', numeric, { numbers })).toBe(decimal)
  expect(written('-0.5', float8, { numbers })).toBe(fraction)
  expect(written('1e+20', float8, { numbers })).toBe(large)
  expect(written('{12,NULL}', floats, { numbers })).toBe(`[${whole},null]`)
  expect(written('12', text, { numbers })).toBe('"12"')
})

describe('numbers inside of JSON', () => {
  test('are told from digits in texts', () => {
    const value = '{"1": [1, -2.5, "3 \\"4\\" 5\\\\", null], "a6": 7}'
    expect(withNumbers(value, 'decimal-point')).toBe('{"1": [1.0, -2.5, "3 \\"4\\" 5\\\\", null], "a6": 7.0}')
    expect(withNumbers(value, 'string')).toBe(value)
  })

  test('keep their value, and everything else', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const before = JSON.stringify(value)
        for (const numbers of ['decimal-point', 'exponent'] as const)
          expect(JSON.stringify(JSON.parse(withNumbers(before, numbers)))).toBe(
            JSON.stringify(JSON.parse(before)),
          )
      }),
    )
  })
})

describe('what is no finite number', () => {
  test.each([
    ['null', 'null', 'null'],
    ['quoted-nan', '"NaN"', '"-Infinity"'],
    ['bare-nan', 'NaN', '-Infinity'],
  ] as const)('as %s', (nonFinite, nan, infinity) => {
    expect(written('NaN', float8, { nonFinite })).toBe(nan)
    expect(written('-Infinity', numeric, { nonFinite })).toBe(infinity)
  })

  test('as an error', () => {
    expect(() => written('Infinity', float8, { nonFinite: 'error' })).toThrow(SqlError)
    expect(written('1', float8, { nonFinite: 'error' })).toBe('1')
  })
})

test('objects and arrays as texts', () => {
  expect(written('{"a": [1]}', json, { json: 'text' })).toBe('"{\\"a\\": [1]}"')
  expect(written('[]', json, { json: 'text' })).toBe('"[]"')
  expect(written('"a"', json, { json: 'text' })).toBe('"a"')
  expect(written('5', json, { json: 'text' })).toBe('5')
})
