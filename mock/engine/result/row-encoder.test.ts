import { describe, expect, test } from 'vitest'
import type { Settings } from '../../../schemas/open-points.ts'
import { defaultSettings } from '../../open-points/settings.ts'
import { type Column, SqlError } from '../../statement.ts'
import { oid, rowBody } from './fields.test-helper.ts'
import { RowEncoder } from './row-encoder.ts'
import { rowFormat } from './row-format.ts'

const joined: Column[] = [
  { name: 'id', type: oid.text, source: 't' },
  { name: 'n', type: oid.int8, source: 't' },
  { name: 'id', type: oid.text, source: 'b' },
]
const rows = [
  ['t1', '1', 'b1'],
  ['t2', null, 'b2'],
]

function encode(settings: Partial<Settings>, columns = joined, values = rows, mayReorder = false): string {
  let json = ''
  const format = rowFormat({ ...defaultSettings, ...settings })
  const encoder = new RowEncoder(
    columns,
    format,
    mayReorder,
    (chunk) => (json += new TextDecoder().decode(chunk)),
  )
  for (const row of values) {
    const body = rowBody(row)
    encoder.row(body, 0, body.length)
  }
  encoder.flush()
  return json
}

describe('RowEncoder', () => {
  test.each<[Partial<Settings>, string]>([
    [{ 'rows.shape': 'array' }, '["t1",1,"b1"],["t2",null,"b2"]'],
    [{ 'rows.shape': 'array-with-columns', 'rows.nulls': 'omitted' }, '["t1",1,"b1"],["t2",null,"b2"]'],
    [{ 'rows.shape': 'wrapped' }, '{"row":{"id":"b1","n":1}},{"row":{"id":"b2","n":null}}'],
    [{ 'rows.shape': 'prefixed' }, '{"t.id":"t1","t.n":1,"b.id":"b1"},{"t.id":"t2","t.n":null,"b.id":"b2"}'],
    [{ 'rows.duplicates': 'first' }, '{"id":"t1","n":1},{"id":"t2","n":null}'],
    [{ 'rows.duplicates': 'suffix' }, '{"id":"t1","n":1,"id_1":"b1"},{"id":"t2","n":null,"id_1":"b2"}'],
    [
      { 'rows.duplicates': 'alias-prefix' },
      '{"t_id":"t1","n":1,"b_id":"b1"},{"t_id":"t2","n":null,"b_id":"b2"}',
    ],
    [{ 'rows.duplicates': 'array' }, '{"id":["t1","b1"],"n":1},{"id":["t2","b2"],"n":null}'],
    [{ 'rows.duplicates': 'repeated-keys' }, '{"id":"t1","n":1,"id":"b1"},{"id":"t2","n":null,"id":"b2"}'],
    [{ 'rows.nulls': 'omitted' }, '{"id":"b1","n":1},{"id":"b2"}'],
    [{ 'rows.nulls': 'empty-string' }, '{"id":"b1","n":1},{"id":"b2","n":""}'],
  ])('writes rows under %j', (settings, json) => {
    expect(encode(settings)).toBe(json)
  })

  test('fails for repeated column names if they are an error', () => {
    expect(() => encode({ 'rows.duplicates': 'error' })).toThrow(SqlError)
    expect(encode({ 'rows.duplicates': 'error' }, joined.slice(1), [['1', 'b1']])).toBe('{"n":1,"id":"b1"}')
  })

  test('keeps every row when it reorders rows', () => {
    const values = Array.from({ length: 100 }, (_, index) => [String(index)])
    const column = [{ name: 'n', type: oid.int8 }]
    const numbers = () =>
      (JSON.parse(`[${encode({ 'rows.order': 'random' }, column, values, true)}]`) as { n: number }[]).map(
        ({ n }) => n,
      )
    const [first, second] = [numbers(), numbers()]
    expect(first).not.toEqual(second)
    expect(first.toSorted((a, b) => a - b)).toEqual(second.toSorted((a, b) => a - b))
  })
})
