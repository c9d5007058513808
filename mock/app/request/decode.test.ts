import { expect, test } from 'vitest'
import { defaultSettings } from '../../open-points/settings.ts'
import { decodeStatement } from './decode.ts'

const decode = (body: string | Uint8Array) =>
  decodeStatement(typeof body === 'string' ? new TextEncoder().encode(body) : body, defaultSettings)

test.each([
  ['the statement as it was written', '{"statement":"SELECT \\"a\\" -- \\u00e9"}', 'SELECT "a" -- é'],
  ['after a byte order mark', '\ufeff{"statement":"SELECT 1"}', 'SELECT 1'],
  ['of a repeated key the last', '{"statement":"SELECT 1","statement":"SELECT 2"}', 'SELECT 2'],
  ['beside unknown keys', '{"params":[1],"statement":"SELECT 1"}', 'SELECT 1'],
  ['that is empty', '{"statement":""}', ''],
  [
    'beside deep nesting',
    `{"x":${'['.repeat(50_000)}${']'.repeat(50_000)},"statement":"SELECT 1"}`,
    'SELECT 1',
  ],
])('reads the statement: %s', (_, body, statement) => {
  expect(decode(body)).toBe(statement)
})

test.each([
  ['an empty body', '', 'the text is empty at line 1 column 1'],
  ['two byte order marks', '\ufeff\ufeff{"statement":"x"}', 'expected a value at line 1 column 1'],
  ['nesting that never closes', '['.repeat(200_000), 'the text ends too early at line 1 column 200001'],
  [
    'a line break in the statement',
    '{"statement":"SELECT\n1"}',
    'a control character in a string must be escaped at',
  ],
  ['NaN', '{"statement":NaN}', 'expected a value at line 1 column 14'],
])('refuses %s as not JSON', (_, body, detail) => {
  expect(() => decode(body)).toThrow(
    expect.objectContaining({
      status: 200,
      message: expect.stringContaining(`JSON decode error: ${detail}`),
    }),
  )
})

test.each([
  ['latin-1', [0x22, 0xe9, 0x22]],
  ['UTF-16', [0xff, 0xfe, 0x7b, 0x00]],
  ['an overlong form', [0x22, 0xc0, 0x80, 0x22]],
])('refuses %s as not UTF-8', (_, bytes) => {
  expect(() => decode(new Uint8Array(bytes))).toThrow('JSON decode error: the body is not valid UTF-8')
})

test.each([
  'null',
  '[]',
  '"SELECT 1"',
  '1',
  '{}',
  '{"Statement":"x"}',
  '{"statement":null}',
  '{"__proto__":{"statement":"x"}}',
])('refuses JSON without a string "statement": %s', (body) => {
  expect(() => decode(body)).toThrow(expect.objectContaining({ status: 400 }))
})
