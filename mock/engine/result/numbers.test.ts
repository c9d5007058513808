import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Settings } from '../../../schemas/open-points.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { numberEncoding } from '../../open-points/numbers/encoding.ts'
import { SqlError } from '../../statement.ts'
import { valueJson, withNumbers } from './values.ts'
import { rowFormat } from './row-format.ts'

const [int8, float8, numeric, json, text, floats] = [20, 701, 1700, 3802, 25, 1022]
const written = (value: string, oid: number, settings: Partial<Settings>) =>
  valueJson(value, oid, rowFormat({ ...defaultSettings, ...settings }))

test.each([
  ['number', '12', '12', '-0.5', '1e+20'],
  ['big-integer', '12', '12', '-0.5', '1e+20'],
  ['string', '"12"', '"12"', '"-0.5"', '"1e+20"'],
  ['decimal-point', '12.0', '12.0', '-0.5', '1e+20'],
  ['exponent', '12e0', '12e0', '-0.5e0', '1e+20'],
] as const)('writes numbers of columns in the encoding %s', (encoding, whole, decimal, fraction, large) => {
  const settings = { 'numbers.encoding': encoding }
  expect(written('12', int8, settings)).toBe(whole)
  expect(written('12', numeric, settings)).toBe(decimal)
  expect(written('-0.5', float8, settings)).toBe(fraction)
  expect(written('1e+20', float8, settings)).toBe(large)
  expect(written('{12,NULL}', floats, settings)).toBe(`[${whole},null]`)
  expect(written('12', text, settings)).toBe('"12"')
})

test('tells numbers inside JSON from digits in strings', () => {
  const value = '{"1": [1, -2.5, "3 \\"4\\" 5\\\\", null], "a6": 7}'
  expect(written(value, json, { 'numbers.encoding': 'decimal-point' })).toBe(
    '{"1": [1.0, -2.5, "3 \\"4\\" 5\\\\", null], "a6": 7.0}',
  )
  expect(written(value, json, { 'numbers.encoding': 'string' })).toBe(value)
})

test('keeps the value of numbers inside JSON, and everything around them', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = JSON.stringify(value)
      for (const encoding of ['decimal-point', 'exponent'] as const) {
        const write = numberEncoding({ 'numbers.encoding': encoding }).inJson!
        expect(JSON.stringify(JSON.parse(withNumbers(before, write)))).toBe(
          JSON.stringify(JSON.parse(before)),
        )
      }
    }),
  )
})

test.each([
  ['null', 'null', 'null'],
  ['quoted-nan', '"NaN"', '"-Infinity"'],
  ['bare-nan', 'NaN', '-Infinity'],
] as const)('writes a number that is not finite as %s', (variant, nan, infinity) => {
  expect(written('NaN', float8, { 'numbers.non-finite': variant })).toBe(nan)
  expect(written('-Infinity', numeric, { 'numbers.non-finite': variant })).toBe(infinity)
})

test('fails for a number that is not finite, and for no other, if it is an error', () => {
  expect(() => written('Infinity', float8, { 'numbers.non-finite': 'error' })).toThrow(SqlError)
  expect(written('1', float8, { 'numbers.non-finite': 'error' })).toBe('1')
})

test('writes JSON objects and arrays as texts, strings and numbers as they are', () => {
  const settings = { 'json.encoding': 'text' } as const
  expect(written('{"a": [1]}', json, settings)).toBe('"{\\"a\\": [1]}"')
  expect(written('[]', json, settings)).toBe('"[]"')
  expect(written('"a"', json, settings)).toBe('"a"')
  expect(written('5', json, settings)).toBe('5')
})
