import { expect, test } from 'vitest'
import type { JsonObject } from '../connection/values/json.ts'
import { notReached } from './not-reached.ts'
import { single } from './statements/generator-context.ts'
import type { DocumentedKind } from './statements/classify.ts'
import { columnsOf, type Query } from './statements/syntax.ts'

const rows: JsonObject[] = [null, 'pH', null].map((notes, n) => ({ id: `${n}`, notes }))
const from = single('v_quantities')
const [id, notes] = ['id', 'notes'].map((name) => columnsOf(from).filter((column) => column.name === name))
const after = { date: '2025-01-01', sql: "'2025-01-01'" }
const newest = { newestOf: 'v_formulas' } as const
const on = { left: 'id', right: 'quantity_id' }
const join = { source: { view: 'v_timeseries', alias: 'b' }, on } as const

const missed = (kind: DocumentedKind, ...answers: [query: Partial<Query>, rows: number][]) =>
  notReached(
    kind,
    () => rows,
    answers.map(([query, count]) => ({ query: { items: ['*'], from, ...query }, rows: count })),
  )

test('numbers of rows at which batches end are not reached by answers with fewer rows', () => {
  expect(missed('limit', [{ limit: 128 }, 128], [{ limit: 129 }, 128], [{ limit: 1001 }, 1001])).toBe(
    'LIMIT 129, 257, 1025 (no answer has as many rows)',
  )
  expect(
    missed(
      'limit',
      ...[128, 129, 257, 1001, 1025].map((n): [Query, number] => [{ items: ['*'], from, limit: n }, n]),
    ),
  ).toBeUndefined()
})

test.each<[DocumentedKind, string, Partial<Query>, number, Partial<Query>, number]>([
  ['select', 'null', { items: id! }, 3, { items: notes! }, 3],
  ['delta-by-date', 'a date', { after }, 3, { after }, 2],
  ['delta-by-newest', 'newest', { after: newest }, 0, { after: newest }, 1],
  ['join', 'WHERE', { join }, 3, { join, after }, 1],
])('of %s, %s is reached by rows that differ', (kind, word, alike, all, differing, some) => {
  expect(missed(kind)).toContain(word)
  expect(missed(kind, [alike, all])).toContain(word)
  expect(missed(kind, [alike, all], [differing, some])).toBeUndefined()
})
