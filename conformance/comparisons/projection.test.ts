import { expect, test } from 'vitest'
import { view } from '../../schemas/index.ts'
import type { JsonObject } from '../connection/values/json.ts'
import { readReply } from '../connection/http/reply.ts'
import { hiddenColumns, projectionDifference } from './projection.ts'

const experiments = view('v_experiments')
const start = 'scheduled_start_timestamp'
const rest = { external_id: 'x', scheduled_end_timestamp: null, last_updated_at: 't' }

test('hiddenColumns returns a column with a value that SELECT * never returns', () => {
  const named = [{ id: 'a', [start]: 't', ...rest }]
  expect(hiddenColumns(experiments, [{ id: 'a', ...rest }], named)).toEqual([start])
  expect(hiddenColumns(experiments, named, named)).toEqual([])
})

test('hiddenColumns ignores a nullable column if both statements return different rows', () => {
  const named = [{ id: 'a', [start]: 't', ...rest }]
  expect(hiddenColumns(experiments, [{ id: 'b', ...rest }], named)).toEqual([])
  expect(hiddenColumns(experiments, [{ id: 'b' }], named)).toEqual(['external_id', 'last_updated_at'])
})

test('hiddenColumns returns nothing without rows', () => {
  expect(hiddenColumns(experiments, [], [{ id: 'a', ...rest }])).toEqual([])
})

const all: JsonObject[] = [
  { id: 'a', name: 'A', note: null },
  { id: 'b', name: 'B', note: 'n' },
]
function compare(rows: JsonObject[], data: unknown[] = rows) {
  const reply = readReply({
    request: { method: 'POST', url: 'http://t/', headers: {}, body: '' },
    response: { status: 200, headers: new Headers(), text: JSON.stringify({ data }), bytes: 0, memory: 0 },
    durationMs: 0,
  })
  return projectionDifference(all, { rows, reply }, ['note', 'id'], ['id', 'name', 'note'])
}

test('projectionDifference compares rows with the same id in any order, with and without nulls', () => {
  expect(compare([{ note: 'n', id: 'b' }, { id: 'a' }, { note: 'other', id: 'c' }])).toEqual({
    matched: 2,
    further: [],
  })
})

test.each([
  ['columns that were not named', [{ note: null, id: 'a', name: 'A' }]],
  ['leaves out id', [{ note: 'n' }]],
  ['another note', [{ note: 'm', id: 'b' }]],
  ['another note', [{ id: 'b' }]],
])('projectionDifference reports "%s" for %j', (message, rows) => {
  expect(compare(rows).difference?.message).toContain(message)
})

test('projectionDifference only lists members of a row that are no documented columns', () => {
  expect(compare([{ '@index': 0, note: 'n', id: 'b' } as unknown as JsonObject])).toEqual({
    matched: 1,
    further: ['@index'],
  })
})

test('projectionDifference reports an array with more values than columns', () => {
  expect(compare([{ note: 'n', id: 'b' }], [['n', 'b', 'B']]).difference?.mayHaveChanged).toBe(false)
})
