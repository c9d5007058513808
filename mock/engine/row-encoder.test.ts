import { describe, expect, test } from 'vitest'
import { type Column, defaultRowFormat, type RowFormat, SqlError } from './engine.ts'
import { oid, rowBody } from './fields.test-helper.ts'
import { RowEncoder } from './row-encoder.ts'

const joined: Column[] = [
  { name: 'id', type: oid.text, source: 't' },
  { name: 'n', type: oid.int8, source: 't' },
  { name: 'id', type: oid.text, source: 'b' },
]
const rows = [
  ['t1', '1', 'b1'],
  ['t2', null, 'b2'],
]

function encode(format: Partial<RowFormat>, columns = joined, values = rows, shuffle = false): string {
  let json = ''
  const all = { ...defaultRowFormat, ...format }
  const encoder = new RowEncoder(columns, all, shuffle, (chunk) => (json += new TextDecoder().decode(chunk)))
  for (const row of values) {
    const body = rowBody(row)
    encoder.row(body, 0, body.length)
  }
  encoder.flush()
  return json
}

describe('RowEncoder', () => {
  test.each<[Partial<RowFormat>, string]>([
    [{ shape: 'array' }, '["t1",1,"b1"],["t2",null,"b2"]'],
    [{ shape: 'array-with-columns', nulls: 'omitted' }, '["t1",1,"b1"],["t2",null,"b2"]'],
    [{ shape: 'wrapped' }, '{"row":{"id":"b1","n":1}},{"row":{"id":"b2","n":null}}'],
    [{ shape: 'prefixed' }, '{"t.id":"t1","t.n":1,"b.id":"b1"},{"t.id":"t2","t.n":null,"b.id":"b2"}'],
    [{ duplicates: 'first' }, '{"id":"t1","n":1},{"id":"t2","n":null}'],
    [{ duplicates: 'suffix' }, '{"id":"t1","n":1,"id_1":"b1"},{"id":"t2","n":null,"id_1":"b2"}'],
    [{ duplicates: 'alias-prefix' }, '{"t_id":"t1","n":1,"b_id":"b1"},{"t_id":"t2","n":null,"b_id":"b2"}'],
    [{ duplicates: 'array' }, '{"id":["t1","b1"],"n":1},{"id":["t2","b2"],"n":null}'],
    [{ duplicates: 'repeated-keys' }, '{"id":"t1","n":1,"id":"b1"},{"id":"t2","n":null,"id":"b2"}'],
    [{ nulls: 'omitted' }, '{"id":"b1","n":1},{"id":"b2"}'],
    [{ nulls: 'empty-string' }, '{"id":"b1","n":1},{"id":"b2","n":""}'],
  ])('writes %j', (format, json) => {
    expect(encode(format)).toBe(json)
  })

  test('refuses repeated names where they are an error', () => {
    expect(() => encode({ duplicates: 'error' })).toThrow(SqlError)
    expect(encode({ duplicates: 'error' }, joined.slice(1), [['1', 'b1']])).toBe('{"n":1,"id":"b1"}')
  })

  test('keeps every row when it shuffles', () => {
    const values = Array.from({ length: 100 }, (_, index) => [String(index)])
    const column = [{ name: 'n', type: oid.int8 }]
    const numbers = () =>
      (JSON.parse(`[${encode({}, column, values, true)}]`) as { n: number }[]).map(({ n }) => n)
    const [first, second] = [numbers(), numbers()]
    expect(first).not.toEqual(second)
    expect(first.toSorted((a, b) => a - b)).toEqual(second.toSorted((a, b) => a - b))
  })
})
