import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { JsonObject } from '../../connection/values/json.ts'
import { parseJson } from '../../connection/values/parse-json.ts'
import { rowText, isEqualRow, valueText } from './canonical-values.ts'

const text = (json: string) => valueText(parseJson(json))

test.each([
  ['1.50', '15e-1'],
  ['0.1', '0.1000000000000000055511'],
  ['-0', '0'],
  ['"2025-03-01T08:12:00.123456+00:00"', '"2025-03-01 10:12:00.123456+02"'],
  ['"2025-03-01T08:12:00Z"', '"2025-03-01T08:12:00.000000+00:00"'],
  ['{"a": 1, "b": [2.0]}', '{"b": [2], "a": 1.0}'],
])('isEqualRow accepts %s and %s as equal values', (one, other) => {
  expect(text(one)).toBe(text(other))
})

test.each([
  ['9007199254740993', '9007199254740992'],
  ['0.1', '0.10000000000000002'],
  ['"2025-03-01T08:12:00.123456Z"', '"2025-03-01T08:12:00.123457Z"'],
  ['"2025-03-01T08:12:00Z"', '"2025-03-01T08:12:00+01:00"'],
  ['1', '"1"'],
  ['null', '0'],
  ['[1, 2]', '[2, 1]'],
  ['"a"', '"A"'],
])('isEqualRow distinguishes the values %s and %s', (one, other) => {
  expect(text(one)).not.toBe(text(other))
})

/** The JSON text of a value in few spellings, so that two of them are often equal. */
const spelled = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom('null', 'true', '1', '1.0', '-0', '0', '"1"', '"a"', '"__proto__"', '9007199254740993'),
    fc.constantFrom('"2025-03-01T08:12:00Z"', '"2025-03-01 08:12:00+00"', '"2025-03-01T08:12:01Z"'),
    fc.array(tie('json'), { maxLength: 2 }).map((items) => `[${items.join()}]`),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', '__proto__'), tie('json')), {
        maxLength: 2,
        selector: ([key]) => key,
      })
      .map((members) => `{${members.map(([key, value]) => `"${key}":${value}`).join()}}`),
  ),
})).json

test('isEqualRow finds two rows equal exactly if their texts are', () => {
  fc.assert(
    fc.property(spelled, spelled, (one, other) => {
      const [a, b] = [one, other].map((value) => parseJson(`{"x":${value}}`) as JsonObject) as [
        JsonObject,
        JsonObject,
      ]
      expect(isEqualRow(a, b, ['x'])).toBe(rowText(a, ['x']) === rowText(b, ['x']))
    }),
    { numRuns: 3000 },
  )
})

test('isEqualRow treats a missing column as null', () => {
  const row = parseJson('{"id": "a"}') as JsonObject
  const same = parseJson('{"unit": null, "id": "a"}') as JsonObject
  expect(rowText(row, ['id', 'unit'])).toBe(rowText(same, ['id', 'unit']))
})
