import { expect, test } from 'vitest'
import { columnsOf } from './columns.ts'
import { clausesOf } from './features.ts'
import { render } from './render.ts'
import { shrink } from './shrink.ts'
import type { ColumnUse, Condition, Item, Query } from './syntax.ts'

const from = { view: 'v_timeseries', alias: 'l' } as const
const column = (name: string): ColumnUse => columnsOf(from).find((candidate) => candidate.name === name)!
const item = (name: string): Item => ({ expression: column(name), name })
const equals = (name: string, sql: string): Condition => ({
  is: 'compare',
  operator: '=',
  left: column(name),
  right: { is: 'literal', sql },
})

const large: Query = {
  distinct: true,
  items: [item('id'), item('unit'), item('start_timestamp')],
  from,
  join: {
    kind: 'LEFT JOIN',
    source: { view: 'v_bioprocesses', alias: 'r' },
    on: { left: 'bioprocess_id', right: 'id' },
  },
  where: {
    is: 'or',
    parts: [
      { is: 'not', part: { is: 'and', parts: [equals('unit', "'g'"), equals('id', "'a'")] } },
      { is: 'null', of: column('unit'), not: false },
    ],
  },
  orderBy: [{ expression: column('start_timestamp'), direction: 'DESC', nulls: 'LAST' }],
  limit: 612,
  offset: 7,
}

/** The smallest query whose text still matches. */
const smallest = async (pattern: RegExp) => {
  const { query } = await shrink(
    large,
    true,
    async (candidate) => pattern.test(render(candidate)) || undefined,
  )
  return render(query)
}

test.each([
  [/IS NULL/, 'SELECT id FROM v_timeseries WHERE unit IS NULL'],
  [/ OR /, "SELECT id FROM v_timeseries WHERE unit = 'g' OR unit IS NULL"],
  [/NOT/, "SELECT id FROM v_timeseries WHERE NOT unit = 'g'"],
  [/LEFT JOIN/, 'SELECT l.id FROM v_timeseries l LEFT JOIN v_bioprocesses r ON l.bioprocess_id = r.id'],
  [/LIMIT [5-9]\d\d/, 'SELECT id FROM v_timeseries LIMIT 500'],
  [/OFFSET/, 'SELECT id FROM v_timeseries OFFSET 1'],
  [/DISTINCT/, 'SELECT DISTINCT id FROM v_timeseries'],
  [/DESC/, 'SELECT id FROM v_timeseries ORDER BY start_timestamp DESC NULLS LAST'],
  [/unit.*FROM/, 'SELECT unit FROM v_timeseries'],
])('shrink reduces a query that must match %s to `%s`', async (pattern, text) => {
  expect(await smallest(pattern)).toBe(text)
})

test('shrink reduces a query to one column of one view if every query matches', async () => {
  expect(await smallest(/./)).toBe('SELECT id FROM v_timeseries')
})

test('shrink returns the query unchanged if no reduction matches', async () => {
  const { query } = await shrink(large, 'seen', async () => undefined)
  expect(query).toBe(large)
  expect(clausesOf(query)).toEqual(['distinct', 'join', 'where', 'orderBy', 'limit', 'offset'])
})

test('shrink never tries a statement twice', async () => {
  const asked: string[] = []
  await shrink(large, true, async (candidate) => {
    asked.push(render(candidate))
    return asked.length % 3 === 0 || undefined
  })
  expect(new Set(asked).size).toBe(asked.length)
})
