import { array, assert, option, property, string, tuple, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { field, oid, rowBody } from './fields.test-helper.ts'
import { RowEncoder } from './row-encoder.ts'
import { defaultRowFormat } from './row-format.ts'
import { Transcoder } from './transcoder.ts'
import type { Field } from './wire.ts'

const decoder = new TextDecoder()

function transcode(fields: readonly Field[], rows: readonly (readonly (string | null)[])[]): string {
  let json = ''
  const transcoder = new Transcoder(fields, (chunk) => (json += decoder.decode(chunk, { stream: true })))
  for (const row of rows) {
    const body = rowBody(row)
    transcoder.row(body, 0, body.length)
  }
  transcoder.flush()
  return json
}

const value = (type: number, text: string | null) => transcode([field('v', type)], [[text]])

describe('Transcoder', () => {
  test.each([
    [oid.text, null, 'null'],
    [oid.text, '', '""'],
    [oid.text, 'a"b\\c/\b\f\n\r\t\u0001\u007f é😀', JSON.stringify('a"b\\c/\b\f\n\r\t\u0001\u007f é😀')],
    [oid.bool, 't', 'true'],
    [oid.bool, 'f', 'false'],
    [oid.int8, '9223372036854775807', '9223372036854775807'],
    [oid.numeric, '0.10', '0.10'],
    [oid.numeric, '-123456789012345678901234567890.5', '-123456789012345678901234567890.5'],
    [oid.float8, '-1.5e-07', '-1.5e-07'],
    [oid.float8, 'NaN', 'null'],
    [oid.float8, 'Infinity', 'null'],
    [oid.numeric, '-Infinity', 'null'],
    [oid.jsonb, '{"a": [1, null]}', '{"a": [1, null]}'],
    [oid.timestamptz, '2025-01-02 03:04:05+00', '"2025-01-02T03:04:05.000000+00:00"'],
    [oid.timestamptz, '2025-01-02 03:04:05.1+00', '"2025-01-02T03:04:05.100000+00:00"'],
    [oid.timestamptz, '2025-01-02 03:04:05.123456+00', '"2025-01-02T03:04:05.123456+00:00"'],
    [oid.timestamptz, '-infinity', 'null'],
    [oid.timestamptz, '0044-03-15 12:00:00+00 BC', '"0044-03-15 12:00:00+00 BC"'],
    [oid.timestamptz, '12025-01-02 03:04:05+00', '"12025-01-02 03:04:05+00"'],
    [oid.timestamp, '2025-01-02 03:04:05.5', '"2025-01-02T03:04:05.500000"'],
    [oid.timestamp, '0044-03-15 12:00:00 BC', '"0044-03-15 12:00:00 BC"'],
    [oid.timestamp, 'infinity', 'null'],
    [oid.date, '2025-01-02', '"2025-01-02"'],
    [oid.date, 'infinity', 'null'],
    [oid.textArray, '{a,"b \\"c\\\\",NULL,"NULL",""}', '["a","b \\"c\\\\",null,"NULL",""]'],
    [oid.textArray, '{}', '[]'],
    [oid.int8Array, '{{1,2},{3,4}}', '[[1,2],[3,4]]'],
    [oid.int8Array, '[0:1]={9007199254740993,NULL}', '[9007199254740993,null]'],
    [oid.timestamptzArray, '{"2025-01-02 03:04:05+00"}', '["2025-01-02T03:04:05.000000+00:00"]'],
    [600, '(1,2)', '"(1,2)"'],
  ])('writes a value of type %i, %j as %s', (type, text, json) => {
    expect(value(type, text)).toBe(`{"v":${json}}`)
  })

  test('lets the last of equal names win and separates rows by commas', () => {
    const fields = [field('id', oid.text), field('n', oid.int8), field('id', oid.text)]
    expect(
      transcode(fields, [
        ['a', '1', 'b'],
        ['c', null, null],
      ]),
    ).toBe('{"n":1,"id":"b"},{"n":null,"id":null}')
  })

  test('writes a result without columns or rows', () => {
    expect(transcode([], [[], []])).toBe('{},{}')
    expect(transcode([field('a', oid.text)], [])).toBe('')
  })

  test('gives JSON.parse the texts it was given, whatever they are and wherever chunks end', () => {
    const text = option(string({ unit: 'grapheme', maxLength: 300 }).map((s) => s.replaceAll('\0', '')))
    const rows = array(tuple(text, text, text), { maxLength: 200 })
    assert(
      property(rows, uniqueArray(string(), { minLength: 3, maxLength: 3 }), (rows, names) => {
        const json = transcode(
          names.map((name) => field(name, oid.text)),
          rows,
        )
        // a key "__proto__" is an own property here and in JSON.parse alike
        const expected = rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]])))
        expect(JSON.parse(`[${json}]`)).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  test('writes what the row encoder writes for the default format', () => {
    const fields = [field('a', oid.float8), field('b', oid.timestamptz), field('a', oid.bool)]
    const row = ['1', '2025-01-02 03:04:05.12+00', 't']
    const body = rowBody(row)
    let json = ''
    const encoder = new RowEncoder(
      fields,
      defaultRowFormat,
      false,
      (chunk) => (json += decoder.decode(chunk)),
    )
    encoder.row(body, 0, body.length)
    encoder.flush()
    expect(JSON.parse(json)).toEqual(JSON.parse(transcode(fields, [row])))
  })

  test('keeps large values whole', () => {
    const large = '"'.repeat(400_000)
    expect(JSON.parse(`[${transcode([field('v', oid.text)], [[large], ['x'], [large]])}]`)).toEqual([
      { v: large },
      { v: 'x' },
      { v: large },
    ])
  })
})
