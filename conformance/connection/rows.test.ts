import { expect, test } from 'vitest'
import { show } from './values/json.ts'
import { readReply } from './http/reply.ts'
import { rowsOf } from './rows.ts'

function read(body: unknown, columns: string[], positional = true) {
  const reply = readReply({
    request: { method: 'POST', url: 'http://t/', headers: {}, body: '' },
    response: { status: 200, headers: new Headers(), text: JSON.stringify(body), bytes: 0, memory: 0 },
    durationMs: 0,
  })
  const set = rowsOf(reply, columns, positional)
  return set && { shape: set.shape, rows: set.rows.map((row) => show(row)) }
}
const success = (data: unknown[], rest = {}) => ({
  data,
  status: { state: 'success', message: 'ok' },
  ...rest,
})
const columns = ['id', 'last_updated_at']
const expected = ['{"id":"a","last_updated_at":"t"}']

test.each([
  ['object', success([{ id: 'a', last_updated_at: 't' }])],
  ['array', success([['a', 't']])],
  ['array-with-columns', success([['a', 't']], { columns })],
  ['array-with-columns', success([['a', 't']], { columns: columns.map((name) => ({ name, type: 'text' })) })],
  ['array-with-columns', success([['a', 't']], { columns: ['ID', 'LAST_UPDATED_AT'] })],
  ['wrapped', success([{ row: { id: 'a', last_updated_at: 't' } }])],
  ['prefixed', success([{ 'b.id': 'a', 'b.last_updated_at': 't' }])],
  ['object', success([{ ID: 'a', LAST_UPDATED_AT: 't' }])],
  ['object', success([{ id: 'a', lastUpdatedAt: 't' }])],
])('rowsOf reads rows of the shape %s by column name from %j', (shape, body) => {
  expect(read(body, columns)).toEqual({ shape, rows: expected })
})

test.each([
  ['alias', { t: { id: 'a' }, b: { last_updated_at: 't' } }],
  ['alias, one without a partner', { b: null, t: { id: 'a', last_updated_at: 't' } }],
  ['view', { v_timeseries: { id: 'a' }, v_bioprocesses: { lastUpdatedAt: 't' } }],
])('rowsOf reads rows that are nested by %s', (_, row) => {
  expect(read(success([row]), columns)).toEqual({ shape: 'prefixed', rows: expected })
})

test('rowsOf keeps the object in a column of any case', () => {
  const rows = [{ QC: { status: 'Passed' }, inductionEvent: null }]
  expect(read(success(rows), ['qc', 'induction_event'])).toEqual({
    shape: 'object',
    rows: ['{"qc":{"status":"Passed"},"induction_event":null}'],
  })
})

test('rowsOf returns undefined for arrays if the statement names no columns', () => {
  expect(read(success([['a', 't']]), columns, false)).toBeUndefined()
})

test('rowsOf accepts a reply without rows and keeps unknown keys', () => {
  expect(read(success([]), columns)?.rows).toEqual([])
  expect(read(success([{ id: 'a', extra: 1 }]), columns)?.rows).toEqual(['{"id":"a","extra":1}'])
})

test.each([
  [
    'pairs',
    [
      ['id', 'a'],
      ['last_updated_at', 't'],
    ],
  ],
  [
    'cells',
    [
      { name: 'id', value: 'a' },
      { name: 'last_updated_at', value: 't' },
    ],
  ],
  ['columns in a member beside an id', { id: 'a', attributes: { id: 'a', last_updated_at: 't' } }],
  ['a list in a member', { values: ['a', 't'] }],
])('rows of an unknown shape have no columns: %s', (_, row) => {
  expect(read(success([row]), columns)).toBeUndefined()
})

test('the key of a single value may have any name, and its value may be a list', () => {
  expect(read(success([{ max: 't' }]), ['last_updated_at'])).toBeDefined()
  expect(read(success([[['x', 'y']]]), ['alternative_names'])).toBeDefined()
  expect(read(success([[['alternative_names', 'x']]]), ['alternative_names'])).toBeUndefined()
})
