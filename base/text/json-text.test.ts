import { expect, test } from 'vitest'
import { jsonText, JsonTextDecoder } from './json-text.ts'

const bytes = (text: string) => new TextEncoder().encode(text)

test.each([
  ['text', bytes('"größe"'), { text: '"größe"' }],
  ['nothing', bytes(''), { text: '' }],
  ['a mark', bytes('\uFEFF{}'), { text: '{}', encodingProblem: 'a byte order mark before the JSON' }],
  [
    'Latin-1',
    new Uint8Array([0x22, 0xe9, 0x22]),
    { text: '"\uFFFD"', encodingProblem: 'bytes that are not UTF-8' },
  ],
  [
    'half a character',
    new Uint8Array([0xc3]),
    { text: '\uFFFD', encodingProblem: 'bytes that are not UTF-8' },
  ],
])('the bytes of %s are read with their problem', (_, given, read) => {
  expect(jsonText(given)).toEqual(read)
})

test('a character may stand in two parts of a body', () => {
  const decoder = new JsonTextDecoder()
  for (const byte of bytes('"ß"')) decoder.add(new Uint8Array([byte]))
  expect(decoder.end()).toEqual({ text: '"ß"' })
})
