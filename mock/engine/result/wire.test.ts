import { describe, expect, test } from 'vitest'
import { rowBody, wireMessage } from './fields.test-helper.ts'
import { concat, frontend, MessageReader, readError, readFields, readRow } from './wire.ts'

const encoder = new TextEncoder()
const rows = [
  ['a', null, ''],
  ['é😀', 'x'.repeat(300), 'z'],
]
const stream = concat(
  ...rows.map((row) => wireMessage('D', rowBody(row))),
  wireMessage('C', encoder.encode('SELECT 2\0')),
  wireMessage('Z', encoder.encode('I')),
)

function read(chunks: readonly Uint8Array[], maxBytes?: number) {
  const seen: { type: string; values?: (string | null)[] }[] = []
  const reader = new MessageReader((type, bytes, start, end) => {
    const name = String.fromCharCode(type)
    seen.push(name === 'D' ? { type: name, values: readRow(bytes, start, end) } : { type: name })
  }, maxBytes)
  for (const chunk of chunks) reader.push(chunk)
  return { seen, oversized: reader.oversized }
}

const expected = [...rows.map((values) => ({ type: 'D', values })), { type: 'C' }, { type: 'Z' }]

describe('MessageReader', () => {
  test('gives the memory of a large message back at once', () => {
    const seen: Uint8Array[] = []
    const reader = new MessageReader((_type, bytes) => seen.push(bytes))
    const message = wireMessage('D', rowBody(['x'.repeat(2 << 20)]))
    for (const part of [message.subarray(0, 9), message.subarray(9)]) reader.push(part)
    expect(seen.map(({ buffer }) => buffer.byteLength)).toEqual([0])
  })

  test('reads messages cut at every boundary', () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      expect(read([stream.slice(0, cut), stream.slice(cut)]).seen).toEqual(expected)
    }
  })

  test('reads messages that arrive byte by byte', () => {
    expect(read([...stream].map((byte) => Uint8Array.of(byte))).seen).toEqual(expected)
  })

  test('skips and counts a message that is too long, however it is cut', () => {
    for (let cut = 0; cut <= stream.length; cut++) {
      expect(read([stream.slice(0, cut), stream.slice(cut)], 100)).toEqual({
        seen: expected.filter(({ type }, index) => type !== 'D' || index === 0),
        oversized: 1,
      })
    }
  })
})

test.each([0, 1, 3, -1, -0x8000_0000, 0x4000_0000, 0x7fff_ffff])(
  'refuses a message of the length %d, however it is cut',
  (length) => {
    const bytes = new Uint8Array(9)
    new DataView(bytes.buffer).setInt32(1, length)
    expect(() => new MessageReader(() => {}, 100).push(bytes)).toThrow(RangeError)
    for (let cut = 1; cut < 5; cut++) {
      const reader = new MessageReader(() => {}, 100)
      reader.push(bytes.slice(0, cut))
      expect(() => reader.push(bytes.slice(cut))).toThrow(RangeError)
    }
  },
)

test('writes the length of a message without its type', () => {
  expect([...frontend.query('AB')]).toEqual([0x51, 0, 0, 0, 7, 0x41, 0x42, 0])
  expect([...frontend.execute('p', 258)]).toEqual([0x45, 0, 0, 0, 10, 0x70, 0, 0, 0, 1, 2])
})

test('reads fields and errors', () => {
  const fields = concat(
    Uint8Array.of(0, 1),
    encoder.encode('näme\0'),
    Uint8Array.of(0, 0, 1, 0, 0, 2, 0, 0, 0, 25, 255, 255, 255, 255, 255, 255, 0, 0),
  )
  expect(readFields(fields, 0, fields.length)).toEqual([{ name: 'näme', table: 256, attribute: 2, type: 25 }])
  const error = encoder.encode(
    'SERROR\0C42P01\0Mrelation "x" does not exist\0Hput it\0P15\0Fparse_relation.c\0\0',
  )
  expect(readError(error, 0, error.length)).toEqual({
    sqlState: '42P01',
    message: 'relation "x" does not exist',
    file: 'parse_relation.c',
    detail: '',
    hint: 'put it',
    context: '',
    position: 15,
  })
})
