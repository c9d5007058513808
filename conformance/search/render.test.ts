import { expect, test } from 'vitest'
import { columnsOf, isTotallyOrdered } from './columns.ts'
import { documentedKind } from './classify.ts'
import { render } from './render.ts'
import type { ColumnUse, Condition, Expression, Item, Query } from './syntax.ts'

const from = { view: 'v_formulas', alias: 'f' } as const
const column = (name: string): ColumnUse => columnsOf(from).find((candidate) => candidate.name === name)!
const item = (name: string): Item => ({ expression: column(name), name })
const term = (name: string) => ({ expression: column(name), direction: 'ASC' }) as const
const where = (condition: Condition): string => render({ items: ['*'], from, where: condition })
const isNull = (name: string): Condition => ({ is: 'null', of: column(name), not: false })

test('render writes only necessary parentheses', () => {
  const or: Condition = { is: 'or', parts: [isNull('notes'), isNull('state')] }
  const and: Condition = { is: 'and', parts: [isNull('notes'), isNull('state')] }
  expect(where({ is: 'and', parts: [or, isNull('id')] })).toMatch(
    /WHERE \(notes IS NULL OR state IS NULL\) AND id IS NULL$/,
  )
  expect(where({ is: 'or', parts: [isNull('id'), and] })).toMatch(
    /WHERE id IS NULL OR notes IS NULL AND state IS NULL$/,
  )
  expect(where({ is: 'not', part: or })).toMatch(/WHERE NOT \(notes IS NULL OR state IS NULL\)$/)
  expect(where({ is: 'not', part: isNull('id') })).toMatch(/WHERE NOT id IS NULL$/)
})

test('render writes AS for expressions but not for columns', () => {
  const member: Expression = { is: 'member', of: column('notes'), key: "o'clock" }
  expect(render({ items: [item('id'), { expression: member, name: 'key' }], from })).toBe(
    "SELECT id, notes ->> 'o''clock' AS key FROM v_formulas",
  )
  const count: Item = { expression: { is: 'call', function: 'COUNT', arguments: [] }, name: 'n' }
  expect(render({ items: [item('state'), count], from, groupBy: [column('state')], having: 1 })).toBe(
    'SELECT state, COUNT(*) AS n FROM v_formulas GROUP BY state HAVING COUNT(*) > 1',
  )
})

test('isTotallyOrdered requires the key in ORDER BY', () => {
  const query: Query = { items: ['*'], from }
  expect(isTotallyOrdered(query)).toBe(false)
  expect(isTotallyOrdered({ ...query, orderBy: [term('state')] })).toBe(false)
  expect(isTotallyOrdered({ ...query, orderBy: [term('state'), term('id')] })).toBe(true)
})

const newer = (right: Expression): Query => ({
  items: [item('id')],
  from,
  where: { is: 'compare', operator: '>', left: column('last_updated_at'), right },
})
const newest = { is: 'extreme', function: 'MAX', column: 'last_updated_at', view: 'v_formulas' } as const

const kinds: [string, Query][] = [
  ['select', { items: ['*'], from }],
  ['limit', { items: [item('id')], from, limit: 3 }],
  ['delta-by-date', newer({ is: 'literal', sql: "'2025-12-01'", date: true })],
  ['delta-by-newest', newer(newest)],
  ['undefined', newer({ is: 'literal', sql: "'2025-12-01T12:00:00.5+00:00'" })],
  ['undefined', newer({ ...newest, function: 'MIN' })],
  ['undefined', { items: ['*'], from, distinct: true }],
  ['undefined', { items: ['*'], from, offset: 1 }],
  ['undefined', { items: [{ expression: column('id'), name: 'other' }], from }],
  ['undefined', { items: ['*'], from, where: isNull('notes') }],
]

test.each(kinds.map(([kind, query]) => [kind, render(query), query] as const))(
  'documentedKind is %s for %s',
  (kind, _, query) => {
    expect(documentedKind(query)).toBe(kind === 'undefined' ? undefined : kind)
  },
)
