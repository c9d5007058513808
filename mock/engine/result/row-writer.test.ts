import { array, assert, option, property, string, tuple, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Settings } from '../../../schemas/open-points.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { type Column, SqlError } from '../../statement.ts'
import { field, oid, rowBody } from './fields.test-helper.ts'
import { rowFormat } from './row-format.ts'
import { RowWriter } from './row-writer.ts'

const decoder = new TextDecoder()

function write(
  columns: readonly Column[],
  rows: readonly (readonly (string | null)[])[],
  settings: Partial<Settings> = {},
  mayReorder = false,
): string {
  let json = ''
  const format = rowFormat({ ...defaultSettings, ...settings })
  const writer = new RowWriter(columns, format, mayReorder, (chunk) => (json += decoder.decode(chunk)))
  for (const row of rows) writer.row(rowBody(row), 0)
  writer.flush()
  return json
}

const value = (type: number, text: string | null) => write([field('v', type)], [[text]])

describe('the row writer', () => {
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
      write(fields, [
        ['a', '1', 'b'],
        ['c', null, null],
      ]),
    ).toBe('{"n":1,"id":"b"},{"n":null,"id":null}')
  })

  test('writes a result without columns or rows', () => {
    expect(write([], [[], []])).toBe('{},{}')
    expect(write([field('a', oid.text)], [])).toBe('')
  })

  test('gives JSON.parse the texts it was given, whatever they are and wherever chunks end', () => {
    const text = option(string({ unit: 'grapheme', maxLength: 300 }).map((s) => s.replaceAll('\0', '')))
    const rows = array(tuple(text, text, text), { maxLength: 200 })
    assert(
      property(rows, uniqueArray(string(), { minLength: 3, maxLength: 3 }), (rows, names) => {
        const json = write(
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

  test('keeps large values whole', () => {
    const large = '"'.repeat(400_000)
    expect(JSON.parse(`[${write([field('v', oid.text)], [[large], ['x'], [large]])}]`)).toEqual([
      { v: large },
      { v: 'x' },
      { v: large },
    ])
  })

  const joined: Column[] = [
    { name: 'id', type: oid.text, source: 't' },
    { name: 'n', type: oid.int8, source: 't' },
    { name: 'id', type: oid.text, source: 'b' },
  ]
  const rows = [
    ['t1', '1', 'b1'],
    ['t2', null, 'b2'],
  ]

  test.each<[Partial<Settings>, string]>([
    [{ 'rows.shape': 'array' }, '["t1",1,"b1"],["t2",null,"b2"]'],
    [{ 'rows.shape': 'array-with-columns', 'rows.nulls': 'omitted' }, '["t1",1,"b1"],["t2",null,"b2"]'],
    [{ 'rows.shape': 'wrapped' }, '{"row":{"n":1,"id":"b1"}},{"row":{"n":null,"id":"b2"}}'],
    [{ 'rows.shape': 'prefixed' }, '{"t.id":"t1","t.n":1,"b.id":"b1"},{"t.id":"t2","t.n":null,"b.id":"b2"}'],
    [{ 'rows.duplicates': 'first' }, '{"id":"t1","n":1},{"id":"t2","n":null}'],
    [{ 'rows.duplicates': 'suffix' }, '{"id":"t1","n":1,"id_1":"b1"},{"id":"t2","n":null,"id_1":"b2"}'],
    [
      { 'rows.duplicates': 'alias-prefix' },
      '{"t_id":"t1","n":1,"b_id":"b1"},{"t_id":"t2","n":null,"b_id":"b2"}',
    ],
    [{ 'rows.duplicates': 'array' }, '{"id":["t1","b1"],"n":1},{"id":["t2","b2"],"n":null}'],
    [{ 'rows.duplicates': 'repeated-keys' }, '{"id":"t1","n":1,"id":"b1"},{"id":"t2","n":null,"id":"b2"}'],
    [{ 'rows.nulls': 'omitted' }, '{"n":1,"id":"b1"},{"id":"b2"}'],
    [{ 'rows.nulls': 'empty-string' }, '{"n":1,"id":"b1"},{"n":"","id":"b2"}'],
  ])('writes rows under %j', (settings, json) => {
    expect(write(joined, rows, settings)).toBe(json)
  })

  test('fails for repeated column names if they are an error', () => {
    expect(() => write(joined, rows, { 'rows.duplicates': 'error' })).toThrow(SqlError)
    expect(write(joined.slice(1), [['1', 'b1']], { 'rows.duplicates': 'error' })).toBe('{"n":1,"id":"b1"}')
  })

  test('keeps every row when it reorders rows', () => {
    const values = Array.from({ length: 100 }, (_, index) => [String(index)])
    const column = [{ name: 'n', type: oid.int8 }]
    const numbers = () =>
      (JSON.parse(`[${write(column, values, { 'rows.order': 'random' }, true)}]`) as { n: number }[]).map(
        ({ n }) => n,
      )
    const [first, second] = [numbers(), numbers()]
    expect(first).not.toEqual(second)
    expect(first.toSorted((a, b) => a - b)).toEqual(second.toSorted((a, b) => a - b))
  })
})
