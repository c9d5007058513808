import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plain, show } from './json.ts'
import { parseJson } from './parse-json.ts'

/** The value of a text, or `undefined` if it is rejected. */
function read(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text)
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError)
    return undefined
  }
}

function same(text: string): void {
  expect(read((json) => plain(parseJson(json)), text)).toEqual(read(JSON.parse, text))
}

test('parseJson accepts the same texts as JSON.parse and reads the same values', () => {
  const json = fc.oneof(
    fc.json(),
    fc.jsonValue().map((value) => JSON.stringify(value, null, 2)),
  )
  fc.assert(fc.property(json, same), { numRuns: 500 })
})

test('parseJson rejects the same damaged texts as JSON.parse', () => {
  const piece = fc.constantFrom(
    ...'{}[],:"\\ue+-.0123 \n\tabnrtf/',
    'true',
    'null',
    '"a"',
    '"\\u00e9"',
    '\u0001',
  )
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      same,
    ),
    {
      numRuns: 5_000,
    },
  )
})

test.each([
  '',
  ' ',
  '{',
  '[',
  '"',
  '"\\',
  '-',
  '1.',
  '1e',
  '01',
  '[1,]',
  '{"a":1,}',
  '{"a"}',
  "{'a':1}",
  'NaN',
  '\u00a01',
  '1 2',
  'tru',
])('parseJson rejects %j', (text) => {
  expect(() => parseJson(text)).toThrow(SyntaxError)
})

test('parseJson keeps a member __proto__ as an ordinary member', () => {
  expect(show(parseJson('{"__proto__":{"id":1},"constructor":2}'))).toBe(
    '{"__proto__":{"id":1},"constructor":2}',
  )
})

test('parseJson keeps the last of repeated keys', () => {
  expect(show(parseJson('{"id":1,"id":2}'))).toBe('{"id":2}')
})

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test('parseJson rejects JSON that is nested too deep', () => {
  expect(() => parseJson(nested(501))).toThrow(RangeError)
  expect(show(parseJson(nested(500))).length).toBeGreaterThan(100)
  expect(parseJson(`"${'['.repeat(600)}\\"${'{'.repeat(600)}"`)).toContain('[')
})
