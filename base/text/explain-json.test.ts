import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { explainJson, parseJson } from './explain-json.ts'

test.each([
  ["{'statement': 'SELECT 1'}", "expected a property name in double quotes or '}'", 1, 2],
  ['{"statement": \'SELECT 1\'}', 'strings take double quotes, not single ones', 1, 15],
  ['{"statement": "SELECT "x""}', "expected ',' or '}'", 1, 24],
  ['{\n  "statement" "SELECT 1"\n}', "expected ':' after the property name", 2, 15],
  ['{"statement": "SELECT 1",}', 'expected a property name in double quotes', 1, 26],
  ['{"statement": "SELECT\n1"}', 'a control character in a string must be escaped', 1, 22],
  ['{"statement": "C:\\q"}', 'a backslash in a string must begin a JSON escape', 1, 18],
  ['{"statement": "SELECT 1', 'a string is not closed', 1, 24],
  ['{"statement": ', 'the text ends too early', 1, 15],
  ['[1, 2', 'the text ends too early', 1, 6],
  ['[01]', "expected a value or ']'", 1, 2],
  ['{} {}', 'unexpected text after the end of the JSON value', 1, 4],
  ['', 'the text is empty', 1, 1],
  ['SELECT 1', 'expected a value', 1, 1],
])('explains the error in %j: %s, line %i column %i', (text, problem, line, column) => {
  expect(explainJson(text)).toEqual({ problem, line, column })
})

test('finds no error in any JSON text', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(explainJson(text)).toBeUndefined()
    }),
  )
})

test('finds an error in exactly those texts that JSON.parse refuses', () => {
  const mutilated = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('"', "'", '{', ']', ',', ':', '\\', '0', 'e', ' ', ''))
    .map(
      ([text, at, char]) =>
        text.slice(0, at % (text.length + 1)) + char + text.slice((at % (text.length + 1)) + 1),
    )
  fc.assert(
    fc.property(mutilated, (text) => {
      let valid = true
      try {
        JSON.parse(text)
      } catch {
        valid = false
      }
      expect(explainJson(text) === undefined).toBe(valid)
    }),
    { numRuns: 2000 },
  )
})

test('reads half a million open brackets without overflowing the stack', () => {
  expect(explainJson('['.repeat(500_000))).toMatchObject({
    problem: 'the text ends too early',
    column: 500_001,
  })
})

test('parseJson parses as JSON.parse does, and its error quotes nothing of the text', () => {
  expect(parseJson('{"a": [1]}')).toEqual({ a: [1] })
  expect(() => parseJson('root:x:0:0')).toThrow(new SyntaxError('expected a value at column 1'))
  expect(() => parseJson('{"a": 1,\n "b" 2}')).toThrow(
    new SyntaxError("expected ':' after the property name at line 2, column 6"),
  )
})
